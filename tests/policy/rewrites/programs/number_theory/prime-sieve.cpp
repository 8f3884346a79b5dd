#include <cmath>
#include <iostream>
using namespace std;

bool isPrime(int n) {
    if (n <= 1) return false;
    if (n % 2 == 0) return n == 2;
    for (int i = 3; i <= sqrt(n); i += 2)
        if (n % i == 0) return false;
    return true;
}

int main() {
    int count = 0;
    for (int i = -5; i < 3000; ++i) count += isPrime(i);
    cout << count << isPrime(100003) << isPrime(2147483647) << isPrime(7) << isPrime(100001) << '\n';
}
