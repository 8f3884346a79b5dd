#include <iostream>
#include <utility>
#include <vector>
using namespace std;

vector<int> make(int n) {
    vector<int> v(n, 2);
    return std::move(v);
}

int main() {
    cout << make(4)[3] << '\n';
}
