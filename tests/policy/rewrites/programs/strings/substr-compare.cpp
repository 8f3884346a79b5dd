#include <cstring>
#include <iostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>
using namespace std;

int main() {
    string s = "hello", t = "ell";
    int count = 0;
    for (size_t i = 0; i < s.size(); ++i) {
        if (s.substr(i, 3) == t) ++count;
        if (s.substr(i, 1) == "l") count += 10;
        if ("lo" == s.substr(i)) count += 100;
        if (s.substr(i, 2) != s.substr(0, 2)) count += 1000;
    }
    cout << count;
}
