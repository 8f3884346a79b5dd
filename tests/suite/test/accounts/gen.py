import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)

people = [f"client{n:04d}" for n in range(max(2, min(size // 6, 300)))]
for _ in range(size):
    a, b = rng.choice(people), rng.choice(people)
    print(a, b, rng.randrange(100, 60000), rng.randrange(360))
