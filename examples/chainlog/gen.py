# usual size: 1500
"""Prints a journal of SIZE records: ``gen.py SEED SIZE``."""

import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
users = ["amara", "bela", "chidi", "dora", "emil", "farah"]
verbs = ["read", "wrote", "moved", "deleted", "approved"]
for n in range(size):
    if rng.random() < 0.02:
        print()
    print(
        f"{1700000000 + n * 37} {rng.choice(users)} {rng.choice(verbs)} document {rng.randint(1, 99999)}"
        + " (urgent)" * (rng.random() < 0.1)
    )
