#include <iostream>
#include <vector>
using namespace std;

int main() {
    vector<double> v(10, 3.0);
    double scale = 4, sum = 0;
    for (int i = 0; i < 10; ++i) v[i] = v[i] * i / scale;
    for (auto& x : v) {
        x /= scale;
        sum += x / (scale + 4);
    }
    cout << sum << '\n';
}
