#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int main() {
    vector<int> seen;
    vector<string> words = {"a", "b"};
    int fresh = 0;
    for (int i = 0; i < 40; ++i) {
        int v = i * i % 17;
        if (find(seen.begin(), seen.end(), v) == seen.end()) {
            seen.push_back(v);
            ++fresh;
        }
        if (std::find(words.begin(), words.end(), to_string(i % 3)) != words.end()) fresh += 100;
        else words.push_back(to_string(i % 3));
        if (count(seen.begin(), seen.end(), 3) > 0) fresh += 1000;
        if (i == 30) seen.clear();
    }
    sort(seen.begin(), seen.end());
    for (int v : seen) cout << v << ' ';
    cout << fresh << words.size() << seen[0];
}
