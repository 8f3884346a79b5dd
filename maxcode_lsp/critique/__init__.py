"""Critique: findings about a version of a target, from running it, from its compiler and from its text."""
