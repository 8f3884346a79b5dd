"""What is known of runs: their state, findings and edits, and how these fit the text of now."""
