// Conway's game on a torus: prints the population of each generation and the last board's rows.
//
// input: rows columns generations, then the board ('#' alive, '.' dead)
#include <iostream>
#include <string>
#include <vector>

typedef std::vector<std::vector<bool>> Board;

static int around(const Board &board, int row, int column) {
    int rows = static_cast<int>(board.size());
    int columns = static_cast<int>(board[0].size());
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (dy == 0 && dx == 0) continue;
            int y = (row + dy + rows) % rows;
            int x = (column + dx + columns) % columns;
            if (board[y][x]) alive++;
        }
    }
    return alive;
}

static Board step(Board board) {
    Board next = board;
    for (std::size_t row = 0; row < board.size(); row++) {
        for (std::size_t column = 0; column < board[row].size(); column++) {
            int alive = around(board, static_cast<int>(row), static_cast<int>(column));
            next[row][column] = alive == 3 || (alive == 2 && board[row][column]);
        }
    }
    return next;
}

static int population(const Board &board) {
    int alive = 0;
    for (std::size_t row = 0; row < board.size(); row++) {
        for (std::size_t column = 0; column < board[row].size(); column++) {
            if (board[row][column]) alive++;
        }
    }
    return alive;
}

int main() {
    int rows, columns, generations;
    if (!(std::cin >> rows >> columns >> generations) || rows < 1 || columns < 1) {
        std::cout << "expected: rows columns generations\n";
        return 0;
    }
    Board board(rows, std::vector<bool>(columns, false));
    for (int row = 0; row < rows; row++) {
        std::string line;
        std::cin >> line;
        for (int column = 0; column < columns && column < static_cast<int>(line.size()); column++) {
            board[row][column] = line[column] == '#';
        }
    }
    for (int generation = 0; generation < generations; generation++) {
        std::cout << "generation " << generation << ": " << population(board) << "\n";
        board = step(board);
    }
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) std::cout << (board[row][column] ? '#' : '.');
        std::cout << "\n";
    }
    return 0;
}
