#include <algorithm>
#include <deque>
#include <iostream>
#include <list>
#include <map>
#include <set>
#include <stack>
#include <string>
#include <unordered_map>
#include <vector>
using namespace std;

struct Log { map<string, long long> totals; void add(const string& k, int v) { totals[k] += v; } };
int main() {
    map<int, int> count, other;
    std::set<string> seen;
    Log log;
    long long sum = 0;
    for (int i = 0; i < 50; ++i) {
        count[i % 7]++;
        other[i] = i;
        seen.insert(to_string(i % 5));
        log.add(to_string(i % 3), i);
        if (auto at = count.find(i); at != count.end()) sum += at->second;
    }
    for (const auto& [key, value] : other) sum += key * value;
    cout << sum << ' ' << count[3] << seen.size() << seen.count("4") << log.totals.at("1");
}
