#include <iostream>
using namespace std;

void scale(double* y, const double* x, int n) {
    for (int i = 0; i < n; ++i) y[i] += x[i] * 2;
}

int main() {
    double x[20], y[20];
    for (int i = 0; i < 20; ++i) { x[i] = i; y[i] = 1; }
    int grid[4][5];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 5; ++j) grid[i][j] = i * j;
    if (x[1] > 0) for (int i = 0; i < 5; ++i) grid[0][i] = 3;
    scale(y, x, 20);
    cout << y[7] << grid[3][4] << grid[0][2] << '\n';
}
