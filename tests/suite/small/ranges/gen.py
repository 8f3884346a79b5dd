import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
n = max(1, size)
print(n, n)
print(" ".join(str(rng.randrange(10**6)) for _ in range(n)))
for _ in range(n):
    a, b = sorted((rng.randrange(n), rng.randrange(n)))
    print(a, b)
