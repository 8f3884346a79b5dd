#include <iostream>
using namespace std;

int digit_square_sum(int n) {
    int s = 0;
    while (n > 0) {
        s += (n % 10) * (n % 10);
        n /= 10;
    }
    return s;
}

double choose(int n, int k) {
    double r = 1;
    for (int i = 1; i <= k; ++i) r = r * (n - k + i) / i;
    return r;
}

int main() {
    long long total = 0;
    double sum = 0;
    for (int i = -2; i < 400; ++i) {
        int n = i * 5000003 % 99991;
        for (int j = 0; j < 5; ++j) n = digit_square_sum(n);
        total += n;
        sum += choose(i % 12, 3);
    }
    cout << total << ' ' << sum << '\n';
}
