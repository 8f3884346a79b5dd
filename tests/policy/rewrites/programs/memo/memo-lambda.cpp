#include <functional>
#include <iostream>
#include <vector>
using namespace std;

int main() {
    vector<int> cost = {3, 1, 4, 1, 5, 9, 2, 6};
    int n = cost.size();
    function<long long(int, int)> best = [&](int i, int left) -> long long {
        if (i >= n) return left;
        return min(cost[i] * left + best(i + 1, left + 1), 2 * cost[i] + best(i + 2, left));
    };
    function<int(int)> fib = [&](int k) { return k < 2 ? k : fib(k - 1) + fib(k - 2); };
    cout << best(0, 1) << ' ' << fib(15) << '\n';
}
