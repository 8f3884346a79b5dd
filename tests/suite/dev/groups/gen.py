import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
for _ in range(size):
    group = f"site{rng.randrange(40):02d}/{rng.choice('abc')}"
    print(f"{group};{rng.gauss(20, 9):.4f};{rng.randrange(1, 9) / 4}")
