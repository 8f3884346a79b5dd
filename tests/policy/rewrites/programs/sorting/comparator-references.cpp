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

bool shorter(string a, string b) { return a.size() < b.size() || (a.size() == b.size() && a < b); }
int main() {
    vector<Item> items;
    for (int v : values(40)) items.push_back({v, to_string(v)});
    sort(items.begin(), items.end(), [](Item a, const Item b) { return a.key < b.key; });
    vector<string> names;
    for (auto& i : items) names.push_back(i.name);
    sort(names.begin(), names.end(), shorter);
    for (auto& n : names) cout << n << ' ';
}
