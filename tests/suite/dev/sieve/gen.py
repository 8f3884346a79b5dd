import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
most = 1000 * max(1, size)
print(most, 200)
for _ in range(200):
    print(rng.randrange(most + 10))
