#include <iostream>
#include <string>
#include <vector>
using namespace std;

int main() {
    vector<string> names;
    vector<int> counts;
    string s;
    while (cin >> s) {
        bool found = false;
        for (size_t i = 0; i < names.size(); i++) {
            if (names[i] == s) {
                counts[i]++;
                found = true;
            }
        }
        if (!found) {
            names.push_back(s);
            counts.push_back(1);
        }
    }
    for (size_t i = 0; i < names.size(); i++) {
        cout << names[i] << " " << counts[i] << endl;
    }
    cout << names.size() << endl;
    return 0;
}
