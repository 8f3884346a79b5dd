from __future__ import annotations

import pytest

from maxcode_lsp.policy.rewrites.combine import apply
from maxcode_lsp.policy.rewrites.families import RULES
from maxcode_lsp.policy.rewrites.unit import Unit

HEAD = """#include <cstring>
#include <iostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>
using namespace std;
"""

SNIPPETS = {
    "append-in-place": """
int main() {
    string s, t = "t";
    for (int i = 0; i < 5; ++i) s = s + "ab";
    s = s + 'c' + t + to_string(4);
    s = s + (t + t);
    cout << s;
}
""",
    "character-append": """
int main() {
    string s;
    s += "x";
    s += "\\n";
    s += string(1, 'y');
    s += "'";
    s += "\\"";
    cout << s;
}
""",
    "substr-compare": """
int main() {
    string s = "hello", t = "ell";
    int count = 0;
    for (size_t i = 0; i < s.size(); ++i) {
        if (s.substr(i, 3) == t) ++count;
        if (s.substr(i, 1) == "l") count += 10;
        if ("lo" == s.substr(i)) count += 100;
        if (s.substr(i, 2) != s.substr(0, 2)) count += 1000;
    }
    cout << count;
}
""",
    "strlen-hoist": """
int main() {
    char s[] = "some text";
    int count = 0;
    for (size_t i = 0; i < strlen(s); ++i) {
        if (s[i] == 'e') count++;
        s[i] = toupper(s[i]);
    }
    cout << count << s;
}
""",
    "stringstream-reuse": """
int main() {
    vector<string> lines = {"1 2", "3", "", "4 5 6"};
    int sum = 0;
    for (const string& line : lines) {
        istringstream in(line);
        int v;
        while (in >> v) sum = sum * 10 + v;
        ostringstream out;
        out << sum;
        cout << out.str() << ' ';
    }
}
""",
    "regex-static": """
bool matches(const string& s) {
    regex pattern("a+b");
    return regex_match(s, pattern);
}
int main() {
    for (string s : {"aab", "ab", "b"}) cout << matches(s);
}
""",
}


def test_snippets_behave_alike(behaves_alike):
    behaves_alike({rule: HEAD + text for rule, text in SNIPPETS.items()})


def test_bulk_text(program_alike):
    text = """#include <iostream>
#include <sstream>
#include <string>
int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        std::stringstream in(line);
        std::string word, cell; int n = 0;
        while (in >> word) std::cout << word << '|';
        in.clear();
        in.str("7 x,y,,z");
        if (in >> n) std::cout << n;
        while (std::getline(in, cell, ',')) std::cout << '<' << cell << '>';
        std::cout << in.eof() << '\\n';
    }
}
"""
    assert "FastText in(line)" in program_alike("bulk-text", text, "a b  c\n\n  d \n")


def test_chains_stay_one_statement():
    unit = Unit(b'#include <string>\nvoid f(std::string s, char c) { s = s + c + "x"; }\n')
    [rewrite] = RULES["append-in-place"].find(unit)
    assert b'(s += c) += "x";' in apply(unit.data, rewrite.hunks)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("append-in-place", "void f(int s) { s = s + 1; }"),
        ("append-in-place", 'void f(string s) { s = s + "a" + s; }'),
        ("append-in-place", 'void f(string s) { s = "a" + s; }'),
        ("character-append", 'void f(string s) { s += "ab"; }'),
        ("character-append", 'void f(const char* s) { s += "a"; }'),
        ("substr-compare", 'bool f(string s) { return s.substr(0, 2) < "ab"; }'),
        ("strlen-hoist", "void f(char* s) { for (int i = 0; i < strlen(s); ++i) s[i] = 0; }"),
        ("strlen-hoist", 'void f(char* s) { for (int i = 0; i < strlen(s); ++i) strcat(s, "x"); }'),
        ("stringstream-reuse", "void f(string s) { stringstream in(s); int n; in >> n; }"),
        ("stringstream-reuse", "void f() { for (;;) { stringstream o; o << hex << 1; } }"),
        ("regex-static", "void f(string s) { regex r(s); }"),
        ("regex-static", 'int main() { regex r("a"); }'),
        ("bulk-text", "void g(istream&); void f(string s) { stringstream in(s); g(in); }"),
        ("bulk-text", "void f(string s) { stringstream o; o << s; cout << o.str(); }"),
    ],
)
def test_held_back(holds_back, rule, text):
    holds_back(rule, text)
