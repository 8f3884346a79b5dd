// A machine that gives change: in how many ways an amount can be paid, and with how few coins.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

long ways(std::vector<int> coins, int kinds, int amount) {
    if (amount == 0) return 1;
    if (amount < 0 || kinds == 0) return 0;
    return ways(coins, kinds - 1, amount) + ways(coins, kinds, amount - coins[kinds - 1]);
}

std::vector<int> fewest(std::vector<int> coins, int most) {
    std::vector<int> table(most + 1, -1);
    table[0] = 0;
    for (int amount = 1; amount <= most; ++amount)
        for (auto coin : coins)
            if (coin <= amount && table[amount - coin] >= 0 &&
                (table[amount] < 0 || table[amount - coin] + 1 < table[amount]))
                table[amount] = table[amount - coin] + 1;
    return table;
}

std::string line(int amount, long count, int least) {
    std::string text = "";
    text = text + std::to_string(amount);
    text = text + ": ";
    text = text + std::to_string(count);
    text = text + " ways, ";
    text = text + (least < 0 ? std::string("never") : std::to_string(least) + " coins");
    return text;
}

int main() {
    int kinds = 0, customers = 0;
    std::cin >> kinds;
    std::vector<int> coins;
    for (int i = 0; i < kinds; ++i) {
        int coin = 0;
        std::cin >> coin;
        coins.push_back(coin);
    }
    std::sort(coins.begin(), coins.end());
    std::cin >> customers;
    long all = 0;
    for (int i = 0; i < customers; ++i) {
        int amount = 0, large = 0;
        std::cin >> amount >> large;
        const long count = ways(coins, kinds, amount);
        const int least = fewest(coins, large)[large];
        all = (all * 17 + count + least) % 1000003;
        std::cout << line(amount, count, least) << std::endl;
    }
    std::cout << all << std::endl;
}
