# usual size: 170000
import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
left = size
print(9, 3)
while left > 0:
    length = min(left, rng.randint(1, max(2, size // 12)))
    first = rng.randint(1, 500000)
    print(first, first + length - 1)
    left -= length
