# usual size: 2000
import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
vocabulary = [f"section-{rng.randint(10, 99)}-line-{n}" for n in range(max(3, size // 5))]
old = [rng.choice(vocabulary) for _ in range(size)]
new = [line for line in old if rng.random() > 0.2]
for _ in range(size // 5):
    new.insert(rng.randrange(len(new) + 1), rng.choice(vocabulary))
for version in (old, new):
    print(len(version))
    print("\n".join(version))
