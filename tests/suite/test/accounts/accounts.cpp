// Replays transfers between accounts, refuses overdrafts and prints monthly statements.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>
#include <vector>

struct Transfer {
    std::string from, to;
    long cents = 0;
    int day = 0;
};

struct Account {
    std::string owner;
    long cents = 100000;
    std::vector<long> history;
};

Account* find(std::vector<Account>& accounts, std::string owner) {
    for (auto& account : accounts)
        if (account.owner == owner) return &account;
    return nullptr;
}

std::string money(long cents) {
    std::string text = std::to_string(cents / 100) + ".";
    if (cents % 100 < 10) text = text + "0";
    text = text + std::to_string(cents % 100);
    return text;
}

long largest(std::vector<long> history) {
    std::sort(history.begin(), history.end());
    return history.empty() ? 0 : history.back();
}

int main() {
    std::vector<Account> accounts;
    std::vector<Transfer> transfers;
    Transfer transfer;
    while (std::cin >> transfer.from >> transfer.to >> transfer.cents >> transfer.day) transfers.push_back(transfer);
    std::stable_sort(transfers.begin(), transfers.end(), [](Transfer a, Transfer b) { return a.day < b.day; });
    std::map<int, long> moved;
    int refused = 0;
    for (auto t : transfers) {
        for (auto owner : {t.from, t.to})
            if (find(accounts, owner) == nullptr) {
                Account fresh;
                fresh.owner = owner;
                accounts.push_back(fresh);
            }
        Account* from = find(accounts, t.from);
        Account* to = find(accounts, t.to);
        if (from->cents < t.cents) {
            ++refused;
            std::cout << "day " << t.day << ": " << t.from << " cannot pay " << money(t.cents) << std::endl;
            continue;
        }
        from->cents -= t.cents;
        to->cents += t.cents;
        from->history.push_back(t.cents);
        moved[t.day / 30] += t.cents;
    }
    for (auto account : accounts)
        std::cout << account.owner << ' ' << money(account.cents) << ' ' << account.history.size() << ' '
                  << money(largest(account.history)) << std::endl;
    for (auto [month, cents] : moved) std::cout << month << ' ' << money(cents) << std::endl;
    std::cout << refused << " refused" << std::endl;
}
