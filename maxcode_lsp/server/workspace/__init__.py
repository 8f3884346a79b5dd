"""What is open and where it lies: documents, folders, settings, trust."""
