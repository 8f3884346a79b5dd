# usual size: 600000
import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
syllables = ["ka", "lo", "mi", "ter", "an", "es", "do", "ru", "pin", "sa", "vel", "or", "th", "ing"]
words = ["".join(rng.choice(syllables) for _ in range(rng.randint(1, 5))) for _ in range(max(4, size // 12))]
weights = [1.0 / (n + 3) for n in range(len(words))]
chosen = rng.choices(words, weights, k=size)
for start in range(0, size, 11):
    row = chosen[start : start + 11]
    row[0] = row[0].capitalize()
    print(" ".join(row) + rng.choice([".", ",", "!", ""]))
