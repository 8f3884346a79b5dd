import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
known: list[str] = []
for _ in range(size):
    if known and rng.random() < 0.4:
        print(rng.choice(known))
        continue
    line = "".join(rng.choice("abcdxyz ") * rng.choice([1, 1, 2, 9, 30]) for _ in range(rng.randrange(4, 14)))
    known.append(line)
    print(line)
