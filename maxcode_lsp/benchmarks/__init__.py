"""The figures of ``maxcode bench``: how sure the timing is, and how fast the evaluator."""
