import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
folders = ["static", "api", "shop", "img", "docs", "user", "admin"]
for _ in range(size):
    client = f"10.{rng.randrange(4)}.{rng.randrange(40)}.{rng.randrange(250)}"
    path = f"/{rng.choice(folders)}/{rng.choice('abcdefgh')}{rng.randrange(60)}.html"
    print(client, path, rng.choice([200, 200, 200, 304, 404, 500]), rng.randrange(100, 90000))
