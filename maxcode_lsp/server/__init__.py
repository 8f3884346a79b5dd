"""The language server. Light to start, and never blocking its loop.

From the top: ``start`` (the process), ``app`` (the connection's life), ``serving`` (who answers which method),
``features`` (what a person sees), ``session`` (what they share), ``runs``, ``workspace``, ``connection``.
"""
