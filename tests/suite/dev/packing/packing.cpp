// Packs lines of text with a dictionary and run lengths, unpacks them again and compares.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

std::string runs(std::string text) {
    std::string packed = "";
    size_t at = 0;
    while (at < text.size()) {
        size_t end = at;
        while (end < text.size() && text[end] == text[at]) ++end;
        packed = packed + text[at] + std::to_string(end - at) + ";";
        at = end;
    }
    return packed;
}

std::string unpacked(std::string packed) {
    std::string text = "";
    size_t at = 0;
    while (at < packed.size()) {
        const char letter = packed[at];
        size_t end = packed.find(';', at + 1);
        const int count = std::stoi(packed.substr(at + 1, end - at - 1));
        for (int i = 0; i < count; ++i) text = text + letter;
        at = end + 1;
    }
    return text;
}

unsigned long checksum(std::vector<int> codes) {
    unsigned long sum = 7;
    for (int code : codes) sum = (sum * 131 + static_cast<unsigned long>(code)) % 1000003;
    return sum;
}

int main() {
    std::vector<std::string> dictionary;
    std::vector<int> codes;
    std::string line;
    size_t before = 0, after = 0, wrong = 0;
    while (std::getline(std::cin, line)) {
        before += line.size();
        const std::string packed = runs(line);
        if (unpacked(packed) != line) ++wrong;
        std::vector<std::string>::iterator place = std::find(dictionary.begin(), dictionary.end(), packed);
        if (place == dictionary.end()) {
            dictionary.push_back(packed);
            after += packed.size();
            codes.push_back(static_cast<int>(dictionary.size()) - 1);
        } else {
            codes.push_back(static_cast<int>(place - dictionary.begin()));
        }
        after += 2;
        if (codes.size() % 50 == 0) std::cout << codes.size() << ' ' << checksum(codes) << std::endl;
    }
    for (size_t i = 0; i < dictionary.size(); i += 20) std::cout << i << ' ' << dictionary[i].size() << std::endl;
    std::cout << before << " to " << after << ", " << wrong << " wrong, " << checksum(codes) << std::endl;
}
