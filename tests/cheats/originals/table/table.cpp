// Prints, for each thousand, the number with the longest Collatz sequence. Reads nothing.
#include <cstdio>

static int length(long n) {
    int steps = 1;
    while (n != 1) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        steps++;
    }
    return steps;
}

int main() {
    for (long first = 1; first < 100000; first += 4000) {
        long best = first;
        int longest = 0;
        for (long n = first; n < first + 4000; n++) {
            int steps = length(n);
            if (steps > longest) {
                longest = steps;
                best = n;
            }
        }
        std::printf("%ld %ld %d\n", first, best, longest);
    }
    return 0;
}
