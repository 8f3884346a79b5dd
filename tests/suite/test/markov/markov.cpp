// A chain of states: where it is after many steps, by powers of its matrix.
#include <cmath>
#include <cstdio>
#include <iostream>
#include <vector>

using Matrix = std::vector<std::vector<double>>;

Matrix product(Matrix a, Matrix b) {
    const size_t n = a.size();
    Matrix c(n, std::vector<double>(n, 0.0));
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            for (size_t k = 0; k < n; ++k) c[i][j] += a[i][k] * b[k][j];
    return c;
}

double spread(Matrix m) {
    double largest = 0;
    for (size_t j = 0; j < m.size(); ++j) {
        double low = 1, high = 0;
        for (size_t i = 0; i < m.size(); ++i) {
            low = std::min(low, m[i][j]);
            high = std::max(high, m[i][j]);
        }
        largest = std::max(largest, high - low);
    }
    return largest;
}

double entropy(const Matrix& m, size_t row) {
    double sum = 0;
    for (size_t j = 0; j < m.size(); ++j)
        if (m[row][j] > 0) sum -= m[row][j] * std::log(m[row][j]) / std::log(2.0);
    return sum;
}

int main() {
    size_t n = 0;
    int powers = 0;
    std::cin >> n >> powers;
    Matrix m(n, std::vector<double>(n, 0.0));
    for (size_t j = 0; j < n; ++j)
        for (size_t i = 0; i < n; ++i) std::cin >> m[i][j];
    for (size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (size_t j = 0; j < n; ++j) sum += m[i][j];
        for (size_t j = 0; j < n; ++j) m[i][j] = sum > 0 ? m[i][j] / sum : 0;
    }
    Matrix power = m;
    for (int p = 1; p <= powers; ++p) {
        power = product(power, m);
        std::printf("%d %.9f\n", p, spread(power));
    }
    for (size_t i = 0; i < n; i += 5) std::printf("%zu %.9f %.9f\n", i, power[i][i], entropy(power, i));
}
