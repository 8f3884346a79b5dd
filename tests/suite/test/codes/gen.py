import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)

for _ in range(max(1, size)):
    print("".join(rng.choice("eeeeeetttaaoinshrdlu  ,.") for _ in range(rng.randrange(5, 60))))
