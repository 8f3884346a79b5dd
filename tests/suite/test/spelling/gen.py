import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)

letters = "abcdefghijklmnoprstu"
words = ["".join(rng.choice(letters) for _ in range(rng.randrange(3, 10))) for _ in range(max(1, min(size, 250)))]
print(len(words))
print(" ".join(words))
for _ in range(size):
    word = rng.choice(words)
    if rng.random() < 0.15:
        at = rng.randrange(len(word))
        word = word[:at] + rng.choice(letters) + word[at + rng.randrange(2) :]
    print(word.capitalize() if rng.random() < 0.3 else word)
