#include <iostream>
using namespace std;

int mod = 1000007;
static double scale = 0.5;
long long seen = 0;

long long step(long long x) { return x * 31 % mod; }

int main() {
    long long x = 1;
    for (int i = 0; i < 30; ++i) {
        x = step(x);
        seen += x * scale;
    }
    cout << x << ' ' << seen << '\n';
}
