#include <cmath>
#include <iostream>
using namespace std;

int main() {
    double s = 0, d = 3.5;
    for (int i = 1; i < 20; ++i) {
        s += pow(d, 2) + pow(i - 3, 3) + std::pow(d + i, 0.5) + pow(i, -1);
        s += pow(2, i) * pow(-1, i) / (2 * i + 1) + pow(d - i, 2.0) * pow(d, 1.5);
    }
    int area = pow(7, 2);
    cout << s << ' ' << area << '\n';
}
