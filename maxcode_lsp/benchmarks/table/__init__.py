"""Replay tables: every version that rules lead to, evaluated once for real, so that searches can be replayed."""
