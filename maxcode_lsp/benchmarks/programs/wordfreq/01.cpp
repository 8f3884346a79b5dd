// Counts words: the most frequent ones, and how many occur once.
#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

typedef std::pair<std::string, int> Entry;

static std::string clean(std::string word) {
    std::string result;
    for (char c : word) {
        
        if ((c >= 'a' && c <= 'z') || c == '\'') result = result + c;
    }
    return result;
}

static bool before(Entry a, Entry b) {
    if (a.second != b.second) return a.second > b.second;
    return a.first < b.first;
}

int main() {
    std::map<std::string, int> counts;
    long words = 0, letters = 0;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream in(line);
        std::string word;
        while (in >> word) {
            std::string key = clean(word);
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
