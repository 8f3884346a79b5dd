from __future__ import annotations

import pytest

from tests.policy.conftest import ProgramAlike

from .conftest import HoldsBack

INPUTS = (
    "3 -4 +5 2147483648 7\nab\n",
    "1 2 x 3",
    "12",
    "",
    "-9223372036854775809 1 1 1 1\n",
    "1 2 3 18446744073709551616 5",
    "1 2 3 -7 5",
    "- 1",
    "1 2 3 4 3.25e1 word q rest of line\nnext line\n\nlast",
    "1 2 3 4 1e400 word q\nline",
    "1 2 3 4 1e word q\nline",
    "1 2 3 4 .5 word q\n",
    "1 2 3 4 -1e-320 w",
    "1\n2\n3\n4\n5.\nw\nq\n\n\n",
    "1 2 3 4 +.5e+2 w x y z",
)

EVERYTHING = """#include <iostream>
#include <string>
int main() {
    std::ios::sync_with_stdio(false);
    int a = -1; long long b = -1; short c = -1; unsigned long long d = 77; double x = -1;
    std::string w = "none", l = "no line", m = "m"; char q = '?';
    std::cin >> a >> b >> c >> d;
    std::cout << a << ' ' << b << ' ' << c << ' ' << d << ' ' << std::cin.eof() << std::cin.fail() << '\\n';
    if (!(std::cin >> x)) std::cout << "no x\\n";
    std::cin >> w >> q;
    std::cout << x << ' ' << w << ' ' << q << ' ' << std::cin.eof() << std::cin.fail() << std::cin.good() << '\\n';
    while (std::getline(std::cin, l)) std::cout << '[' << l << "]\\n";
    std::cout << l << std::cin.eof() << std::cin.fail() << '\\n';
    std::cin.clear();
    std::cin >> std::ws;
    std::cout << std::cin.peek() << std::cin.get() << std::cin.eof() << '\\n';
    std::cin.ignore(3, 'x');
    if (std::cin) std::cout << "still good\\n";
}
"""


def test_bulk_input_behaves_like_cin(program_alike: ProgramAlike) -> None:
    changed = program_alike("bulk-input", EVERYTHING, *INPUTS)
    assert "std::cin" not in changed.split("int main")[1]


def test_bulk_input_crosses_block_ends(program_alike: ProgramAlike) -> None:
    text = """#include <bits/stdc++.h>
using namespace std;
int main() {
    string s; int n; long long sum = 0; double d = 0, total = 0;
    cin >> n;
    for (int i = 0; i < n; ++i) { int v; cin >> v >> s >> d; sum = sum * 31 + v + s.size() + s[0]; total += d; }
    cout << sum << ' ' << total << endl;
    cin.ignore();
    while (getline(cin, s)) sum = sum * 31 + s.size();
    cout << sum << endl;
}
"""
    rows = [f"{i * 7919} word{i} {i / 7}\n" for i in range(9000)]
    program_alike("bulk-input", text, f"{len(rows)}\n{''.join(rows)}{'z' * 200000}\nlast line {'y' * 70000}")


def test_raw_input_on_well_formed_input(program_alike: ProgramAlike) -> None:
    text = """#include <iostream>
#include <string>
int main() {
    int n; long long sum = 0; unsigned short u; std::string word; double x; char c;
    while (std::cin >> n >> u >> word >> x >> c) sum = sum * 31 + n + u + word.size() + static_cast<int>(x * 8) + c;
    std::cout << sum << std::cin.eof() << '\\n';
}
"""
    rows = [f"{i * 7919 - 30000000} {i}\t word{i}\n{i / 8} x\n" for i in range(9000)]
    program_alike("raw-input", text, "".join(rows), "".join(rows).rstrip(), "-5 7 w .5 q")


def test_scanf_reader(program_alike: ProgramAlike) -> None:
    text = """#include <cstdio>
int main() {
    int n, v[3]; long long big; double d; char word[20], c;
    if (scanf("%d", &n) != 1) { printf("nothing\\n"); return 0; }
    while (scanf("%d %lld%lf", &v[0], &big, v + 1 ? &d : &d) == 3) printf("%d %lld %.3f\\n", v[0], big, d);
    if (scanf("%s %c", word, &c) == 2) printf("%s %c\\n", word, c);
    printf("%d %d %d\\n", scanf(" %d\\n", &v[2]), getchar(), n);
}
"""
    program_alike("scanf-reader", text, "7\n1 2 3.5\n4 5 6\nhello x 9\n", "", "5 1 2 3", "x", "3 4 y")


def test_bulk_text(program_alike: ProgramAlike) -> None:
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


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("bulk-input", "#include <iostream>\nint main() { int n; std::cin >> std::hex >> n; }"),
        ("bulk-input", "#include <iostream>\nvoid f(std::istream& in);\nint main() { f(std::cin); }"),
        ("bulk-input", "#include <iostream>\nint main() { int n; std::cin >> n; n = getchar(); }"),
        (
            "bulk-input",
            "std::istream& operator>>(std::istream&, P&);\nint main() { P p; std::cin >> p; }",
        ),
        ("bulk-text", "void g(istream&); void f(string s) { stringstream in(s); g(in); }"),
        ("bulk-text", "void f(string s) { stringstream o; o << s; cout << o.str(); }"),
        ("scanf-reader", '#include <cstdio>\nint main() { int n; scanf("%x", &n); }'),
        ("scanf-reader", '#include <cstdio>\nint main() { int n; scanf("%3d", &n); }'),
        ("scanf-reader", '#include <cstdio>\nint main() { int n; char s[9]; scanf("%d", &n); fgets(s, 9, stdin); }'),
    ],
)
def test_held_back(holds_back: HoldsBack, rule: str, text: str) -> None:
    holds_back(rule, text)


def test_older_standards_are_left_alone():
    from maxcode_lsp.policy.rewrites.families import RULES
    from maxcode_lsp.policy.rewrites.unit import Unit

    assert list(RULES["bulk-input"].find(Unit(EVERYTHING.encode(), ("-std=c++14",)))) == []
