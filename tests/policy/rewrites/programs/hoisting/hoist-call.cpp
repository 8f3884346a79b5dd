#include <cmath>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int weight(int x) {
    int t = 0;
    for (int i = 0; i < x; ++i) t += i * i;
    return t;
}

int main() {
    int n = 20;
    double a = 0.5, total = 0;
    char text[] = "hello world";
    string word = "abc";
    vector<int> v(n, 2);
    for (size_t i = 0; i < strlen(text); i++) text[i] ^= 1;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 3; ++j) total += sqrt(a) * sin(a + i) + weight(n);
    for (size_t i = 0; i < word.size(); ++i) word[i]++;
    int k = 0;
    while (k < weight(3)) {
        k++;
        if (k > 2) total += weight(n) + weight(k);
    }
    cout << total << ' ' << text << word << '\n';
}
