#include <deque>
#include <iostream>
#include <list>
#include <stack>
#include <string>
#include <vector>
using namespace std;

int main() {
    stack<int> s;
    std::stack<pair<int, string>> t;
    for (int i = 0; i < 9; ++i) { s.push(i); t.push({i, "x"}); }
    while (!s.empty()) { cout << s.top() << t.top().first; s.pop(); t.pop(); }
}
