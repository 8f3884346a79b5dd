// Prints tables about integer partitions: how many ways there are to pay an amount with coins, to
// write n as a sum, and to walk a grid. Reads nothing.
#include <iomanip>
#include <iostream>

const int COINS[] = {1, 2, 5, 10, 20, 50, 100, 200};

// ways to pay `amount` with the first `kinds` coins
long pay(int amount, int kinds) {
    if (amount == 0) return 1;
    if (amount < 0 || kinds == 0) return 0;
    return pay(amount, kinds - 1) + pay(amount - COINS[kinds - 1], kinds);
}

// ways to write n as a sum of parts not larger than `largest`
long partitions(int n, int largest) {
    if (n == 0) return 1;
    if (n < 0 || largest == 0) return 0;
    return partitions(n, largest - 1) + partitions(n - largest, largest);
}

// monotone lattice paths from (0, 0) to (x, y)
long paths(int x, int y) {
    if (x == 0 || y == 0) return 1;
    return paths(x - 1, y) + paths(x, y - 1);
}

int main() {
    std::cout << "coins" << std::endl;
    for (int amount = 0; amount <= 300; amount += 20)
        std::cout << std::setw(6) << amount << std::setw(12) << pay(amount, 8) << std::endl;

    std::cout << "partitions" << std::endl;
    for (int n = 0; n <= 60; n += 4)
        std::cout << std::setw(6) << n << std::setw(12) << partitions(n, n) << std::endl;

    std::cout << "paths" << std::endl;
    for (int x = 0; x <= 12; x++) {
        for (int y = 0; y <= 12; y++) std::cout << std::setw(9) << paths(x, y);
        std::cout << std::endl;
    }
    return 0;
}
