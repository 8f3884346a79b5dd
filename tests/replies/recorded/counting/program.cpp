#include <iostream>
#include <map>

using namespace std;

// Counts values, answers how often each asked value occurs, then prints the most frequent value (the smallest of several).
int main() {
    int n, queries;
    cin >> n >> queries;
    map<int, int> counts;
    for (int i = 0; i < n; i++) {
        int value;
        cin >> value;
        counts[value]++;
    }

    for (int i = 0; i < queries; i++) {
        int asked;
        cin >> asked;
        if (counts.find(asked) != counts.end()) {
            cout << counts[asked] << "\n";
        } else {
            cout << 0 << "\n";
        }
    }

    int best = 0;
    int best_count = 0;
    for (map<int, int>::iterator it = counts.begin(); it != counts.end(); ++it) {
        if (it->second > best_count) {
            best = it->first;
            best_count = it->second;
        }
    }
    cout << best << " " << best_count << "\n";
    return 0;
}
