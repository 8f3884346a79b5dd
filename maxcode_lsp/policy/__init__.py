"""Policies: who proposes candidates."""
