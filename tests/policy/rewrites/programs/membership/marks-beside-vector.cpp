#include <iostream>
#include <vector>
using namespace std;

bool has(const vector<long long>& v, long long x) {
    for (auto y : v) {
        if (y == x) return true;
    }
    return false;
}

int known(const std::vector<int>& v, int wanted) {
    for (size_t i = 0; i < v.size(); i++)
        if (v[i] == wanted) return true;
    return false;
}

int main() {
    vector<long long> seen;
    vector<int> frontier = {3, -5, 9000000};
    int fresh = 0;
    for (long long i = -50; i < 50; ++i) {
        long long v = i * i * 977 * i % 40000000;
        if (!has(seen, v)) {
            seen.push_back(v);
            ++fresh;
        }
        if (known(frontier, i / 2)) fresh += 1000;
        else frontier.push_back(i / 2);
        if (i == 30) frontier.clear();
    }
    cout << fresh << ' ' << seen.size() << ' ' << seen[3] << ' ' << frontier.size();
}
