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
    int n = v.size();
    for (int i = 0; i < n - 1; i++) {
        for (int j = 0; j < n - i - 1; j++) {
            if (v[j] > v[j + 1]) swap(v[j], v[j + 1]);
        }
    }
    for (int x : v) cout << x << ' ';
}
