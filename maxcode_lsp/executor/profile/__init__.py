"""Where the time of a program goes: samples or instruction counts, by line of its unit."""
