#include <iostream>
#include <map>
#include <string>
#include <unordered_map>
using namespace std;

int main() {
    map<string, int> m{{"a", 1}, {"b", 2}};
    unordered_map<int, int> u{{1, 5}};
    int sum = 0;
    for (string k : {"a", "b", "c"}) {
        if (m.count(k)) sum += m[k];
        if (m.find(k) != m.end()) { m[k]++; sum += m[k] * 10; }
    }
    for (int i = 0; i < 3; ++i) if (u.count(i) > 0) sum += u[i];
    cout << sum << m["a"] << m.size() << u.size();
}
