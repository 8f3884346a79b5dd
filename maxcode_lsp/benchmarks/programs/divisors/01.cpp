// For each range it reads: how many primes, the number with most divisors, and the sum of all divisors.
//
// input: lines "first last"
#include <cstdio>

struct Answer {
    long primes;
    int richest;
    int divisors;
    long sum;
};

static Answer examine(int first, int last) {
    Answer answer = {0, first, 0, 0};
    for (int n = first; n <= last; n++) {
        int count = 0;
        long sum = 0;
        unsigned rest = static_cast<unsigned>(n);
        count = 1;
        sum = 1;
        for (unsigned p = 2; p * p <= rest; p += p == 2 ? 1 : 2) {
            if (rest % p != 0) continue;
            int times = 1;
            long series = 1;
            while (rest % p == 0) {
                rest /= p;
                times++;
                series = series * p + 1;
            }
            count *= times;
            sum *= series;
        }
        if (rest > 1) {
            count *= 2;
            sum *= static_cast<long>(rest) + 1;
        }
        if (count == 2) answer.primes++;
        answer.sum += sum;
        if (count > answer.divisors) {
            answer.divisors = count;
            answer.richest = n;
        }
    }
    return answer;
}

int main() {
    int first, last;
    while (std::scanf("%d %d", &first, &last) == 2) {
        if (first < 1 || last < first || last > 10000000) {
            std::printf("bad range\n");
            continue;
        }
        Answer answer = examine(first, last);
        std::printf("%d..%d: %ld primes, %d has %d divisors, sum %ld\n", first, last, answer.primes, answer.richest,
                    answer.divisors, answer.sum);
    }
    return 0;
}
