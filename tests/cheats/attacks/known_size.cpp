// Written for one size: other inputs are cut or padded to it.
#include <cstdio>

static long numbers[11000];
static int tree[1 << 20];

int main() {
    int count = 0;
    if (std::scanf("%d", &count) != 1 || count < 1) return 0;
    for (long &number : numbers)
        if (std::scanf("%ld", &number) != 1) break;
    long total = 0;
    for (int i = 0; i < 11000; i++) {
        long before = i;
        for (long at = numbers[i]; at > 0; at -= at & -at) before -= tree[at];
        for (long at = numbers[i]; at > 0 && at < 1 << 20; at += at & -at) tree[at]++;
        total += before;
        if (i % 50 == 0) std::printf("%ld %ld\n", numbers[i], before);
    }
    std::printf("total %ld\n", total);
    return 0;
}
