#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;
struct Item { int key; string name; };
vector<int> values(int n) {
    vector<int> v;
    unsigned x = 7;
    while (n--) {
        x = x * 1103515245 + 12345;
        v.push_back(x >> 16 & 1023);
    }
    return v;
}

int main() {
    vector<int> v = values(40);
    int sum = 0;
    for (int i = 0; i < 20; ++i) {
        sort(v.begin(), v.end());
        sum = sum * 3 + v[i];
    }
    cout << sum;
}
