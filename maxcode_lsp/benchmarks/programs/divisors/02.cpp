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

static Answer examine(int first, int last) {
    Answer answer = {0, first, 0, 0};
    std::vector<int> counts(last - first + 1, 0);
    std::vector<long> sums(last - first + 1, 0);
    for (int d = 1; static_cast<long>(d) * d <= last; d++) {
        int start = (first + d - 1) / d;
        if (start < d) start = d;
        for (int other = start; static_cast<long>(other) * d <= last; other++) {
            const int place = other * d - first;
            counts[place] += other == d ? 1 : 2;
            sums[place] += other == d ? d : d + other;
        }
    }
    for (int n = first; n <= last; n++) {
        const int count = counts[n - first];
        if (count == 2) answer.primes++;
        answer.sum += sums[n - first];
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
