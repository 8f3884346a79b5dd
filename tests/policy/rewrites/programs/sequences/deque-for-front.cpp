#include <deque>
#include <iostream>
#include <list>
#include <stack>
#include <string>
#include <vector>
using namespace std;

int main() {
    vector<int> q;
    q.reserve(10);
    for (int i = 0; i < 10; ++i) q.push_back(i);
    while (!q.empty()) { cout << q[0]; q.erase(q.begin()); if (q.size() == 5) q.insert(q.begin(), 77); if (q.size() == 6) q.pop_back(), q.pop_back(); }
}
