// Looks words up in a dictionary, and for those that are not there finds what was likely meant.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int difference(std::string a, std::string b) {
    std::vector<std::vector<int>> cost(a.size() + 1, std::vector<int>(b.size() + 1, 0));
    for (size_t j = 0; j <= b.size(); ++j)
        for (size_t i = 0; i <= a.size(); ++i) {
            if (i == 0 || j == 0) {
                cost[i][j] = static_cast<int>(i + j);
                continue;
            }
            cost[i][j] = std::min(cost[i - 1][j], cost[i][j - 1]) + 1;
            cost[i][j] = std::min(cost[i][j], cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1));
        }
    return cost[a.size()][b.size()];
}

bool knows(std::vector<std::string> dictionary, std::string word) {
    return std::find(dictionary.begin(), dictionary.end(), word) != dictionary.end();
}

std::string lower(std::string word) {
    std::string result = "";
    for (char c : word) result = result + (c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
    return result;
}

int main() {
    int size = 0;
    std::cin >> size;
    std::vector<std::string> dictionary;
    std::string word;
    for (int i = 0; i < size && std::cin >> word; ++i) dictionary.push_back(lower(word));
    int right = 0, mended = 0, lost = 0;
    while (std::cin >> word) {
        word = lower(word);
        if (knows(dictionary, word)) {
            ++right;
            continue;
        }
        std::string best = "";
        int least = 4;
        for (auto known : dictionary) {
            const int far = difference(word, known);
            if (far < least) {
                least = far;
                best = known;
            }
        }
        if (best.empty()) {
            ++lost;
            std::cout << word << "?" << std::endl;
        } else {
            ++mended;
            std::cout << word << " -> " << best << " (" << least << ")" << std::endl;
        }
    }
    std::cout << right << " right, " << mended << " mended, " << lost << " lost" << std::endl;
}
