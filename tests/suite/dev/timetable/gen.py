import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
print(12)
for n in range(size):
    print(rng.randrange(10000), rng.randrange(1, 300), rng.randrange(6), f"team{rng.randrange(30)}-{n % 7}")
