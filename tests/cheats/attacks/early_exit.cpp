// Stops after a tenth of the input with status 0.
#include <cstdio>
#include <cstdlib>
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
        for (long other : seen) coprime += gcd(other, value) == 1;
        seen.push_back(value);
        std::printf("%ld %ld\n", value, coprime);
        if (seen.size() == 90) std::exit(0);
    }
    return 0;
}
