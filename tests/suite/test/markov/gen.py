import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)

n = max(1, size)
print(n, 4)
for _ in range(n):
    print(" ".join(str(rng.randrange(1, 100)) if rng.random() < 0.3 else "0.5" for _ in range(n)))
