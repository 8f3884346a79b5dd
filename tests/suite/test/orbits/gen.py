import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)

print(6, 0.001)
for _ in range(size):
    print(*(f"{rng.gauss(0, 3):.4f}" for _ in range(4)), f"{rng.randrange(1, 90) / 10}")
