import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
n = max(3, size)
print(n, 30, 0.45, 0.001, 5)
for _ in range(5):
    print(rng.randrange(1, n), rng.randrange(1, n), rng.randrange(-50, 50) / 10)
