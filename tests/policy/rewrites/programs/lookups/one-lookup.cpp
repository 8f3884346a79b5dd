#include <iostream>
#include <map>
#include <string>
#include <unordered_map>
using namespace std;

int main() {
    map<string, int> m;
    map<int, pair<int, int>> best;
    for (int i = 0; i < 9; ++i) {
        string k = to_string(i % 3);
        m[k] = m[k] * 2 + i;
        if (best[i % 2 ? 1 : 0].first < 3) cout << "";
        int j = i % 2;
        if (best[j].first < i) best[j].first = i;
    }
    for (auto& [k, v] : m) cout << k << v << ' ';
    cout << best[0].first << best[1].first;
}
