#include <iostream>
#include <string>

using namespace std;

// Numbers each line, and says how many words and characters it has.
int main() {
    string line;
    int number = 0;
    long long total = 0;
    while (getline(cin, line)) {
        number++;
        int words = 0;
        bool inside = false;
        for (size_t i = 0; i < line.size(); i++) {
            if (line[i] == ' ') {
                inside = false;
            } else if (!inside) {
                inside = true;
                words++;
            }
        }
        total += words;
        cout << number << ":" << endl;
        cout << "  words " << words << endl;
        cout << "  characters " << line.size() << endl;
    }
    cout << "total " << total << endl;
    return 0;
}
