#include <cstring>
#include <iostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>
using namespace std;

int main() {
    string s, t = "t";
    for (int i = 0; i < 5; ++i) s = s + "ab";
    s = s + 'c' + t + to_string(4);
    s = s + (t + t);
    cout << s;
}
