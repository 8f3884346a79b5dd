#include <cmath>
#include <iostream>
using namespace std;

int square_sum(int x) {
    int t = 0;
    for (int i = 0; i < x; ++i) t += i * i;
    return t;
}

int main() {
    double a = 0.7, x = 0, y = 0;
    for (int i = 0; i < 30; ++i) x += cos(a * i) * cos(a * i);
    for (int i = 0; i < 30; ++i) {
        x += sin(a) * 2;
        y -= sin(a) + square_sum(i) % 7;
        int z = square_sum(i) + 1;
        y += z % 3;
    }
    cout << x << ' ' << y << '\n';
}
