# usual size: 90000
"""Prints an access log of SIZE lines: ``gen.py SEED SIZE``."""

import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
hosts = [f"10.0.{rng.randint(0, 255)}.{rng.randint(1, 254)}" for _ in range(400)]
sections = ["/shop/item", "/shop/basket", "/api/v1/users", "/api/v2/orders", "/static/img", "/help", "/blog/post"]
out = []
for n in range(size):
    second = n * 86400 // size
    if rng.random() < 0.002:
        out.append("-- log rotated --")
        continue
    status = rng.choices([200, 301, 404, 500], [80, 5, 12, 3])[0]
    out.append(
        f"{rng.choice(hosts)} [{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}]"
        f' "{rng.choice(["GET", "GET", "POST"])} {rng.choice(sections)}/{rng.randint(1, 900)}"'
        f" {status} {rng.randint(200, 90000)} {int(rng.expovariate(1 / 40)) + 1}"
    )
print("\n".join(out))
