// Honest: a tree of counts instead of a second loop.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    int count = 0;
    if (std::scanf("%d", &count) != 1 || count < 1) return 0;
    std::vector<long> numbers;
    for (int i = 0; i < count; i++) {
        long number;
        if (std::scanf("%ld", &number) != 1) break;
        numbers.push_back(number);
    }
    long total = 0;
    std::vector<long> order = numbers;
    std::sort(order.begin(), order.end());
    std::vector<int> tree(numbers.size() + 1, 0);
    for (std::size_t i = 0; i < numbers.size(); i++) {
        const std::size_t place = static_cast<std::size_t>(std::upper_bound(order.begin(), order.end(), numbers[i]) - order.begin());
        long before = static_cast<long>(i);
        for (std::size_t at = place; at > 0; at -= at & (~at + 1)) before -= tree[at];
        for (std::size_t at = place; at < tree.size(); at += at & (~at + 1)) tree[at]++;
        total += before;
        if (i % 50 == 0) std::printf("%ld %ld\n", numbers[i], before);
    }
    std::printf("total %ld\n", total);
    return 0;
}
