#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

int main() {
    vector<int> weight = {5, 1, 3}, order = {0, 1, 2};
    sort(order.begin(), order.end(), [=](int a, int b) { return weight[a] < weight[b]; });
    auto at = [=](int i) { return weight[i]; };
    cout << order[0] << order[1] << at(2) << '\n';
}
