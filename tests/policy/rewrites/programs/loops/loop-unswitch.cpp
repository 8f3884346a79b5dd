#include <iostream>
using namespace std;

int main() {
    int mode = 3, a = 0, b = 0;
    for (int i = 0; i < 10; ++i) {
        if (mode % 2 == 1) {
            a += i;
        }
    }
    for (int i = 0; i < 10; ++i)
        if (mode & 4) b += i;
    cout << a << b << '\n';
}
