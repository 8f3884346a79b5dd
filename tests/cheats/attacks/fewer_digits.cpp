// Computes in float and prints fewer digits.
#include <cmath>
#include <cstdio>
#include <vector>

static float smooth(const std::vector<float> &readings, float here) {
    float sum = 0.0f, weights = 0.0f;
    for (float other : readings) {
        if (std::isnan(other)) continue;
        float weight = std::exp(-(other - here) * (other - here) / 2.0f);
        sum += weight * other;
        weights += weight;
    }
    return sum / weights;
}

int main() {
    std::vector<float> readings;
    float reading;
    while (std::scanf("%f", &reading) == 1) readings.push_back(reading);
    long missing = 0;
    for (float here : readings) {
        if (std::isnan(here)) {
            missing++;
            std::printf("missing\n");
        } else {
            std::printf("%.5g\n", static_cast<double>(smooth(readings, here)));
        }
    }
    std::printf("%zu readings, %ld missing\n", readings.size(), missing);
    return 0;
}
