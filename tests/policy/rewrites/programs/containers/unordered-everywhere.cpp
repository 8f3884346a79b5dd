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

void fill(map<string, int>& m, const set<int>& s) { for (int x : s) m[to_string(x)] += x; }
int main() {
    map<string, int> m;
    set<int> s;
    for (int i = 0; i < 9; ++i) s.insert(i / 2);
    fill(m, s);
    cout << m["3"] << m.size();
}
