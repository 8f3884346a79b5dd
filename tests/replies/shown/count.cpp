// Counts words, then answers how often each of some words occurred.
#include <cctype>
#include <iostream>
#include <map>
#include <string>

static std::string lower(std::string text) {
    for (char &c : text) c = static_cast<char>(std::tolower(c));
    return text;
}

static long total(std::map<std::string, int> counts) {
    long sum = 0;
    for (auto entry : counts) sum += entry.second;
    return sum;
}

int main() {
    int n, q;
    std::cin >> n >> q;
    std::map<std::string, int> counts;
    for (int i = 0; i < n; i++) {
        std::string word;
        std::cin >> word;
        counts[lower(word)]++;
    }
    for (int i = 0; i < q; i++) {
        std::string word;
        std::cin >> word;
        std::cout << counts[lower(word)] << std::endl;
    }
    std::cout << total(counts) << std::endl;
    return 0;
}
