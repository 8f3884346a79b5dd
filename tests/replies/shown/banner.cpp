#include <iostream>
#include <string>

static const char *const help = R"(usage:
```
banner < text
```
<<<<<<< left
=======
>>>>>>> right
)";

int main() {
    std::string line, all;
    while (std::getline(std::cin, line)) all = all + line + "\n";
    std::cout << help << all << std::endl;
}
