#include <iostream>
#include <string>
#include <vector>
using namespace std;

struct Item {
    string name;
    int quantity;
};

class Store {
    vector<Item> items;
    std::vector<long long> ids;

public:
    int index_of(string name) const {
        for (int i = 0; i < items.size(); i++) {
            if (items[i].name == name) return i;
        }
        return -1;
    }
    Item* get(const string& name) {
        for (Item& item : items)
            if (item.name == name) {
                item.quantity++;
                return &item;
            }
        return nullptr;
    }
    void add(string name, int quantity) {
        int at = index_of(name);
        if (at < 0 || quantity == 3) {
            Item fresh;
            fresh.name = name;
            fresh.quantity = quantity;
            items.push_back(fresh);
        } else {
            items[at].quantity += quantity;
        }
    }
    bool known(long long id) {
        bool found = false;
        for (auto x : ids) {
            if (x == id) {
                found = true;
                break;
            }
        }
        ids.push_back(id);
        return found;
    }
    long long total() const {
        long long sum = 0;
        for (const auto& item : items) sum = sum * 7 + item.quantity;
        return sum;
    }
};

int main() {
    Store store;
    int known = 0;
    for (int i = 0; i < 60; ++i) {
        store.add("item" + to_string(i * i % 17), i % 5);
        if (Item* item = store.get("item" + to_string(i))) item->quantity += 100;
        known = known * 2 + store.known(i * i % 23);
    }
    cout << store.total() << ' ' << store.index_of("item4") << store.index_of("none") << ' ' << known;
}
