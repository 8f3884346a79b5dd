from __future__ import annotations

from collections.abc import Callable

import pytest


def test_every_rewrite_keeps_the_output(behaves_alike: Callable[[str], None]) -> None:
    behaves_alike("copies")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("range-for-reference", "void f(vector<string>& v) { for (auto s : v) { s += 'x'; use(s.size()); } }"),
        ("range-for-reference", "void f(vector<string>& v) { for (auto s : v) v.push_back(s); }"),
        ("range-for-reference", "void f(vector<int>& v) { for (auto x : v) cout << x; for (int x : v) cout << x; }"),
        (
            "range-for-reference",
            ("void f(vector<string>& v) { for (const auto& s : v) cout << s; for (auto& s : v) cout << s; }"),
        ),
        ("parameter-reference", "int f(vector<int> v) { v.push_back(1); return v.size(); }"),
        ("parameter-reference", "int f(map<int, int> m) { return m[3]; }"),
        ("parameter-reference", "int f(int n, double x, const string& s, vector<int>* p) { return n; }"),
        ("parameter-reference", "struct A { virtual int f(string s) { return s.size(); } };"),
        ("parameter-reference", "struct A { string s; A(string given) : s(std::move(given)) {} };"),
        ("lambda-capture-reference", "auto f(vector<int> v) { return [=](int i) { return v[i]; }; }"),
        (
            "lambda-capture-reference",
            ("void f(int n) { auto g = [=]() mutable { return n++; }; fs.push_back([=] { return n; }); }"),
        ),
        ("return-without-move", "vector<int> v; vector<int> f(vector<int>& a) { return std::move(a); }"),
        (
            "reused-container",
            (
                "void f() { for (int i = 0; i < 3; ++i) { vector<int> v; v.push_back(i); "
                "all.push_back(std::move(v)); } }"
            ),
        ),
        ("reused-container", "void f() { vector<int> v; for (int i = 0; i < 3; ++i) { static string s; int n = 3; } }"),
    ],
)
def test_it_holds_back(rule: str, text: str, holds_back: Callable[[str, str], None]) -> None:
    holds_back(rule, text)
