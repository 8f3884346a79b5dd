# usual size: 20000
"""Prints SIZE movements of a warehouse: ``gen.py SEED SIZE``."""

import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
codes = [f"{rng.choice('ABCDEFGH')}{rng.randint(10, 99)}-{n:03d}" for n in range(120)]
for _ in range(size):
    code = rng.choice(codes)
    move = rng.random()
    if move < 0.55:
        print("IN", code, rng.randint(1, 90), rng.randint(50, 40000))
    elif move < 0.95:
        print("OUT", code, rng.randint(1, 100))
    else:
        print("MOV", code, f"S{rng.randint(1, 40)}", f"S{rng.randint(1, 40)}")
