// A drum skin that was struck: waves on a square, step by step.
#include <cmath>
#include <cstdio>
#include <iostream>
#include <vector>

using Grid = std::vector<std::vector<double>>;

double energy(Grid now, Grid before) {
    double sum = 0;
    for (size_t x = 0; x < now.size(); ++x)
        for (size_t y = 0; y < now.size(); ++y) sum += std::pow(now[y][x] - before[y][x], 2);
    return sum / 2;
}

Grid stepped(const Grid& now, const Grid& before, double speed, double damping) {
    const size_t n = now.size();
    Grid next(n, std::vector<double>(n, 0.0));
    for (size_t x = 1; x + 1 < n; ++x)
        for (size_t y = 1; y + 1 < n; ++y) {
            const double around = now[y - 1][x] + now[y + 1][x] + now[y][x - 1] + now[y][x + 1] - 4 * now[y][x];
            next[y][x] = 2 * now[y][x] - before[y][x] + std::pow(speed, 2) * around;
            next[y][x] = next[y][x] * std::exp(-damping);
        }
    return next;
}

int main() {
    int n = 0, steps = 0, strikes = 0;
    double speed = 0, damping = 0;
    if (!(std::cin >> n >> steps >> speed >> damping >> strikes) || n < 3) {
        std::puts("nothing to do");
        return 0;
    }
    Grid now(n, std::vector<double>(n, 0.0)), before = now;
    for (int i = 0; i < strikes; ++i) {
        int x = 0, y = 0;
        double height = 0;
        std::cin >> x >> y >> height;
        now[y % n][x % n] = before[y % n][x % n] = height;
    }
    for (int step = 1; step <= steps; ++step) {
        Grid next = stepped(now, before, speed, damping);
        before = now;
        now = next;
        if (step % 10 == 0) std::printf("%d %.9f\n", step, energy(now, before));
    }
    double low = 0, high = 0;
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y) {
            low = std::min(low, now[y][x]);
            high = std::max(high, now[y][x]);
        }
    std::printf("from %.9f to %.9f\n", low, high);
}
