# usual size: 11000
"""Prints SIZE start numbers: ``gen.py SEED SIZE``."""

import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
numbers = [size, *(rng.randint(1, 10**6) for _ in range(size))]
sys.stdout.write("".join(f"{number}\n" for number in numbers))
