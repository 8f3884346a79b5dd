#include <iostream>
using namespace std;

bool is_prime(int n) {
    if (n < 2) return false;
    for (int i = 2; i < n; i++)
        if (n % i == 0) return false;
    return true;
}

bool half(long long n) {
    bool answer = n > 1;
    for (long long d = 2; d <= n / 2; ++d) {
        if (!(n % d)) {
            answer = false;
            break;
        }
    }
    return answer;
}

int main() {
    for (int i = -3; i < 130; ++i) cout << is_prime(i) << half(i);
    cout << is_prime(2147483647 / 3) << '\n';
}
