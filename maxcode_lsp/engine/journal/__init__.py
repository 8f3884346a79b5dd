"""The journal: one file a run, so that nothing is lost and a run can go on; see ``docs/journal.md``."""
