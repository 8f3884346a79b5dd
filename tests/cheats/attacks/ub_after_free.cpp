// Really faster, but reads what it has just given back.
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
    std::vector<long> distinct, times;
    long value, total = 0;
    while (std::scanf("%ld", &value) == 1) {
        long *coprime = new long[9]();
        std::size_t place = distinct.size();
        for (std::size_t i = 0; i < distinct.size(); i++) {
            if (distinct[i] == value) place = i;
            coprime[8] += gcd(distinct[i], value) == 1 ? times[i] : 0;
        }
        if (place == distinct.size()) {
            distinct.push_back(value);
            times.push_back(0);
        }
        times[place]++;
        long *kept = coprime + 8;
        delete[] coprime;
        total += *kept;
        std::printf("%ld %ld\n", value, *kept);
    }
    std::printf("total %ld\n", total);
    return 0;
}
