"""Local models: their weights on this machine, and the server that runs them on the loopback interface."""
