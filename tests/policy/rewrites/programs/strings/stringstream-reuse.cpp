#include <cstring>
#include <iostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>
using namespace std;

int main() {
    vector<string> lines = {"1 2", "3", "", "4 5 6"};
    int sum = 0;
    for (const string& line : lines) {
        istringstream in(line);
        int v;
        while (in >> v) sum = sum * 10 + v;
        ostringstream out;
        out << sum;
        cout << out.str() << ' ';
    }
}
