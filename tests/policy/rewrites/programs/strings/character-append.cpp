#include <cstring>
#include <iostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>
using namespace std;

int main() {
    string s;
    s += "x";
    s += "\n";
    s += string(1, 'y');
    s += "'";
    s += "\"";
    cout << s;
}
