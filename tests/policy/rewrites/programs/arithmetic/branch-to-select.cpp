#include <iostream>
#include <vector>
using namespace std;

int main() {
    vector<int> v = {5, 3, 9, 1, 7, 7};
    int most = v[0], odd = 0;
    double sum = 0;
    static int histogram[10];
    for (int i = 0; i < 6; ++i) {
        if (v[i] > most) most = v[i];
        if (v[i] % 2) odd++;
        if (v[i] < 6) {
            sum += v[i] * 0.5;
        }
        if (i > 2) histogram[v[i]]++;
    }
    cout << most << odd << sum << histogram[7] << '\n';
}
