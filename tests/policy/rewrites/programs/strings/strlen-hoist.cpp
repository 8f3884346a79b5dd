#include <cstring>
#include <iostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>
using namespace std;

int main() {
    char s[] = "some text";
    int count = 0;
    for (size_t i = 0; i < strlen(s); ++i) {
        if (s[i] == 'e') count++;
        s[i] = toupper(s[i]);
    }
    cout << count << s;
}
