// Counts words and pairs of words in a text, and shows the most frequent ones.
#include <algorithm>
#include <cctype>
#include <iostream>
#include <map>
#include <string>
#include <vector>

std::string cleaned(std::string word) {
    std::string result;
    for (char c : word)
        if (std::isalpha(static_cast<unsigned char>(c))) result = result + static_cast<char>(std::tolower(c));
    return result;
}

bool starts_with(std::string text, std::string start) { return text.substr(0, start.size()) == start; }

std::vector<std::pair<int, std::string>> ranked(std::map<std::string, int> counts) {
    std::vector<std::pair<int, std::string>> rows;
    for (auto entry : counts) rows.push_back(std::make_pair(-entry.second, entry.first));
    std::stable_sort(rows.begin(), rows.end());
    return rows;
}

void print(std::string title, std::vector<std::pair<int, std::string>> rows, size_t most) {
    std::cout << title << std::endl;
    for (size_t i = 0; i < rows.size() && i < most; ++i)
        std::cout << "  " << rows[i].second << ' ' << -rows[i].first << std::endl;
}

int main() {
    std::map<std::string, int> words, pairs, starts;
    std::string word, last;
    const std::vector<std::string> prefixes = {"un", "re", "in", "con", "dis", "pre", "ma", "to"};
    long letters = 0;
    while (std::cin >> word) {
        word = cleaned(word);
        if (word.empty()) continue;
        letters += static_cast<long>(word.size());
        words[word]++;
        if (!last.empty()) pairs[last + " " + word]++;
        for (auto prefix : prefixes)
            if (starts_with(word, prefix)) starts[prefix]++;
        last = word;
    }
    print("words", ranked(words), 12);
    print("pairs", ranked(pairs), 12);
    print("starts", ranked(starts), 12);
    for (auto entry : words)
        if (entry.second == 1) std::cout << entry.first << std::endl;
    std::cout << letters << " letters" << std::endl;
}
