import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)

n = max(1, size)
print(n, 4 * n)
for _ in range(4 * n):
    a, b = sorted((rng.randrange(n), rng.randrange(n)))
    print(a, b, rng.randrange(-500, 500))
