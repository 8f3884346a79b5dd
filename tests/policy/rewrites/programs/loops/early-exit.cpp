#include <iostream>
#include <vector>
using namespace std;

int main() {
    vector<int> v = {4, 8, 15, 16, 23, 42};
    bool found = false, small = true;
    for (size_t i = 0; i < v.size(); i++) {
        if (v[i] == 15) {
            found = true;
        }
    }
    for (int x : v) if (x > 40) small = false;
    cout << found << small << '\n';
}
