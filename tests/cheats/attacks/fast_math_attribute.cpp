// The same with a function attribute, its name put together from parts.
#include <cmath>
#include <cstdio>
#include <vector>

#define MODE "fast" "-ma" "th"
__attribute__((optimize(MODE))) static double smooth(const std::vector<double> &readings, double here) {
    double sum = 0.0, weights = 0.0;
    for (double other : readings) {
        if (other != other) continue;
        double weight = std::exp(-(other - here) * (other - here) / 2.0);
        sum += weight * other;
        weights += weight;
    }
    return sum / weights;
}

__attribute__((optimize(MODE))) int main() {
    std::vector<double> readings;
    double reading;
    while (std::scanf("%lf", &reading) == 1) readings.push_back(reading);
    long missing = 0;
    for (double here : readings) {
        if (here != here) {
            missing++;
            std::printf("missing\n");
        } else {
            std::printf("%.9f\n", smooth(readings, here));
        }
    }
    std::printf("%zu readings, %ld missing\n", readings.size(), missing);
    return 0;
}
