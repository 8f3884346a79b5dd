// A colony on a torus: cells are born and die by their neighbours, and age.
#include <iostream>
#include <string>
#include <vector>

using Board = std::vector<std::vector<bool>>;

int around(Board board, int x, int y) {
    const int height = static_cast<int>(board.size()), width = static_cast<int>(board[0].size());
    int count = 0;
    for (int dx = -1; dx <= 1; ++dx)
        for (int dy = -1; dy <= 1; ++dy)
            if ((dx != 0 || dy != 0) && board[(y + dy + height) % height][(x + dx + width) % width]) ++count;
    return count;
}

std::string shown(const Board& board, int y) {
    std::string line = "";
    for (size_t x = 0; x < board[y].size(); ++x) line = line + (board[y][x] ? '#' : '.');
    return line;
}

int main() {
    int height = 0, generations = 0;
    std::cin >> height >> generations;
    Board board;
    for (int y = 0; y < height; ++y) {
        std::string line;
        std::cin >> line;
        std::vector<bool> row;
        for (char c : line) row.push_back(c == '#');
        board.push_back(row);
    }
    if (board.empty()) return 0;
    const int width = static_cast<int>(board[0].size());
    std::vector<std::vector<int>> age(height, std::vector<int>(width, 0));
    for (int generation = 0; generation < generations; ++generation) {
        Board next = board;
        int alive = 0;
        for (int x = 0; x < width; ++x)
            for (int y = 0; y < height; ++y) {
                const int neighbours = around(board, x, y);
                next[y][x] = neighbours == 3 || (board[y][x] && neighbours == 2);
                age[y][x] = next[y][x] ? age[y][x] + 1 : 0;
                if (next[y][x]) ++alive;
            }
        board = next;
        std::cout << generation << ' ' << alive << std::endl;
    }
    long ages = 0;
    for (int x = 0; x < width; ++x)
        for (int y = 0; y < height; ++y) ages += age[y][x] * (x + 3 * y);
    for (int y = 0; y < height; y += 4) std::cout << shown(board, y) << std::endl;
    std::cout << ages << std::endl;
}
