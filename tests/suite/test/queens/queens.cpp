// Puts queens on boards with holes so that none attacks another, and counts in how many ways.
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>
#include <vector>

using Board = std::vector<std::string>;

bool attacked(std::vector<int> queens, int row, int column) {
    for (int r = 0; r < row; ++r)
        if (queens[r] == column || std::abs(queens[r] - column) == row - r) return true;
    return false;
}

std::string drawn(std::vector<int> queens) {
    std::string text = "";
    for (auto column : queens) text = text + static_cast<char>('a' + column);
    return text;
}

long place(Board board, std::vector<int> queens, int row, std::set<std::string>& seen) {
    const int size = static_cast<int>(board.size());
    if (row == size) {
        seen.insert(drawn(queens));
        return 1;
    }
    long ways = 0;
    for (int column = 0; column < size; ++column) {
        if (board[row][column] == '#' || attacked(queens, row, column)) continue;
        queens[row] = column;
        ways += place(board, queens, row + 1, seen);
    }
    return ways;
}

int main() {
    int boards = 0;
    std::cin >> boards;
    long total = 0;
    for (int i = 0; i < boards; ++i) {
        int size = 0;
        std::cin >> size;
        Board board;
        for (int row = 0; row < size; ++row) {
            std::string line;
            std::cin >> line;
            board.push_back(line);
        }
        std::set<std::string> seen;
        const long ways = place(board, std::vector<int>(size, 0), 0, seen);
        total += ways;
        std::cout << "board " << i << ": " << ways << " ways";
        if (!seen.empty()) std::cout << ", first " << *seen.begin() << ", last " << *seen.rbegin();
        std::cout << std::endl;
    }
    std::cout << total << std::endl;
}
