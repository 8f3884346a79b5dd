"""Collections of targets to search on, from folders of programs and from PIE's files."""
