#include <deque>
#include <iostream>
#include <list>
#include <stack>
#include <string>
#include <vector>
using namespace std;

int main() {
    int n = 30;
    vector<int> v, w;
    for (int i = 0; i < n; ++i) v.push_back(i);
    for (int x : v) if (x % 2) w.push_back(x);
    cout << v.size() << w.size() << w.back();
}
