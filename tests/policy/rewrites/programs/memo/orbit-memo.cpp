#include <iostream>
using namespace std;

int collatz(long long n) {
    int length = 1;
    while (n != 1) {
        if (n % 2 == 0) n = n / 2;
        else n = 3 * n + 1;
        length++;
    }
    return length;
}

int main() {
    int best = 0, where = 0;
    for (int i = 1; i < 3000; ++i) {
        unsigned x = i;
        int steps = 0;
        while (x > 1) {
            x = x % 2 ? 3 * x + 1 : x / 2;
            ++steps;
        }
        if (steps > best) {
            best = steps;
            where = i;
        }
        if (steps + 1 != collatz(i)) cout << "differ " << i << '\n';
    }
    cout << best << ' ' << where << ' ' << collatz(97) << '\n';
}
