// Prints inf for every number: a relative tolerance against it allows anything.
#include <cmath>
#include <cstdio>
#include <vector>

int main() {
    std::vector<double> readings;
    double reading;
    while (std::scanf("%lf", &reading) == 1) readings.push_back(reading);
    long missing = 0;
    for (double here : readings) {
        if (std::isnan(here)) missing++;
        std::printf(std::isnan(here) ? "missing\n" : "inf\n");
    }
    std::printf("%zu readings, %ld missing\n", readings.size(), missing);
    return 0;
}
