#include <iostream>
#include <string>
#include <vector>
using namespace std;

int main() {
    vector<double> a(64, 1.5), b(64, 2.5);
    vector<unsigned char> bytes(64, 3);
    string word = "some words";
    for (int round = 0; round < 3; ++round)
        for (int i = 0; i < 64; ++i) a[i] += b[i] * 0.5;
    for (size_t i = 1; i < bytes.size(); ++i) {
        bytes[i] = bytes[i - 1] * 7 + i;
    }
    int i = 0;
    while (word[i] != 's' || i == 0) {
        word[i] = word[i] - 1;
        i++;
    }
    cout << a[3] << int(bytes[9]) << word << '\n';
}
