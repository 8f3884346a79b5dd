# size: 16000
"""Prints SIZE start numbers: ``gen.py SEED SIZE``."""

import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
print(size)
print("\n".join(str(rng.randint(1, 10**6)) for _ in range(size)))
