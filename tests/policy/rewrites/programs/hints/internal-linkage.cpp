#include <iostream>
#include <vector>
using namespace std;

typedef long long ll;
int counts[10];
const int limit = 10;
vector<int> values;
struct Pair { int a, b; } first_pair;
ll later(ll x);

template <class T>
T same(T x) { return x; }
struct Box {
    int n;
    int get();
};
int Box::get() { return n; }
ostream& operator<<(ostream& out, const Box& box) { return out << box.n; }
ll later(ll x) {
    counts[x % limit]++;
    return x * 2;
}

int main() {
    Box box{4};
    values.push_back(later(7));
    cout << values[0] << counts[7] << box << box.get() << same(first_pair.a) << '\n';
}
