// How far does a change spread? Reads a dependency graph ("name: dependency dependency ...") and
// prints, for each module, how many modules must be rebuilt when it changes and how deep that goes.
#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

class Graph {
public:
    int id(std::string name) {
        auto found = ids_.find(name);
        if (found != ids_.end()) return found->second;
        int fresh = static_cast<int>(names_.size());
        ids_[name] = fresh;
        names_.push_back(name);
        users_.push_back(std::vector<int>());
        return fresh;
    }

    void depends(std::string module, std::string on) {
        int from = id(on), to = id(module);
        if (std::find(users_[from].begin(), users_[from].end(), to) == users_[from].end()) users_[from].push_back(to);
    }

    std::vector<int> users(int module) const { return users_[module]; }
    std::string name(int module) const { return names_[module]; }
    int size() const { return static_cast<int>(names_.size()); }

private:
    std::map<std::string, int> ids_;
    std::vector<std::string> names_;
    std::vector<std::vector<int>> users_;
};

struct Spread {
    int modules;
    int depth;
};

static Spread spread(const Graph &graph, int start) {
    std::vector<int> seen;
    std::vector<int> frontier;
    seen.push_back(start);
    frontier.push_back(start);
    int depth = 0;
    while (!frontier.empty()) {
        std::vector<int> next;
        for (int module : frontier) {
            for (int user : graph.users(module)) {
                if (std::find(seen.begin(), seen.end(), user) == seen.end()) {
                    seen.push_back(user);
                    next.push_back(user);
                }
            }
        }
        if (!next.empty()) depth++;
        frontier = next;
    }
    return {static_cast<int>(seen.size()) - 1, depth};
}

int main() {
    Graph graph;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream in(line);
        std::string module, dependency;
        if (!std::getline(in, module, ':')) continue;
        graph.id(module);
        while (in >> dependency) graph.depends(module, dependency);
    }
    long total = 0;
    for (int module = 0; module < graph.size(); module++) {
        Spread s = spread(graph, module);
        total += s.modules;
        std::cout << graph.name(module) << " rebuilds " << s.modules << ", depth " << s.depth << std::endl;
    }
    std::cout << "total " << total << std::endl;
    return 0;
}
