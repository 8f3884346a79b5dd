// Splits a configuration language into tokens and says how often each key is set, and how deep it stands.
#include <cctype>
#include <iostream>
#include <map>
#include <string>
#include <vector>

struct Token {
    char kind;
    std::string text;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

std::vector<Token> split(std::string text) {
    std::vector<Token> tokens;
    size_t at = 0;
    while (at < text.size()) {
        if (std::isspace(static_cast<unsigned char>(text[at]))) {
            ++at;
        } else if (text[at] == '"') {
            std::string quoted = "";
            for (++at; at < text.size() && text[at] != '"'; ++at) quoted = quoted + text[at];
            ++at;
            tokens.push_back({'s', quoted});
        } else if (is_word(text[at])) {
            std::string word = "";
            while (at < text.size() && is_word(text[at])) word = word + text[at++];
            tokens.push_back({'w', word});
        } else {
            tokens.push_back({'p', std::string(1, text[at++])});
        }
    }
    return tokens;
}

std::string path(std::vector<std::string> names) {
    std::string all = "";
    for (auto name : names) all = all + "/" + name;
    return all;
}

int main() {
    std::string text, line;
    while (std::getline(std::cin, line)) text = text + line + "\n";
    std::vector<Token> tokens = split(text);
    std::map<std::string, int> keys, values;
    std::map<char, int> kinds;
    std::vector<std::string> names;
    size_t deepest = 0;
    for (size_t i = 0; i < tokens.size(); ++i) {
        Token token = tokens[i];
        kinds[token.kind]++;
        if (token.text == "{" && i > 0) names.push_back(tokens[i - 1].text);
        if (token.text == "}" && !names.empty()) names.pop_back();
        deepest = std::max(deepest, names.size());
        if (token.text == "=" && i > 0 && i + 1 < tokens.size()) {
            keys[path(names) + "/" + tokens[i - 1].text]++;
            values[tokens[i + 1].text]++;
        }
    }
    for (auto entry : keys) std::cout << entry.first << ' ' << entry.second << std::endl;
    for (auto entry : kinds) std::cout << entry.first << ' ' << entry.second << std::endl;
    size_t longest = 0;
    for (auto entry : values) longest = std::max(longest, entry.first.size());
    std::cout << tokens.size() << ' ' << keys.size() << ' ' << values.size() << ' ' << longest << ' ' << deepest << std::endl;
}
