#include <iostream>
using namespace std;

int ones(unsigned x) {
    int c = 0;
    while (x) {
        c += x & 1;
        x >>= 1;
    }
    return c;
}

int kernighan(int x) {
    int c = 0;
    while (x != 0) {
        x &= (x - 1);
        c++;
    }
    return c;
}

int main() {
    for (int i = 0; i < 300; i += 7) {
        long long y = i * 12345678LL;
        int z = 0;
        while (y > 0) {
            if (y % 2 == 1) z++;
            y /= 2;
        }
        cout << ones(i * 99) << kernighan(i) << kernighan(-i) << z << y << '\n';
    }
}
