"""Reading what a model replied: prose with fenced code, as CommonMark has it, and edits as search and replace."""
