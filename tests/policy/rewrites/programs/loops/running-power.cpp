#include <cmath>
#include <iostream>
using namespace std;

int main() {
    double x = 0.5, sum = 0, coefficients[] = {1, 2, 3, 4};
    for (int i = 0; i < 4; ++i) {
        sum += coefficients[i] * pow(x, i);
    }
    for (int k = 1; k <= 6; k++) {
        if (k % 2) sum += std::pow(2, k) / pow(x, k);
    }
    cout << sum << '\n';
}
