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
    map<char, int> count;
    for (char c : string("hello w\xe9rld")) count[c]++;
    cout << count['l'] << count['z'] << count['\xe9'];
}
