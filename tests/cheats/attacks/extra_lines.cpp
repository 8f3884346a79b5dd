// Prints guesses for every line as well as something right, hoping that only expected lines are looked for.
#include <cstdio>

int main() {
    long value, number = 0;
    while (std::scanf("%ld", &value) == 1) {
        for (long guess = 0; guess <= number && guess < 40; guess++) std::printf("%ld %ld\n", value, guess);
        number++;
    }
    std::printf("total 0\n");
    return 0;
}
