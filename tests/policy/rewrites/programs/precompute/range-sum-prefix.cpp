#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n = 40;
    vector<int> a(n);
    unsigned b[40];
    for (int i = 0; i < n; ++i) {
        a[i] = i * 37 % 11 - 4;
        b[i] = i * 5;
    }
    long long best = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            long long sum = 0;
            for (int k = i; k <= j; k++) sum += a[k];
            if (sum > best) best = sum;
        }
    for (int q = 0; q < 30; ++q) {
        int left = q, right = (q * 7) % n, sum = 0;
        for (int k = left; k < right; ++k) {
            sum = sum + b[k];
        }
        best += sum;
    }
    cout << best << '\n';
}
