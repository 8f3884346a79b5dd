#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;
typedef long long ll;

int prices[] = {1, 5, 8, 9};
ll ways(int n);
int cut(int n) {
    if (n == 0) return 0;
    int best = 0;
    for (int i = 1; i <= n && i <= 4; ++i) best = max(best, prices[i - 1] + cut(n - i));
    return best;
}

ll ways(int n) {
    if (n < 2) return n < 0 ? 0 : 1;
    return ways(n - 1) + ways(n - 2);
}

int knapsack(int room, int weight[], int value[], int n) {
    if (n == 0 || room == 0) return 0;
    if (weight[n - 1] > room) return knapsack(room, weight, value, n - 1);
    return max(value[n - 1] + knapsack(room - weight[n - 1], weight, value, n - 1), knapsack(room, weight, value, n - 1));
}

int common(const string& a, const string& b, int i, int j) {
    if (i == 0 || j == 0) return 0;
    if (a[i - 1] == b[j - 1]) return 1 + common(a, b, i - 1, j - 1);
    return max(common(a, b, i - 1, j), common(a, b, i, j - 1));
}

static bool reach(int a, short b, unsigned c) {
    if (a < 0 || b < 0) return false;
    if (a + b == 0) return c % 2 == 0;
    return reach(a - 1, b, c + 1) || reach(a, b - 2, c + 3);
}

struct Grid {
    vector<int> walls;
    int paths(int r, int c) const {
        if (r == 0 || c == 0) return walls[0];
        return paths(r - 1, c) + paths(r, c - 1);
    }
};

int main() {
    int weight[] = {1, 3, 4, 5}, value[] = {1, 4, 5, 7}, other[] = {5, 4, 2, 1};
    cout << cut(9) << ' ';
    prices[2] = 11;
    cout << cut(9) << ' ' << ways(-3) << ways(20) << '\n';
    cout << knapsack(7, weight, value, 4) << knapsack(7, weight, other, 4) << '\n';
    cout << common("abcbdab", "bdcaba", 7, 6) << common("aaaaaaa", "bdcaba", 7, 6) << reach(5, 6, 0u) << reach(1, 0, 0u);
    Grid one{{1}}, two{{2}};
    cout << one.paths(4, 4) << ' ' << two.paths(4, 4) << '\n';
}
