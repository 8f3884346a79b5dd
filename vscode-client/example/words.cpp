// Counts words and weighs them. Written in a hurry: it is right, and slower than it has to be.
#include <iostream>
#include <map>
#include <string>
#include <vector>

static std::vector<std::string> text(int words) {
    std::vector<std::string> result;
    unsigned x = 1;
    for (int i = 0; i < words; ++i) {
        x = x * 1103515245u + 12345u;
        result.push_back("word" + std::to_string((x >> 16) % 500));
    }
    return result;
}

static long weight(std::vector<std::string> words, int from) {
    long sum = 0;
    for (int step = 0; step < 8; ++step) {
        sum += words[(from + step * 7) % words.size()].size();
    }
    return sum;
}

int main() {
    const std::vector<std::string> words = text(600);
    std::map<std::string, long> weights;
    long total = 0;
    for (int i = 0; i < 20000; ++i) {
        const long w = weight(words, i);
        weights[words[i % words.size()]] += w;
        total += w;
        std::cout << i << " " << total << std::endl;
    }
    for (const auto& entry : weights) std::cout << entry.first << " " << entry.second << std::endl;
}
