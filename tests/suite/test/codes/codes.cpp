// Short codes for frequent letters: builds them, packs a text with them and unpacks it again.
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

struct Group {
    long count = 0;
    std::string letters;
};

bool lighter(Group a, Group b) { return a.count != b.count ? a.count < b.count : a.letters < b.letters; }

std::map<char, std::string> codes(std::map<char, long> counts) {
    std::vector<Group> groups;
    std::map<char, std::string> result;
    for (auto entry : counts) groups.push_back({entry.second, std::string(1, entry.first)});
    while (groups.size() > 1) {
        std::sort(groups.begin(), groups.end(), lighter);
        const Group a = groups[0], b = groups[1];
        for (char c : a.letters) result[c] = "0" + result[c];
        for (char c : b.letters) result[c] = "1" + result[c];
        groups.erase(groups.begin(), groups.begin() + 2);
        groups.push_back({a.count + b.count, a.letters + b.letters});
    }
    return result;
}

char decoded(std::map<char, std::string> table, std::string bits) {
    for (auto entry : table)
        if (entry.second == bits) return entry.first;
    return 0;
}

int main() {
    std::string text, line;
    std::map<char, long> counts;
    while (std::getline(std::cin, line)) {
        text = text + line + "\n";
        for (char c : line) counts[c]++;
        counts['\n']++;
    }
    const std::map<char, std::string> table = codes(counts);
    std::string packed = "";
    for (char c : text) packed += table.at(c);
    std::string bits = "", again = "";
    for (char bit : packed) {
        bits = bits + bit;
        const char letter = decoded(table, bits);
        if (letter != 0) {
            again = again + letter;
            bits = "";
        }
    }
    for (auto entry : table)
        std::cout << static_cast<int>(entry.first) << ' ' << counts[entry.first] << ' ' << entry.second << std::endl;
    std::cout << text.size() * 8 << " bits to " << packed.size() << ", " << (again == text ? "same" : "other") << std::endl;
}
