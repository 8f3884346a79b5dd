#include <cstring>
#include <iostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>
using namespace std;

bool matches(const string& s) {
    regex pattern("a+b");
    return regex_match(s, pattern);
}
int main() {
    for (string s : {"aab", "ab", "b"}) cout << matches(s);
}
