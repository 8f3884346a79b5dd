"""Source text: normalising and restoring it, edits, and which action is behind which line."""
