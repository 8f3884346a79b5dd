#include <iostream>
#include <vector>
using namespace std;

int work(int x) {
    int t = 0;
    for (int i = 0; i < x; ++i) t += i % 3;
    return t;
}

int main() {
    int n = 60;
    vector<vector<int>> c(n, vector<int>(n));
    vector<int> out(n);
    long long total = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) c[i][j] = i * j % 7;
    for (int i = 0; i < n; ++i) {
        int own = work(i);
        out[i] = own + c[i][2];
        total += own;
    }
    cout << total << out[33] << '\n';
}
