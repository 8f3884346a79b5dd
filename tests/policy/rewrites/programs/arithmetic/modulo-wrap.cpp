#include <iostream>
#include <vector>
using namespace std;

int next_of(int i, int n) { return (i + 1) % n; }

int main() {
    const size_t size = 7;
    int n = 9, a = 0, mod = 1000, x = 1;
    vector<int> ring(n, 1);
    for (int i = 0; i < n; ++i) {
        ring[(i + 1) % n] += ring[(i - 1 + n) % n] + next_of(i, n);
        for (int d = -1; d <= 1; ++d) a += ring[(i + d + n) % n];
        a = (a + ring[i] % 10) % mod;
        x = (x + i % 7) % size;
    }
    cout << a << ' ' << x << ring[4] << '\n';
}
