#include <deque>
#include <iostream>
#include <list>
#include <stack>
#include <string>
#include <vector>
using namespace std;

int main() {
    vector<bool> composite(50);
    vector<vector<bool>> grid(3, vector<bool>(4, true));
    int count = 0;
    for (int i = 2; i < 50; ++i) {
        if (composite[i]) continue;
        ++count;
        for (int j = i * i; j < 50; j += i) composite[j] = true;
    }
    cout << count << (grid[1][2] ? "yes" : "no");
}
