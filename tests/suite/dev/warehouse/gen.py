import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
names = [f"part-{n:03d}" for n in range(max(1, min(size // 8, 150)))]
for _ in range(size):
    name = rng.choice(names)
    if rng.random() < 0.55:
        print("in", name, rng.randrange(1, 40), rng.randrange(100, 900) / 100)
    else:
        print("out", name, rng.randrange(1, 60), rng.randrange(800, 2000) / 100)
