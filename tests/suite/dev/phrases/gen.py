import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
parts = ["un", "re", "in", "con", "dis", "pre", "ma", "to", "lo", "ver", "ti", "on", "al", "ness", "ing", "er"]
vocabulary = ["".join(rng.choice(parts) for _ in range(rng.randrange(1, 4))) for _ in range(900)]
line: list[str] = []
for _ in range(size):
    word = vocabulary[min(int(rng.expovariate(1 / 120)), 899)]
    line.append(word.capitalize() + rng.choice([",", ".", "", "", ""]) if rng.random() < 0.2 else word)
    if len(line) == 12:
        print(" ".join(line))
        line = []
print(" ".join(line))
