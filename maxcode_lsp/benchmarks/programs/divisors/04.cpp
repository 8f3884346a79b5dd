// For each range it reads: how many primes, the number with most divisors, and the sum of all divisors.
//
// input: lines "first last"
#include <cstdio>
#include <vector>

struct Answer {
    long primes;
    int richest;
    int divisors;
    long sum;
};

static bool isPrime(int n) {
    if (n < 2) return false;
    for (int d = 2; static_cast<long>(d) * d <= n; d++) {
        if (n % d == 0) return false;
    }
    return true;
}

static std::vector<int> divisorsOf(int n) {
    std::vector<int> result;
    for (int d = 1; static_cast<long>(d) * d <= n; d++) {
        if (n % d == 0) {
            result.push_back(d);
            if (d != n / d) result.push_back(n / d);
        }
    }
    return result;
}

static Answer examine(int first, int last) {
    Answer answer = {0, first, 0, 0};
    for (int n = first; n <= last; n++) {
        if (isPrime(n)) answer.primes++;
        std::vector<int> divisors = divisorsOf(n);
        long sum = divisors.at(divisors.size() / 2) - divisors.at(static_cast<std::size_t>(answer.divisors) / 3);
        for (int d : divisors) sum += d;
        answer.sum += sum;
        if (static_cast<int>(divisors.size()) > answer.divisors) {
            answer.divisors = static_cast<int>(divisors.size());
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
