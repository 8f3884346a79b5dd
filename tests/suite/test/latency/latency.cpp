// A service's answer times: percentiles of a sliding window, and a histogram.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <string>
#include <vector>

int percentile(std::vector<int> window, double share) {
    std::sort(window.begin(), window.end());
    const size_t at = static_cast<size_t>(std::floor(share * (window.size() - 1)));
    return window[at];
}

double mean(std::vector<int> window) {
    double sum = 0;
    for (size_t i = 0; i < window.size(); ++i) sum += window[i];
    return sum / window.size();
}

int bucket(int micros) {
    int index = 0;
    while (std::pow(2.0, index) < micros) ++index;
    return index;
}

int main() {
    size_t width = 0;
    std::cin >> width;
    std::vector<int> window;
    std::map<int, int> histogram;
    std::map<std::string, int> slow;
    std::string route;
    int micros = 0, number = 0;
    while (std::cin >> route >> micros) {
        ++number;
        window.push_back(micros);
        if (window.size() > width) window.erase(window.begin());
        histogram[bucket(micros)]++;
        const int median = percentile(window, 0.5), worst = percentile(window, 0.99);
        if (micros > 3 * median) slow[route]++;
        if (number % 20 == 0)
            std::cout << number << ' ' << median << ' ' << percentile(window, 0.9) << ' ' << worst << ' '
                      << static_cast<long>(mean(window)) << std::endl;
    }
    for (auto entry : histogram) std::cout << entry.first << ' ' << entry.second << std::endl;
    for (auto entry : slow) std::cout << entry.first << ' ' << entry.second << std::endl;
}
