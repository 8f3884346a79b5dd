"""Prints logs for streak.cpp, given a seed and a size (days in the longest log)."""

import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
draw = random.Random(seed)
print("x" * draw.randint(1, 5))
for days in (draw.randint(1, 30), max(1, size // 2), max(1, size)):
    log = ["."] * days
    for _ in range(draw.randint(0, 3)):
        log[draw.randrange(days)] = "x"
    print("".join(log))
