"""Slow ways of writing that the text shows without a run; a profile says what they cost."""
