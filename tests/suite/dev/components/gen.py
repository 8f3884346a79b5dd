import random
import sys

seed, size = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
nodes = max(1, size)
links = int(nodes * 1.1)
print(nodes, links)
for _ in range(links):
    a = rng.randrange(nodes)
    print(a, min(nodes - 1, max(0, a + rng.randrange(-30, 31))))
