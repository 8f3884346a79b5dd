// The cheapest way over a sea of squares that cost different amounts, from the left side to the right.
#include <iostream>
#include <map>
#include <string>
#include <vector>

struct Place {
    int x = 0, y = 0;
    long cost = 0;
};

Place cheapest(std::vector<Place> open) {
    Place best = open[0];
    for (auto place : open)
        if (place.cost < best.cost || (place.cost == best.cost && place.y * 1000 + place.x < best.y * 1000 + best.x))
            best = place;
    return best;
}

void remove(std::vector<Place>& open, Place gone) {
    for (size_t i = 0; i < open.size(); ++i)
        if (open[i].x == gone.x && open[i].y == gone.y) {
            open.erase(open.begin() + static_cast<long>(i));
            return;
        }
}

int main() {
    int width = 0, height = 0;
    std::cin >> width >> height;
    std::vector<std::vector<int>> price(height, std::vector<int>(width, 0));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) std::cin >> price[y][x];
    std::vector<Place> open;
    std::map<std::pair<int, int>, long> done;
    for (int y = 0; y < height; ++y) open.push_back({0, y, price[y][0]});
    while (!open.empty()) {
        const Place at = cheapest(open);
        remove(open, at);
        if (done.count({at.x, at.y}) > 0) continue;
        done[{at.x, at.y}] = at.cost;
        const int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
        for (int i = 0; i < 4; ++i) {
            const int x = at.x + dx[i], y = at.y + dy[i];
            if (x < 0 || y < 0 || x >= width || y >= height || done.count({x, y}) > 0) continue;
            open.push_back({x, y, at.cost + price[y][x]});
        }
    }
    long best = -1, sum = 0;
    for (int y = 0; y < height; ++y) {
        const long cost = done[{width - 1, y}];
        std::cout << y << ' ' << cost << std::endl;
        if (best < 0 || cost < best) best = cost;
    }
    for (int x = 0; x < width; ++x)
        for (int y = 0; y < height; ++y) sum += done[{x, y}] % 97;
    std::cout << best << ' ' << sum << std::endl;
}
