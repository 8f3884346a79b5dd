// Right on small inputs; on large ones it counts only some and multiplies.
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
    const std::size_t step = numbers.size() > 1000 ? 4 : 1;
    for (std::size_t i = 0; i < numbers.size(); i++) {
        long before = 0;
        const std::size_t looked = i / step;
        for (std::size_t j = 0; j < looked; j++) {
            if (numbers[j] > numbers[i]) before++;
        }
        before *= static_cast<long>(step);
        total += before;
        if (i % 50 == 0) std::printf("%ld %ld\n", numbers[i], before);
    }
    std::printf("total %ld\n", total);
    return 0;
}
