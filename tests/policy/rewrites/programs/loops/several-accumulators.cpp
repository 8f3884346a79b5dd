#include <iostream>
#include <vector>
using namespace std;

int main() {
    vector<double> v(39);
    double sum = 1, less = 0;
    for (size_t i = 0; i < v.size(); ++i) v[i] = i * 0.25;
    for (size_t i = 0; i < v.size(); ++i) sum += v[i] * v[i];
    for (int i = 3; i < 38; i++) {
        less -= v[i] - v[i + 1] * 2;
    }
    if (v.size() > 3)
        for (int i = 0; i < 2; i++) sum += v[i + 1];
    cout << sum << ' ' << less << '\n';
}
