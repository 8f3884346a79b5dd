"""The editor at the other end: bytes, frames, decoded messages, and calls to it."""
