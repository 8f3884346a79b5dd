// Softens a grey image with a square window, sharpens it again and prints a histogram.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>

struct Image {
    int width = 0, height = 0;
    std::vector<std::vector<int>> rows;
};

int at(const Image& image, int x, int y) {
    x = std::max(0, std::min(image.width - 1, x));
    y = std::max(0, std::min(image.height - 1, y));
    return image.rows[y][x];
}

Image softened(Image image, int radius) {
    Image result = image;
    for (int x = 0; x < image.width; ++x)
        for (int y = 0; y < image.height; ++y) {
            long sum = 0;
            for (int dx = -radius; dx <= radius; ++dx)
                for (int dy = -radius; dy <= radius; ++dy) sum += at(image, x + dx, y + dy);
            result.rows[y][x] = static_cast<int>(sum / ((2 * radius + 1) * (2 * radius + 1)));
        }
    return result;
}

Image sharpened(Image image, Image soft, double strength) {
    Image result = image;
    for (int x = 0; x < image.width; ++x)
        for (int y = 0; y < image.height; ++y) {
            const double more = image.rows[y][x] + strength * (image.rows[y][x] - soft.rows[y][x]);
            result.rows[y][x] = std::clamp(static_cast<int>(std::floor(more + 0.5)), 0, 255);
        }
    return result;
}

int main() {
    Image image;
    int radius = 0;
    double strength = 0;
    std::cin >> image.width >> image.height >> radius >> strength;
    for (int y = 0; y < image.height; ++y) {
        std::vector<int> row;
        for (int x = 0; x < image.width; ++x) {
            int value = 0;
            std::cin >> value;
            row.push_back(value);
        }
        image.rows.push_back(row);
    }
    const Image soft = softened(image, radius);
    const Image sharp = sharpened(image, soft, strength);
    std::vector<int> histogram(256, 0);
    for (int x = 0; x < image.width; ++x)
        for (int y = 0; y < image.height; ++y) histogram[sharp.rows[y][x]]++;
    for (int value = 0; value < 256; ++value) std::cout << value << ' ' << histogram[value] << std::endl;
    for (int y = 0; y < image.height; y += 16) {
        for (int x = 0; x < image.width; x += 16) std::cout << sharp.rows[y][x] << ' ';
        std::cout << std::endl;
    }
}
