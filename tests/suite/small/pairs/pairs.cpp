#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n = 0, k = 0;
    cin >> n >> k;
    vector<int> a(n);
    for (int i = 0; i < n; i++) cin >> a[i];
    long long count = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            if (a[i] + a[j] == k) count++;
        }
    }
    cout << count << endl;
    return 0;
}
