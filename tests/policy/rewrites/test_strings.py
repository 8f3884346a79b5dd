from __future__ import annotations

import pytest

from maxcode_lsp.policy.rewrites.combine import apply
from maxcode_lsp.policy.rewrites.families import RULES
from maxcode_lsp.policy.rewrites.unit import Unit

from .conftest import BehavesAlike, HoldsBack


def test_programs_behave_alike(behaves_alike: BehavesAlike) -> None:
    behaves_alike("strings")


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
        ("append-then-reverse", "void f() { string r = \"x\"; for (;;) { r = 'a' + r; } }"),
        ("append-then-reverse", "void f(string t) { string r; for (;;) { r = t + r; } }"),
        ("append-then-reverse", "void f() { string r; for (;;) { r = 'a' + r; g(r); } }"),
        ("append-then-reverse", "void f() { string r; for (;;) { for (;;) r = 'a' + r; } }"),
        ("append-then-reverse", "void f() { string r; r += 'b'; for (;;) { r = 'a' + r; } }"),
        ("stringstream-reuse", "void f(string s) { stringstream in(s); int n; in >> n; }"),
        ("stringstream-reuse", "void f() { for (;;) { stringstream o; o << hex << 1; } }"),
        ("regex-static", "void f(string s) { regex r(s); }"),
        ("regex-static", 'int main() { regex r("a"); }'),
    ],
)
def test_held_back(holds_back: HoldsBack, rule: str, text: str) -> None:
    holds_back(rule, text)
