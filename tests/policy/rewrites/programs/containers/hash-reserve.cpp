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

int main() {
    unordered_map<int, int> m;
    for (int i = 0; i < 99; ++i) m[i * i]++;
    cout << m.size() << m[4];
}
