// For each log it reads, one letter a day: the most days in a row without an incident ("x").
#include <iostream>
#include <string>

using namespace std;

int longest_streak(const string& days) {
    int best = 0;
    for (size_t first = 0; first < days.size(); first++) {
        int length = 0;
        for (size_t day = first; day < days.size() && days[day] != 'x'; day++) {
            length++;
        }
        if (length > best) best = length;
    }
    return best;
}

int main() {
    string days;
    while (cin >> days) {
        cout << longest_streak(days) << "\n";
    }
    return 0;
}
