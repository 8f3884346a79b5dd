#include <cmath>
#include <iostream>
using namespace std;

int main() {
    double sum = 0;
    for (int i = 0; i < 100; ++i) sum += sqrt(i) + floor(i / 3.0);
    cout << sum << '\n';
}
