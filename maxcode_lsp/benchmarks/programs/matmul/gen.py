# usual size: 560
import sys

print(sys.argv[2], int(sys.argv[1]) % 100000 + 1)
