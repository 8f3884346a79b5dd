import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
for _ in range(size):
    print("word" + str(int(rng.expovariate(1 / 400))))
