import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
side = max(1, size)
print(side, side, 2, 0.75)
for y in range(side):
    print(" ".join(str((x * 7 + y * 3 + rng.randrange(90)) % 256) for x in range(side)))
