#include <iostream>
#include <vector>

using namespace std;

// The first value, in reading order, that was already seen; then how many values occur more than once.
int main() {
    int n;
    cin >> n;
    vector<int> values(n);
    for (int i = 0; i < n; i++) {
        cin >> values[i];
    }

    int first = -1;
    for (int i = 0; i < n && first < 0; i++) {
        for (int j = 0; j < i; j++) {
            if (values[i] == values[j]) {
                first = i;
                break;
            }
        }
    }

    int repeated = 0;
    for (int i = 0; i < n; i++) {
        bool seen_before = false;
        bool seen_after = false;
        for (int j = 0; j < n; j++) {
            if (values[j] == values[i]) {
                if (j < i) seen_before = true;
                if (j > i) seen_after = true;
            }
        }
        if (!seen_before && seen_after) {
            repeated++;
        }
    }

    if (first < 0) {
        cout << "none" << endl;
    } else {
        cout << values[first] << " at " << first << endl;
    }
    cout << repeated << endl;
    return 0;
}
