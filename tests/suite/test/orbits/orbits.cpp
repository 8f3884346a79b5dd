// Bodies that attract each other in a plane, with the energy they have.
#include <cmath>
#include <cstdio>
#include <iostream>
#include <vector>

struct Body {
    double x = 0, y = 0, vx = 0, vy = 0, mass = 0;
};

double distance(Body a, Body b) { return std::sqrt(std::pow(a.x - b.x, 2) + std::pow(a.y - b.y, 2)) + 0.05; }

double energy(std::vector<Body> bodies) {
    double sum = 0;
    for (size_t i = 0; i < bodies.size(); ++i) {
        sum += bodies[i].mass * (std::pow(bodies[i].vx, 2) + std::pow(bodies[i].vy, 2)) / 2;
        for (size_t j = 0; j < bodies.size(); ++j)
            if (i < j) sum -= bodies[i].mass * bodies[j].mass / distance(bodies[i], bodies[j]);
    }
    return sum;
}

void step(std::vector<Body>& bodies, double dt) {
    std::vector<double> ax, ay;
    for (size_t i = 0; i < bodies.size(); ++i) {
        double sum_x = 0, sum_y = 0;
        for (size_t j = 0; j < bodies.size(); ++j) {
            if (i == j) continue;
            const double pull = bodies[j].mass / std::pow(distance(bodies[i], bodies[j]), 3);
            sum_x += pull * (bodies[j].x - bodies[i].x);
            sum_y += pull * (bodies[j].y - bodies[i].y);
        }
        ax.push_back(sum_x);
        ay.push_back(sum_y);
    }
    for (size_t i = 0; i < bodies.size(); ++i) {
        bodies[i].vx += ax[i] * dt;
        bodies[i].vy += ay[i] * dt;
        bodies[i].x += bodies[i].vx * dt;
        bodies[i].y += bodies[i].vy * dt;
    }
}

int main() {
    int steps = 0;
    double dt = 0;
    std::cin >> steps >> dt;
    std::vector<Body> bodies;
    Body body;
    while (std::cin >> body.x >> body.y >> body.vx >> body.vy >> body.mass) bodies.push_back(body);
    for (int n = 1; n <= steps; ++n) {
        step(bodies, dt);
        std::printf("%d %.9f\n", n, energy(bodies));
    }
    double farthest = 0;
    for (auto b : bodies) farthest = std::max(farthest, std::sqrt(std::pow(b.x, 2) + std::pow(b.y, 2)));
    std::printf("%zu %.9f\n", bodies.size(), farthest);
}
