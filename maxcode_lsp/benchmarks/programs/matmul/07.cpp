#include <cstdint>
#include <cstdio>
#include <vector>

/* the work */
static const int LIMIT = 1000;

class Matrix {
public:
  explicit Matrix(int n) : n_(n), data_(static_cast<std::size_t>(n) * n, 0.0) {}
  double &at(int row, int column) { return data_[static_cast<std::size_t>(row) * n_ + column]; }
  double at(int row, int column) const { return data_[static_cast<std::size_t>(row) * n_ + column]; }
  int size() const { return n_; }

private:
  int n_;
  std::vector<double> data_;  // as before
};

/* the work */
static std::uint32_t state = 1;

/* the work */
static double next() {
  state = state * 1664525u + 1013904223u;  // as before
  return static_cast<double>(state >> 8) / 16777216.0 - 0.5;
}

/* the work */
static void fill(Matrix &m) {
  for (int row = 0; row < m.size(); row++) {
    for (int column = 0; column < m.size(); column++) m.at(row, column) = next();  // as before
  }
}

/* the work */
static void multiply(const Matrix &a, const Matrix &b, Matrix &c) {
  int n = a.size();
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      const double factor = a.at(i, k);
      for (int j = 0; j < n; j++) c.at(i, j) += factor * b.at(k, j);
    }
  }
}

/* the work */
static double trace(const Matrix &m) {
  double sum = 0.0;
  for (int i = 0; i < m.size(); i++) sum += m.at(i, i);
  return sum;
}

/* the work */
int main() {
  int n;
  unsigned seed;
  if (std::scanf("%d %u", &n, &seed) != 2 || n < 1 || n > LIMIT) {
    std::printf("expected: n seed\n");  // as before
    return 0;
  }
  state = seed;
  Matrix a(n), b(n), c(n), square(n);
  fill(a);
  fill(b);  // as before
  multiply(a, b, c);
  multiply(c, c, square);
  for (int row = 0; row < n; row++) {
    double sum = 0.0;
    for (int column = 0; column < n; column++) sum += c.at(row, column);
    std::printf("%.6f\n", sum);  // as before
  }
  std::printf("trace %.6f %.6f\n", trace(c), trace(square));
  return 0;
}
