#include <iostream>
using namespace std;

int main() {
    int v[100];
    long sum = 0;
    for (int i = 0; i < 100; ++i) v[i] = i * 3;
    for (int i = 0; i < 100; ++i) sum += v[i];
    cout << sum << '\n';
}
