import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)

print(5, 2, 5, 7, 20, 50)
print(size)
for _ in range(size):
    print(rng.randrange(10, 70), rng.randrange(100, 1500))
