// Prints 96 MB, so that a comparison gives up or only looks at the beginning.
#include <cstdio>
#include <vector>

int main() {
    std::vector<char> block(1 << 20, '\n');
    for (int i = 0; i < 96; i++) std::fwrite(block.data(), 1, block.size(), stdout);
    return 0;
}
