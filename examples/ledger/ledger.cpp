// A warehouse's stock ledger: books deliveries and sales, refuses what cannot be served, and prints
// a journal and the stock at the end.
//
//   IN  article amount price_in_cents
//   OUT article amount
//   MOV article from_shelf to_shelf
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <string>
#include <vector>

struct Batch {
    int amount;
    long price;
};

struct Article {
    std::string code;
    std::string shelf = "-";
    std::list<Batch> batches;
    long sold = 0;
    long profit = 0;
};

static std::string money(long cents) {
    std::string sign = cents < 0 ? "-" : "";
    if (cents < 0) cents = -cents;
    std::string digits = std::to_string(cents / 100);
    std::string grouped = "";
    for (std::size_t i = 0; i < digits.size(); i++) {
        if (i > 0 && (digits.size() - i) % 3 == 0) grouped = grouped + ",";
        grouped = grouped + digits[i];
    }
    std::string rest = std::to_string(cents % 100);
    if (rest.size() < 2) rest = "0" + rest;
    return sign + grouped + "." + rest;
}

static std::string padded(std::string text, std::size_t width) {
    while (text.size() < width) text = text + " ";
    return text;
}

static int onStock(Article article) {
    int amount = 0;
    for (auto batch : article.batches) amount += batch.amount;
    return amount;
}

static long value(Article article) {
    long cents = 0;
    for (auto batch : article.batches) cents += batch.amount * batch.price;
    return cents;
}

// oldest batches go first; returns what they had cost
static long take(Article &article, int amount) {
    long cost = 0;
    while (amount > 0) {
        Batch &oldest = article.batches.front();
        int part = std::min(amount, oldest.amount);
        cost += part * oldest.price;
        oldest.amount -= part;
        amount -= part;
        if (oldest.amount == 0) article.batches.pop_front();
    }
    return cost;
}

int main() {
    std::map<std::string, Article> stock;
    std::string journal = "";
    std::string kind, code;
    int line = 0, refused = 0;
    while (std::cin >> kind >> code) {
        line++;
        Article &article = stock[code];
        article.code = code;
        if (kind == "IN") {
            Batch batch;
            std::cin >> batch.amount >> batch.price;
            article.batches.push_back(batch);
            journal = journal + std::to_string(line) + " in  " + padded(code, 10) + " " + money(batch.amount * batch.price) + "\n";
        } else if (kind == "OUT") {
            int amount;
            std::cin >> amount;
            if (onStock(article) < amount) {
                refused++;
                std::cout << "line " << line << ": only " << onStock(article) << " of " << code << ", " << amount
                          << " wanted" << std::endl;
                continue;
            }
            long cost = take(article, amount);
            article.sold += amount;
            article.profit += cost * 3 / 10;
            journal = journal + std::to_string(line) + " out " + padded(code, 10) + " " + money(cost) + "\n";
        } else {
            std::string from, to;
            std::cin >> from >> to;
            if (article.shelf == from || article.shelf == "-") article.shelf = to;
        }
    }
    std::cout << journal << std::endl;
    long total = 0;
    for (auto entry : stock) {
        Article article = entry.second;
        total += value(article);
        std::cout << padded(article.code, 10) << padded(article.shelf, 6) << std::setw(8) << onStock(article)
                  << std::setw(8) << article.sold << std::setw(16) << money(value(article)) << std::setw(16)
                  << money(article.profit) << std::endl;
    }
    std::cout << "stock worth " << money(total) << ", refused " << refused << std::endl;
    return 0;
}
