// Statistics of measurements by group: mean, deviation, median and outliers, from lines “group;value;weight”.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

std::vector<std::string> fields(std::string line) {
    std::vector<std::string> parts;
    std::stringstream stream(line);
    std::string part;
    while (std::getline(stream, part, ';')) parts.push_back(part);
    return parts;
}

double mean(std::vector<double> values) {
    double sum = 0;
    for (double value : values) sum += value;
    return values.empty() ? 0 : sum / values.size();
}

double deviation(std::vector<double> values) {
    double sum = 0;
    for (size_t i = 0; i < values.size(); ++i) sum += std::pow(values[i] - mean(values), 2);
    return values.empty() ? 0 : std::sqrt(sum / values.size());
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

int outliers(std::vector<double> values) {
    int count = 0;
    for (size_t i = 0; i < values.size(); ++i)
        if (std::abs(values[i] - mean(values)) > 2 * std::abs(values[0]) + 1) ++count;
    return count;
}

int main() {
    std::map<std::string, std::vector<double>> values;
    std::map<std::string, double> weights;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::vector<std::string> parts = fields(line);
        if (parts.size() != 3) continue;
        values[parts[0]].push_back(std::stod(parts[1]));
        weights[parts[0]] += std::stod(parts[2]);
    }
    std::cout << std::fixed << std::setprecision(6);
    for (auto [name, list] : values)
        std::cout << name << ' ' << list.size() << ' ' << mean(list) << ' ' << deviation(list) << ' ' << median(list)
                  << ' ' << outliers(list) << ' ' << weights[name] << std::endl;
}
