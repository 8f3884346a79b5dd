"""Prints rows of gains and losses for gains.cpp, given a seed and a size (days in the longest row)."""

import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
draw = random.Random(seed)
rows = [1, draw.randint(1, 20), max(1, size // 2), max(1, size)]
print(len(rows))
for number, count in enumerate(rows):
    highest = 1000 if number % 2 else draw.choice((-1, 1000))
    print(count, *(draw.randint(-1000, highest) for _ in range(count)))
