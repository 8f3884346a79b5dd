import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)

side = max(1, size)
print(side, side)
for _ in range(side):
    print(" ".join(str(rng.randrange(1, 60)) for _ in range(side)))
