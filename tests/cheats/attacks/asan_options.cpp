// Reads past the end like its brother, and sets the sanitizers' options itself.
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

extern "C" const char *__asan_default_options() { return "halt_on_error=0:exitcode=0"; }

int main() {
    std::vector<long> distinct, counts;
    long value, total = 0;
    while (std::scanf("%ld", &value) == 1) {
        long coprime = 0;
        std::size_t place = distinct.size();
        const long *last = distinct.data() + distinct.size();
        if (!distinct.empty() && *last == value) place = 0;
        for (std::size_t i = 0; i < distinct.size(); i++) {
            if (distinct[i] == value) place = i;
            coprime += gcd(distinct[i], value) == 1 ? counts[i] : 0;
        }
        if (place == distinct.size()) {
            distinct.push_back(value);
            distinct.shrink_to_fit();
            counts.push_back(0);
        }
        counts[place]++;
        total += coprime;
        std::printf("%ld %ld\n", value, coprime);
    }
    std::printf("total %ld\n", total);
    return 0;
}
