import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)

names = ["server", "client", "cache", "log", "limits", "door", "user"]
for _ in range(max(1, size)):
    print(f"{rng.choice(names)} {{")
    print(f"  {rng.choice(names)}_{rng.randrange(9)} {{")
    for _ in range(4):
        value = (
            f'"{"some text " * rng.randrange(1, 4)}{rng.randrange(99)}"' if rng.random() < 0.5 else rng.randrange(10**6)
        )
        print(f"    key_{rng.randrange(12)} = {value}")
    print("  }")
    print(f"  level = {rng.randrange(5)}")
    print("}")
