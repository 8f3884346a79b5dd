"""Prints SIZE stations and SIZE / 10 queries: ``stations.py SEED SIZE``."""

import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
kinds = ["bus", "train", "ferry"]
for n in range(size):
    print(
        "S",
        f"{rng.choice(['North', 'South', 'Old', 'New', 'Harbour', 'Mill'])}{n}",
        rng.choice(kinds),
        f"{rng.uniform(36, 60):.4f}",
        f"{rng.uniform(-9, 30):.4f}",
    )
for _ in range(max(1, size // 10)):
    print("Q", rng.choice(kinds), f"{rng.uniform(36, 60):.4f}", f"{rng.uniform(-9, 30):.4f}", rng.randint(1, 8))
