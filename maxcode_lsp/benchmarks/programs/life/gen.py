# usual size: 400
import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
print(size, size + 7, 60)
for _ in range(size):
    print("".join("#" if rng.random() < 0.3 else "." for _ in range(size + 7)))
