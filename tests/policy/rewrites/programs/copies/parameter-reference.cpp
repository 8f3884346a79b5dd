#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>
using namespace std;

struct Item {
    string name;
    int weight;
};
int total(vector<int>, string const s, map<string, int> m, int k);
bool lighter(Item a, Item b) { return a.weight < b.weight; }
int depth(vector<vector<int>> tree, int node) {
    int deepest = 0;
    for (int child : tree[node]) deepest = max(deepest, depth(tree, child));
    return deepest + 1;
}
struct Store {
    vector<string> names;
    bool has(string name) const;
    void add(string name) { names.push_back(name); }
};
bool Store::has(string name) const { return find(names.begin(), names.end(), name) != names.end(); }

int main() {
    vector<Item> items = {{"b", 2}, {"a", 1}, {"c", 0}};
    sort(items.begin(), items.end(), lighter);
    cout << items[0].name;
    sort(items.begin(), items.end(), [](Item a, Item b) { return a.name < b.name; });
    Store store;
    store.add("x");
    cout << items[0].name << depth({{1, 2}, {3}, {}, {}}, 0) << store.has("x") << store.has("y");
    cout << total({1, 2}, "abc", {{"a", 5}}, 3) << '\n';
}
int total(vector<int> v, string const s, map<string, int> m, int k) {
    int t = 0;
    for (int x : v) t += x;
    return t + s.size() + m["a"] + k;
}
