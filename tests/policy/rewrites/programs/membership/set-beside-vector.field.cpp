#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

class Registry {
    vector<string> names;
public:
    bool has(const string& n) const { return find(names.begin(), names.end(), n) != names.end(); }
    void add(const string& n) { if (!has(n)) this->names.push_back(n); }
    size_t size() const { return names.size(); }
};
int main() {
    Registry r;
    for (int i = 0; i < 30; ++i) r.add(to_string(i % 7));
    cout << r.size();
}
