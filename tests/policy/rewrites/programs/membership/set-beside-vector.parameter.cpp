#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int known(const vector<int>& all, int n) {
    int count = 0;
    for (int i = 0; i < n; ++i) if (find(all.begin(), all.end(), i) != all.end()) ++count;
    return count;
}
int main() { cout << known({1, 5, 9, 100}, 50); }
