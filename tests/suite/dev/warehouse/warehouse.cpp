// Books deliveries and orders of a warehouse and says what could not be delivered.
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

struct Lot {
    int amount;
    double price;
};

struct Article {
    std::string name;
    std::vector<Lot> lots;
    double earned = 0;
    int missing = 0;
};

int index_of(std::vector<Article> articles, std::string name) {
    for (size_t i = 0; i < articles.size(); ++i)
        if (articles[i].name == name) return static_cast<int>(i);
    return -1;
}

int in_stock(const Article& article) {
    int sum = 0;
    for (auto lot : article.lots) sum += lot.amount;
    return sum;
}

int main() {
    std::vector<Article> articles;
    std::string what, name;
    int amount = 0;
    double price = 0;
    int line = 0;
    while (std::cin >> what >> name >> amount >> price) {
        ++line;
        int at = index_of(articles, name);
        if (at < 0) {
            Article fresh;
            fresh.name = name;
            articles.push_back(fresh);
            at = static_cast<int>(articles.size()) - 1;
        }
        Article& article = articles[at];
        if (what == "in") {
            article.lots.push_back({amount, price});
            continue;
        }
        while (amount > 0 && !article.lots.empty()) {
            Lot& first = article.lots.front();
            const int taken = std::min(first.amount, amount);
            article.earned += taken * (price - first.price);
            first.amount -= taken;
            amount -= taken;
            if (first.amount == 0) article.lots.erase(article.lots.begin());
        }
        article.missing += amount;
        if (amount > 0) std::cout << "line " << line << ": " << name << " lacks " << amount << std::endl;
    }
    double total = 0;
    for (auto article : articles) {
        std::cout << std::left << std::setw(12) << article.name << std::right << std::setw(8) << in_stock(article)
                  << std::setw(8) << article.missing << std::fixed << std::setprecision(2) << std::setw(14)
                  << article.earned << std::endl;
        total += article.earned;
    }
    std::cout << articles.size() << " articles, " << std::fixed << std::setprecision(2) << total << std::endl;
}
