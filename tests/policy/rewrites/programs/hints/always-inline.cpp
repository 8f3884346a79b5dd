#include <iostream>
using namespace std;

template <class T>
T square(T x) { return x * x; }
static int add(int a, int b);
static int add(int a, int b) { return a + b; }
inline int next(int a) { return a + 1; }
struct Counter {
    int n = 0;
    void step(int by) { n += by; }
};

int main() {
    Counter counter;
    int t = 0;
    for (int i = 0; i < 10; ++i) {
        counter.step(square(i));
        t = add(t, next(i));
    }
    cout << counter.n << ' ' << t << '\n';
}
