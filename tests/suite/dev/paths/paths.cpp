// Counts ways through a hilly grid, for many questions: how many ways of at most so many climbs lead from a corner.
#include <iostream>
#include <vector>

long climbs(int right, int down, int most) {
    if (most < 0) return 0;
    if (right == 0 && down == 0) return 1;
    long ways = 0;
    if (right > 0) ways += climbs(right - 1, down, most - ((right + down) % 3 == 0 ? 1 : 0));
    if (down > 0) ways += climbs(right, down - 1, most - ((right * down) % 4 == 1 ? 1 : 0));
    return ways % 1000000007;
}

bool is_prime(int number) {
    if (number < 2) return false;
    for (int d = 2; d < number; ++d)
        if (number % d == 0) return false;
    return true;
}

int digits(std::vector<int> numbers) {
    int sum = 0;
    for (int number : numbers)
        for (; number > 0; number /= 10) sum += number % 10;
    return sum;
}

int main() {
    int questions = 0;
    std::cin >> questions;
    std::vector<int> answers;
    long total = 0;
    for (int q = 0; q < questions; ++q) {
        int right = 0, down = 0, most = 0, tag = 0;
        std::cin >> right >> down >> most >> tag;
        const long ways = climbs(right, down, most);
        total = (total * 31 + ways) % 1000000007;
        answers.push_back(static_cast<int>(ways % 10007));
        std::cout << ways;
        if (is_prime(tag)) std::cout << " prime";
        if (q % 4 == 0) std::cout << ' ' << digits(answers);
        std::cout << std::endl;
    }
    std::cout << total << ' ' << answers.size() << std::endl;
}
