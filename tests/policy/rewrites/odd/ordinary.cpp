#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>
using namespace std;
typedef long long ll;
struct Item { int key; string name; vector<int> parts; };
map<string, int> totals;
bool has(const vector<int>& v, int x) { return find(v.begin(), v.end(), x) != v.end(); }
ll power(ll b, int e) { ll r = 1; for (int i = 0; i < e; i++) r = r * b % 1000007; return r; }
int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
int main() {
    int n; cin >> n;
    vector<int> v(n), seen;
    for (int i = 0; i < n; i++) { cin >> v[i]; if (find(seen.begin(), seen.end(), v[i]) == seen.end()) seen.push_back(v[i]); }
    for (int i = 0; i < n; i++) for (int j = 0; j < n - 1; j++) if (v[j] > v[j + 1]) swap(v[j], v[j + 1]);
    string s;
    for (auto x : v) { s = s + to_string(x) + " "; totals[s.substr(0, 1)] = totals[s.substr(0, 1)] + 1; }
    if (totals.count(s)) cout << totals[s] << endl;
    double a[8][8]; for (int j = 0; j < 8; j++) for (int i = 0; i < 8; i++) a[i][j] = pow(i, 2) / j;
    sort(v.begin(), v.end()); cout << v[0] << fib(20) << power(3, 9) << s << endl;
}
