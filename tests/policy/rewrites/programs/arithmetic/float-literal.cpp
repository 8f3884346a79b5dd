#include <iostream>
#include <vector>
using namespace std;

int main() {
    vector<float> v(10, 1.5f);
    float sum = 0;
    for (int i = 0; i < 10; ++i) sum += v[i] * 0.5 + 0.25;
    sum = sum * 2.0;
    cout << sum << '\n';
}
