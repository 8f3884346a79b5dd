#include <iostream>
#include <string>
#include <vector>
using namespace std;

bool has_twin(const vector<string>& words) {
    for (size_t i = 0; i < words.size(); ++i)
        for (size_t j = i + 1; j < words.size(); ++j)
            if (words[i] == words[j]) return true;
    return false;
}

int main() {
    vector<int> a;
    for (int i = 0; i < 60; ++i) a.push_back(i * 37 % 23 - 5);
    int n = a.size(), count = 0, target = 10, same = 0;
    bool any = false;
    for (int i = 0; i < n - 1; i++)
        for (int j = i + 1; j < n; j++)
            if (a[i] + a[j] == target) count++;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            if (a[j] == a[i]) same += 1;
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (a[i] + a[j] == 1000) {
                any = true;
                break;
            }
    cout << count << ' ' << same << any << has_twin({"a", "b", "a"}) << has_twin({"a", "b"}) << '\n';
}
