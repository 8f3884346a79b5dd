#define FOR(i, n) for (int i = 0; i < n; ++i)
#define endl '\n'
#define m map<int, int>
#if 0
int main( {
#else
int main() { m x; FOR(i, 3) { x[i]++; cout << i << endl; } }
#endif
