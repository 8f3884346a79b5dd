// For each row of daily gains and losses: the most that a stretch of days in a row has brought.
#include <iostream>
#include <vector>

using namespace std;

long long best_stretch(const vector<int>& days) {
    long long best = days[0];
    for (size_t first = 0; first < days.size(); first++) {
        long long sum = 0;
        for (size_t last = first; last < days.size(); last++) {
            sum += days[last];
            if (sum > best) best = sum;
        }
    }
    return best;
}

int main() {
    int rows;
    cin >> rows;
    for (int row = 0; row < rows; row++) {
        int count;
        cin >> count;
        vector<int> days(count);
        for (int& gain : days) cin >> gain;
        cout << best_stretch(days) << "\n";
    }
    return 0;
}
