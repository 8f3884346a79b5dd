"""The language server: one file a feature. Light to start, and never blocking its loop."""
