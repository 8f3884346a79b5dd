// Sums over ranges of a list that changes.
#include <cstdint>
#include <cstdio>
#include <vector>

class Tree {
public:
    explicit Tree(int size) : sums_(static_cast<size_t>(size) + 1, 0) {}

    void add(int at, int64_t amount) {
        for (++at; at < static_cast<int>(sums_.size()); at += at & -at) sums_[at] += amount;
    }

    int64_t until(int end) const {
        int64_t sum = 0;
        for (; end > 0; end -= end & -end) sum += sums_[end];
        return sum;
    }

private:
    std::vector<int64_t> sums_;
};

int main() {
    int size = 0, changes = 0;
    if (std::scanf("%d %d", &size, &changes) != 2 || size < 1) {
        std::puts("nothing to do");
        return 0;
    }
    Tree tree(size);
    uint64_t all = 0;
    for (int i = 0; i < changes; ++i) {
        int first = 0, last = 0, amount = 0;
        if (std::scanf("%d %d %d", &first, &last, &amount) != 3) break;
        tree.add(first, amount);
        const int64_t sum = tree.until(last + 1) - tree.until(first);
        all = all * 1099511628211ULL + static_cast<uint64_t>(sum);
        if (i % 64 == 0) std::printf("%lld\n", static_cast<long long>(sum));
    }
    std::printf("%llu\n", static_cast<unsigned long long>(all));
}
