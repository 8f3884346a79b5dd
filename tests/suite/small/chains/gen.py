import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
print(size)
for _ in range(size):
    low = rng.randrange(1, 5000)
    print(low, low + rng.randrange(200))
