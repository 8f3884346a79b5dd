"""Searches compared with each other: methods, episodes, and the journal of a comparison."""
