"""Reward-to-go: how good the best version still to be found from a state may be."""
