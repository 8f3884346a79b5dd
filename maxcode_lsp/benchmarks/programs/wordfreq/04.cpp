// Counts words: the most frequent ones, and how many occur once.
#include <algorithm>
#include <iostream>
#include <unordered_map>
#include <string>
#include <vector>

typedef std::pair<std::string, int> Entry;

static std::string clean(const std::string &word) {
    std::string result;
    for (char c : word) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        if ((c >= 'a' && c <= 'z') || c == '\'') result += c;
    }
    return result;
}

static bool before(const Entry &a, const Entry &b) {
    if (a.second != b.second) return a.second > b.second;
    return a.first < b.first;
}

int main() {
    std::unordered_map<std::string, int> counts;
    long words = 0, letters = 0;
    std::ios::sync_with_stdio(false);
    std::string line;
    while (std::getline(std::cin, line)) {
        std::size_t end = 0;
        while (end < line.size()) {
            std::size_t start = line.find_first_not_of(" \t", end);
            if (start == std::string::npos) break;
            end = line.find_first_of(" \t", start);
            if (end == std::string::npos) end = line.size();
            std::string key = clean(line.substr(start, end - start));
            if (key.empty()) continue;
            counts[key]++;
            words++;
            letters += static_cast<long>(key.size());
        }
    }
    std::vector<Entry> entries(counts.begin(), counts.end());
    std::sort(entries.begin(), entries.end(), before);
    int once = 0;
    for (Entry entry : entries) {
        if (entry.second == 1) once++;
    }
    std::cout << words << " words, " << letters << " letters, " << entries.size() << " different, " << once << " once\n";
    for (std::size_t i = 0; i < entries.size() && i < 200; i++) {
        std::cout << entries[i].second << " " << entries[i].first << "\n";
    }
    return 0;
}
