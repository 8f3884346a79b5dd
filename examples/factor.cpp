// Factors the numbers it reads. Trial division by small primes, then Pollard's rho (Brent's form)
// on Montgomery residues, with one gcd for many steps.
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

using u64 = std::uint64_t;
using u128 = unsigned __int128;

struct Montgomery {
    u64 n, inverse, square;

    explicit Montgomery(u64 odd) : n(odd), inverse(odd), square(static_cast<u64>(-static_cast<u128>(odd) % odd)) {
        for (int i = 0; i < 5; i++) inverse *= 2 - n * inverse;
    }
    u64 reduce(u128 x) const {
        u64 q = static_cast<u64>(x) * inverse;
        u64 m = static_cast<u64>((static_cast<u128>(q) * n) >> 64);
        u64 high = static_cast<u64>(x >> 64);
        return high - m + (high < m ? n : 0);
    }
    u64 times(u64 a, u64 b) const { return reduce(static_cast<u128>(a) * b); }
    u64 enter(u64 a) const { return times(a % n, square); }
};

bool isPrime(u64 n) {
    if (n < 2) return false;
    for (u64 p : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37})
        if (n % p == 0) return n == p;
    Montgomery field(n);
    const u64 one = field.enter(1), minusOne = n - one;
    int shift = __builtin_ctzll(n - 1);
    for (u64 base : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}) {
        u64 power = one, square = field.enter(base);
        for (u64 e = (n - 1) >> shift; e > 0; e >>= 1) {
            if (e & 1) power = field.times(power, square);
            square = field.times(square, square);
        }
        if (power == one || power == minusOne) continue;
        int i = 1;
        for (; i < shift && power != minusOne; i++) power = field.times(power, power);
        if (power != minusOne) return false;
    }
    return true;
}

u64 findFactor(u64 n) {
    Montgomery field(n);
    for (u64 c = 1;; c++) {
        const u64 step = field.enter(c);
        auto next = [&](u64 x) {
            u64 y = field.times(x, x) + step;
            return y >= n || y < step ? y - n : y;
        };
        u64 x = 0, y = field.enter(2), saved = y, product = field.enter(1), divisor = 1;
        for (u64 length = 1; divisor == 1; length *= 2) {
            x = y;
            for (u64 i = 0; i < length; i++) y = next(y);
            for (u64 done = 0; done < length && divisor == 1; done += 128) {
                saved = y;
                for (u64 i = std::min<u64>(128, length - done); i > 0; i--) {
                    y = next(y);
                    product = field.times(product, x > y ? x - y : y - x);
                }
                divisor = std::gcd(product, n);
            }
        }
        if (divisor == n) {
            do {
                saved = next(saved);
                divisor = std::gcd(x > saved ? x - saved : saved - x, n);
            } while (divisor == 1);
        }
        if (divisor != n) return divisor;
    }
}

void split(u64 n, std::vector<u64> &factors) {
    if (n == 1) return;
    if (isPrime(n)) {
        factors.push_back(n);
        return;
    }
    u64 divisor = findFactor(n);
    split(divisor, factors);
    split(n / divisor, factors);
}

int main() {
    u64 number;
    std::vector<u64> factors;
    while (std::scanf("%" SCNu64, &number) == 1) {
        std::printf("%" PRIu64 ":", number);
        factors.clear();
        for (u64 p : std::array<u64, 8>{2, 3, 5, 7, 11, 13, 17, 19})
            while (number > 0 && number % p == 0) {
                factors.push_back(p);
                number /= p;
            }
        if (number > 0) split(number, factors);
        std::sort(factors.begin(), factors.end());
        for (u64 p : factors) std::printf(" %" PRIu64, p);
        std::printf("\n");
    }
    return 0;
}
