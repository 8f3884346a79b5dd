// Spreads heat over a square plate with fixed edges and prints the temperature of the middle row
// and the mean of every column.
//
// input: width, steps, conductivity, then hot spots "row column temperature" until the end
#include <cmath>
#include <cstdio>
#include <vector>

class Plate {
public:
    explicit Plate(int width) : width_(width), cells_(width * width, 20.0), next_(width * width, 20.0) {}

    double &at(int row, int column) { return cells_[row * width_ + column]; }

    void step(double conductivity) {
        for (int column = 1; column < width_ - 1; column++) {
            for (int row = 1; row < width_ - 1; row++) {
                double around = cells_[(row - 1) * width_ + column] + cells_[(row + 1) * width_ + column] +
                                cells_[row * width_ + column - 1] + cells_[row * width_ + column + 1];
                double here = cells_[row * width_ + column];
                next_[row * width_ + column] =
                    here + (around - 4.0 * here) * std::exp(-1.0 / conductivity) / (1.0 + std::exp(-1.0 / conductivity));
            }
        }
        // the edges are kept at the temperature they have
        for (int column = 1; column < width_ - 1; column++) {
            for (int row = 1; row < width_ - 1; row++) {
                cells_[row * width_ + column] = next_[row * width_ + column];
            }
        }
    }

    double columnMean(int column) const {
        double sum = 0.0;
        for (int row = 0; row < width_; row++) sum += cells_[row * width_ + column];
        return sum / width_;
    }

    int width() const { return width_; }

private:
    int width_;
    std::vector<double> cells_;
    std::vector<double> next_;
};

int main() {
    int width, steps;
    double conductivity;
    if (std::scanf("%d %d %lf", &width, &steps, &conductivity) != 3 || width < 3 || width > 4000) {
        std::fprintf(stderr, "expected: width steps conductivity\n");
        return 1;
    }
    Plate plate(width);
    int row, column;
    double temperature;
    while (std::scanf("%d %d %lf", &row, &column, &temperature) == 3) {
        if (row < 0 || row >= width || column < 0 || column >= width) continue;
        plate.at(row, column) = temperature;
    }
    for (int i = 0; i < steps; i++) plate.step(conductivity);

    for (int c = 0; c < width; c++) std::printf("%.6f\n", plate.at(width / 2, c));
    std::printf("\n");
    for (int c = 0; c < width; c++) std::printf("%.6f\n", plate.columnMean(c));
    return 0;
}
