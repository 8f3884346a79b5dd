#include <deque>
#include <iostream>
#include <list>
#include <stack>
#include <string>
#include <vector>
using namespace std;

int main() {
    list<int> l;
    deque<string> d;
    for (int i = 0; i < 9; ++i) { l.push_back(i); d.push_back(to_string(i)); }
    int sum = 0;
    for (int x : l) sum = sum * 2 + x;
    l.pop_back();
    cout << sum << l.size() << l.back() << d[3] << d.front();
}
