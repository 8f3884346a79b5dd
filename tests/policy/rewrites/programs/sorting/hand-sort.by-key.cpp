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
    vector<Item> v;
    for (int x : values(40)) v.push_back({x / 100, to_string(x)});
    for (size_t i = 0; i < v.size(); ++i)
        for (size_t j = 0; j + 1 < v.size() - i; ++j)
            if (v[j + 1].key < v[j].key) {
                Item temp = v[j];
                v[j] = v[j + 1];
                v[j + 1] = temp;
            }
    for (auto& x : v) cout << x.name << ' ';
}
