"""Fakes of the seams, for tests of MaxCode and of what is built on it. Each keeps the seam's contract."""
