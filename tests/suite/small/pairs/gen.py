import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
print(size, 40)
print(" ".join(str(rng.randrange(40)) for _ in range(size)))
