#include <iostream>
#include <string>

std::string repeat(std::string word, int times) {
    std::string result = "";
    for (int i = 0; i < times; i++) {
        result = result + word;
        if (i + 1 < times) {
            result = result + "-";
        }
    }
    return result;
}

int main() {
    int n;
    std::cin >> n;
    std::string text = "";
    for (int i = 0; i < n; i++) {
        std::string word;
        int times;
        std::cin >> word >> times;
        text = text + repeat(word, times);
        text = text + "\n";
    }

    long long hash = 7;
    for (size_t i = 0; i < text.size(); i++) {
        hash = (hash * 131 + (unsigned char)text[i]) % 1000000007LL;
    }
    std::cout << text << text.size() << " " << hash << "\n";
    return 0;
}
