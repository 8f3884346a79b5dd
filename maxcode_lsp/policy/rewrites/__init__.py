"""The ``rewrites`` policy: speculative changes found in the syntax tree, offline and without a model."""
