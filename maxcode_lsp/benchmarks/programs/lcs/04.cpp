// Compares two versions of a list: longest common subsequence, and the lines that were kept.
//
// input: count of the old list, its items, count of the new list, its items
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

static std::vector<std::string> read() {
    int count = 0;
    std::cin >> count;
    std::vector<std::string> items;
    for (int i = 0; i < count; i++) {
        std::string item;
        std::cin >> item;
        items.push_back(item);
    }
    return items;
}

static std::vector<std::string> common(const std::vector<std::string> &a, const std::vector<std::string> &b) {
    int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
    std::vector<std::vector<int>> best(n + 1, std::vector<int>(m + 1, 0));
    for (int i = n - 1; i >= 0; i--) {
        const std::string &left = a[i];
        for (int j = m - 1; j >= 0; j--) {
            const std::string &right = b[j];
            if (left == right) {
                best[i][j] = best[i + 1][j + 1] + 1;
            } else {
                best[i][j] = std::max(best[i + 1][j], best[i][j + 1]);
            }
        }
    }
    std::vector<std::string> kept;
    int i = 0, j = 0;
    while (i < n && j < m) {
        if (a[i] == b[j]) {
            kept.push_back(a[i]);
            i++;
            j++;
        } else if (best[i + 1][j] >= best[i][j + 1]) {
            i++;
        } else {
            j++;
        }
    }
    return kept;
}

int main() {
    std::vector<std::string> a = read(), b = read();
    std::vector<std::string> kept = common(a, b);
    std::cout << "kept " << kept.size() << " of " << a.size() << ", added " << b.size() - kept.size() << "\n";
    for (std::size_t i = 0; i < kept.size(); i++) {
        std::cout << i << " " << kept[i] << "\n";
    }
    return 0;
}
