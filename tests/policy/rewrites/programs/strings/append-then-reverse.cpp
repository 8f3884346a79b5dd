#include <iostream>
#include <string>
using namespace std;

string digits(long long n) {
    string r = "";
    while (n > 0) {
        r = char('0' + n % 10) + r;
        n /= 10;
    }
    return r;
}

string bits(int n) {
    string r;
    for (int i = 0; i < 8; ++i) {
        r.insert(r.begin(), n & (1 << i) ? '1' : '0');
    }
    return r + "b";
}

int main() {
    cout << digits(9876543210) << digits(0) << bits(37);
}
