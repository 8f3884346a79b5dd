import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
side = max(3, size)
print(side, 6)
for _ in range(side):
    print("".join("#" if rng.random() < 0.3 else "." for _ in range(side)))
