// Statistics of a genome's k-mers: how many are different, how frequent they are, and their reverse complements.
#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

std::string complement(std::string kmer) {
    std::string other = "";
    for (int i = static_cast<int>(kmer.size()) - 1; i >= 0; --i) {
        if (kmer[i] == 'A') other = other + 'T';
        if (kmer[i] == 'T') other = other + 'A';
        if (kmer[i] == 'C') other = other + 'G';
        if (kmer[i] == 'G') other = other + 'C';
    }
    return other;
}

double content(std::string kmer) {
    int count = 0;
    for (char c : kmer)
        if (c == 'G' || c == 'C') ++count;
    return kmer.empty() ? 0 : 100.0 * count / kmer.size();
}

int main() {
    int k = 0;
    std::string genome, part;
    std::cin >> k;
    while (std::cin >> part) genome = genome + part;
    std::map<std::string, int> counts;
    for (size_t i = 0; i + k <= genome.size(); ++i) counts[genome.substr(i, k)]++;
    std::map<int, int> spectrum;
    std::set<std::string> palindromes;
    long both = 0;
    double mean = 0;
    for (auto entry : counts) {
        spectrum[entry.second]++;
        const std::string other = complement(entry.first);
        if (other == entry.first) palindromes.insert(other);
        if (counts.count(other) > 0) both += counts[other];
        mean += content(entry.first) / counts.size();
    }
    for (auto entry : spectrum) std::cout << entry.first << ' ' << entry.second << std::endl;
    for (auto kmer : palindromes) std::cout << kmer << std::endl;
    std::vector<std::pair<int, std::string>> rows;
    for (auto entry : counts) rows.push_back({-entry.second, entry.first});
    std::sort(rows.begin(), rows.end());
    for (size_t i = 0; i < rows.size() && i < 15; ++i) std::cout << rows[i].second << ' ' << -rows[i].first << std::endl;
    std::cout << genome.size() << ' ' << counts.size() << ' ' << both << ' ' << static_cast<int>(mean * 100) << std::endl;
}
