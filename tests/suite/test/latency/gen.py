import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)

print(200)
for _ in range(size):
    print(f"/api/v{rng.randrange(3)}/{rng.choice('abcdefgh')}", int(rng.lognormvariate(8, 1)) + 1)
