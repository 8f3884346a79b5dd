import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)

print(size)
for _ in range(size):
    n = rng.choice([5, 6, 6, 7])
    print(n)
    for _ in range(n):
        print("".join("#" if rng.random() < 0.08 else "." for _ in range(n)))
