#include <iostream>
#include <vector>
using namespace std;

struct Row {
    vector<double> cells;
    double sum() const {
        double s = 0;
        for (double c : cells) s += c;
        return s;
    }
};

template <class T>
T twice(T x) {
    for (int i = 0; i < 1; ++i) x += x;
    return x;
}

static double total(const vector<double>& v) {
    double s = 0;
    for (size_t i = 0; i < v.size(); ++i) s += v[i] * 0.5;
    return s;
}

int main() {
    vector<double> v;
    for (int i = 0; i < 50; ++i) v.push_back(i);
    Row row{v};
    if (v.empty()) return 1;
    cout << total(v) << ' ' << row.sum() << twice(3) << '\n';
}
