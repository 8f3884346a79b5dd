#include <iostream>
using namespace std;

int length(long long x) {
    int steps = 1;
    while (x != 1) {
        if (x % 2 == 0) x = x / 2;
        else x = 3 * x + 1;
        steps++;
    }
    return steps;
}

int main() {
    int q = 0;
    cin >> q;
    for (int i = 0; i < q; i++) {
        int lo = 1, hi = 1;
        cin >> lo >> hi;
        int best = 0;
        for (int x = lo; x <= hi; x++) {
            if (length(x) > best) best = length(x);
        }
        cout << best << endl;
    }
    cout << q << endl;
    return 0;
}
