#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>
using namespace std;

int main() {
    vector<int> base = {1, 2, 3};
    size_t total = 0;
    for (int i = 0; i < 10; ++i) {
        vector<int> counts(i + 1), copy = base;
        vector<long long> table(i + 1, 7);
        vector<vector<int>> rows(i + 2);
        string word = "x";
        vector<int> c = base;
        std::set<int> seen;
        for (int j = 0; j < 3; ++j) {
            vector<int> q;
            q.push_back(j);
            word += 'y';
            seen.insert(j * i);
            total += q.size() + table.size();
        }
        rows[i].push_back(i);
        c.push_back(4);
        total += rows[0].size() + word.size() + c.size() + seen.size() + table[0] + counts[i] + copy[0];
    }
    for (int k = 0; k < 2; ++k) {
        string word;
        word += "ab";
        total += word.size();
    }
    cout << total << '\n';
}
