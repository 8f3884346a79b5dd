#include <iostream>
using namespace std;

long long divisor_sum(int n) {
    long long sum = 0;
    for (int i = 1; i < n; i++) {
        if (n % i == 0) {
            sum += i;
        }
    }
    return sum;
}

int main() {
    for (int n = 0; n < 60; ++n) {
        int count = 0, half = 0, proper = 0;
        for (int i = 1; i <= n; ++i)
            if (n % i == 0) count++;
        for (int i = 1; i <= n / 2; ++i) if (n % i == 0) half += i;
        for (int i = 2; i < n; ++i) if (0 == n % i) ++proper;
        cout << count << ' ' << half << ' ' << proper << ' ' << divisor_sum(n) << '\n';
    }
}
