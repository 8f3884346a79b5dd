#include <iostream>
using namespace std;

void add(double* y, const double *x, int n);
void add(double* y, const double *x, int n) {
    for (int i = 0; i < n; ++i) y[i] += x[i];
}
long dot(int a[], const int b[20], int n) {
    long s = 0;
    for (int i = 0; i < n; ++i) s += a[i] * b[i];
    return s;
}

int main() {
    double x[20], y[20];
    int a[20];
    for (int i = 0; i < 20; ++i) { x[i] = i; y[i] = 1; a[i] = i; }
    int b[20] = {1, 2, 3};
    add(y, x, 20);
    cout << y[7] << ' ' << dot(a, b, 20) << '\n';
}
