// Finds the groups of computers that can reach each other, and how far apart they are at most.
#include <algorithm>
#include <iostream>
#include <set>
#include <vector>

std::vector<int> neighbours(std::vector<std::vector<bool>> linked, int node) {
    std::vector<int> found;
    for (int other = 0; other < static_cast<int>(linked.size()); ++other)
        if (linked[node][other]) found.push_back(other);
    return found;
}

int main() {
    int nodes = 0, links = 0;
    std::cin >> nodes >> links;
    std::vector<std::vector<bool>> linked(nodes, std::vector<bool>(nodes, false));
    for (int i = 0; i < links; ++i) {
        int a = 0, b = 0;
        std::cin >> a >> b;
        linked[a][b] = linked[b][a] = true;
    }
    std::vector<int> group(nodes, -1);
    int groups = 0;
    for (int start = 0; start < nodes; ++start) {
        if (group[start] >= 0) continue;
        std::vector<int> waiting = {start}, distance(nodes, 0);
        std::set<int> members;
        group[start] = groups;
        int farthest = 0;
        while (!waiting.empty()) {
            const int node = waiting.front();
            waiting.erase(waiting.begin());
            members.insert(node);
            farthest = std::max(farthest, distance[node]);
            for (int other : neighbours(linked, node)) {
                if (group[other] >= 0) continue;
                group[other] = groups;
                distance[other] = distance[node] + 1;
                waiting.push_back(other);
            }
        }
        std::cout << "group " << groups << ": " << members.size() << " from " << *members.begin() << " to "
                  << *members.rbegin() << ", " << farthest << " hops" << std::endl;
        ++groups;
    }
    std::cout << groups << " groups" << std::endl;
    for (int node = 0; node < nodes; ++node) std::cout << node << ' ' << group[node] << std::endl;
}
