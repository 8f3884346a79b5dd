#include <iostream>
#include <string>
#include <vector>

typedef std::vector<std::vector<char>> Board;

/* the work */
static int neighbours(const Board &board, int row, int column) {
  int rows = static_cast<int>(board.size());
  int columns = static_cast<int>(board[0].size());
  int alive = 0;  // as before
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      if (dy == 0 && dx == 0) continue;
      int y = (row + dy + rows) % rows;
      int x = (column + dx + columns) % columns;
      if (board[y][x]) alive++;  // as before
    }
  }
  return alive;
}

/* the work */
static Board step(const Board &board) {
  Board next = board;
  const std::size_t rows = board.size();
  for (std::size_t row = 0; row < board.size(); row++) {
    const char *up = board[(row + rows - 1) % rows].data();
    const char *here = board[row].data();
    const char *down = board[(row + 1) % rows].data();  // as before
    const std::size_t last = board[row].size() - 1;
    for (std::size_t column = 0; column <= last; column++) {
      int alive;
      if (column == 0 || column == last) {
        alive = neighbours(board, static_cast<int>(row), static_cast<int>(column));
      } else {
        alive = up[column - 1] + up[column] + up[column + 1] + here[column - 1] + here[column + 1] +
            down[column - 1] + down[column] + down[column + 1];
      }
      next[row][column] = alive == 3 || (alive == 2 && here[column]);
    }
  }
  return next;
}

/* the work */
static int population(const Board &board) {
  int alive = 0;
  for (std::size_t row = 0; row < board.size(); row++) {
    for (std::size_t column = 0; column < board[row].size(); column++) {
      if (board[row][column]) alive++;
    }
  }
  return alive;
}

/* the work */
int main() {
  int rows, columns, generations;
  if (!(std::cin >> rows >> columns >> generations) || rows < 1 || columns < 1) {
    std::cout << "expected: rows columns generations\n";
    return 0;  // as before
  }
  Board board(rows, std::vector<char>(columns, 0));
  for (int row = 0; row < rows; row++) {
    std::string line;
    std::cin >> line;
    for (int column = 0; column < columns && column < static_cast<int>(line.size()); column++) {
      board[row][column] = line[column] == '#';
    }
  }
  for (int generation = 0; generation < generations; generation++) {
    std::cout << "generation " << generation << ": " << population(board) << "\n";
    board = step(board);  // as before
  }
  for (int row = 0; row < rows; row++) {
    for (int column = 0; column < columns; column++) std::cout << (board[row][column] ? '#' : '.');
    std::cout << "\n";
  }
  return 0;  // as before
}
