import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)

print(6)
text = "".join(rng.choice("ACGTACGTAC") for _ in range(max(6, size)))
for at in range(0, len(text), 60):
    print(text[at : at + 60])
