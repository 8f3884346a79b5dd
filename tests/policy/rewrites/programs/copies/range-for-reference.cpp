#include <iostream>
#include <map>
#include <string>
#include <vector>
using namespace std;

int main() {
    vector<string> words = {"one", "two", "three"};
    map<string, vector<int>> m = {{"a", {1, 2}}, {"b", {3}}};
    vector<vector<int>> table = {{1, 2}, {3}};
    size_t total = 0;
    for (string w : words) total += w.size();
    for (auto [name, list] : m) total += list.size() + name.size();
    for (const auto row : table) total += row[0];
    for (vector<int> row : table) {
        for (int x : row) total += x;
    }
    cout << total << '\n';
}
