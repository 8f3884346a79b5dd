#include <cmath>
#include <complex>
#include <iostream>
using namespace std;

int main() {
    int inside = 0;
    double limit = 30.5;
    for (int x = 0; x < 40; ++x)
        for (int y = 0; y < 40; ++y) {
            if (sqrt(x * x + y * y) <= limit) inside++;
            if (20 > sqrt(x * x + y * y * 1.0)) inside += 2;
            if (sqrt(x + 1.0) < sqrt(y + 0.5)) inside += 3;
        }
    complex<double> z(0, 0), c(0.3, 0.5);
    int steps = 0;
    while (abs(z) < 2.0 && steps < 100) {
        z = z * z + c;
        steps++;
    }
    cout << inside << ' ' << steps << '\n';
}
