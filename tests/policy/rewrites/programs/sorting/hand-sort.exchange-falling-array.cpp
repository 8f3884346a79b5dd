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
    int a[40];
    for (int i = 0; i < 40; ++i) a[i] = values(40)[i];
    for (int i = 0; i < 40; i++)
        for (int j = i + 1; j < 40; j++)
            if (a[i] < a[j]) { int t = a[i]; a[i] = a[j]; a[j] = t; }
    for (int x : a) cout << x << ' ';
}
