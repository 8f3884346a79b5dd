"""The engine: a run from a file to a proven edit, its events, and the judge for versions written by hand."""
