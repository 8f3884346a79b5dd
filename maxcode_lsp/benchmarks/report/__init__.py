"""What a comparison of searches says: figures, tables and plots."""
