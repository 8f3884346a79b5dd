#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n = 0, q = 0;
    cin >> n >> q;
    vector<long long> a(n);
    for (int i = 0; i < n; i++) cin >> a[i];
    for (int i = 0; i < q; i++) {
        int l = 0, r = 0;
        cin >> l >> r;
        long long sum = 0;
        for (int j = l; j <= r; j++) sum += a[j];
        cout << sum << endl;
    }
    cout << n << endl;
    return 0;
}
