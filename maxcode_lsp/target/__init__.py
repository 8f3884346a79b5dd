"""Targets: what a program is, how it is built, what it is run on, and when two outputs are the same."""
