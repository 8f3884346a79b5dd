#include <iostream>
using namespace std;

bool isPrime(int x) {
    if (x < 2) return false;
    for (int d = 2; d < x; d++) {
        if (x % d == 0) return false;
    }
    return true;
}

int main() {
    int q = 0;
    cin >> q;
    for (int i = 0; i < q; i++) {
        int lo = 0, hi = 0;
        cin >> lo >> hi;
        int count = 0;
        for (int x = lo; x <= hi; x++) {
            if (isPrime(x)) count++;
        }
        cout << count << endl;
    }
    cout << q << endl;
    return 0;
}
