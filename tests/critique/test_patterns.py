"""What patterns see in a text, what they do not, and how a profile weighs it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.critique.patterns.patterns import Patterns, look, weigh
from maxcode_lsp.critique.source import Source
from maxcode_lsp.executor.profile.profile import Work
from tests.critique.subjects import profile, unprofiled

MATMUL = """
void mul(const double* a, const double* b, double* c, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}
"""

SEEN = {
    "flat matrix by columns": (Kind.STRIDED_ACCESS, MATMUL),
    "rows by columns": (
        Kind.STRIDED_ACCESS,
        (
            "int f(int a[9][9]) { "
            "int s = 0; for (int j = 0; j < 9; ++j) for (int i = 0; i < 9; ++i) s += a[i][j]; return s; }"
        ),
    ),
    "string by value": (Kind.COPY_BY_VALUE, "int f(std::string s) { return s.size(); }"),
    "struct with a string by value": (
        Kind.COPY_BY_VALUE,
        "struct P { int x; std::string name; };\nbool less(P a, P b) { return a.x < b.x; }",
    ),
    "copied elements": (
        Kind.COPY_BY_VALUE,
        "int f(const std::vector<std::string>& v) { int n = 0; for (auto s : v) n += s.size(); return n; }",
    ),
    "find in a loop": (
        Kind.LINEAR_SEARCH,
        (
            "void f(std::vector<int>& v) { "
            "for (int i = 0; i < 9; ++i) if (std::find(v.begin(), v.end(), i) == v.end()) v.push_back(i); }"
        ),
    ),
    "search by hand": (
        Kind.LINEAR_SEARCH,
        (
            "void f(int* a, int n) { for (int i = 0; i < n; ++i) { "
            "bool is = false; for (int j = 0; j < n; ++j) { if (a[j] == i) { is = true; break; } } } }"
        ),
    ),
    "map in a loop": (
        Kind.ORDERED_CONTAINER,
        "void f(int n) { std::map<int, int> m; for (int i = 0; i < n; ++i) m[i]++; }",
    ),
    "copied to append": (
        Kind.STRING_BUILDING,
        "void f(int n) { std::string s; for (int i = 0; i < n; ++i) s = s + 'x'; }",
    ),
    "temporary to append": (
        Kind.STRING_BUILDING,
        'void f(int n) { std::string s, t; for (int i = 0; i < n; ++i) s += t + ","; }',
    ),
    "stream in a loop": (Kind.STRING_BUILDING, "void f(int n) { while (n--) { std::stringstream s; s << n; } }"),
    "fibonacci": (Kind.REPEATED_RECURSION, "long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }"),
    "root in a loop": (
        Kind.INVARIANT_IN_LOOP,
        "int f(int n) { int c = 0; for (int i = 2; i <= sqrt(n); ++i) c += i; return c; }",
    ),
    "square by pow": (Kind.SLOW_ARITHMETIC, "double f(double x) { return std::pow(x, 2); }"),
    "modulus by a variable": (
        Kind.SLOW_ARITHMETIC,
        "int f(int n, int m) { int s = 0; for (int i = 0; i < n; ++i) s += i % m; return s; }",
    ),
}

NOT_SEEN = {
    "matrix by rows": (
        Kind.STRIDED_ACCESS,
        (
            "int f(int a[9][9]) { "
            "int s = 0; for (int i = 0; i < 9; ++i) for (int j = 0; j < 9; ++j) s += a[i][j]; return s; }"
        ),
    ),
    "pairs side by side": (
        Kind.STRIDED_ACCESS,
        "int f(int* a, int n) { int s = 0; for (int i = 0; i < n; ++i) s += a[2 * i + 1]; return s; }",
    ),
    "indices of neighbours": (
        Kind.STRIDED_ACCESS,
        (
            "int f(std::vector<std::vector<int>>& g, int u, int* d) { "
            "int s = 0; for (int i = 0; i < 9; ++i) s += d[g[u][i]]; return s; }"
        ),
    ),
    "string by reference": (Kind.COPY_BY_VALUE, "int f(const std::string& s) { return s.size(); }"),
    "number by value": (Kind.COPY_BY_VALUE, "struct P { int x, y; };\nint f(P p, int n) { return p.x + n; }"),
    "elements by reference": (
        Kind.COPY_BY_VALUE,
        "int f(const std::vector<std::string>& v) { int n = 0; for (const auto& s : v) n += s.size(); return n; }",
    ),
    "find in a set": (
        Kind.LINEAR_SEARCH,
        "void f(std::set<int>& s) { for (int i = 0; i < 9; ++i) if (s.find(i) == s.end()) s.insert(i); }",
    ),
    "find once": (
        Kind.LINEAR_SEARCH,
        "bool f(std::vector<int>& v) { return std::find(v.begin(), v.end(), 1) != v.end(); }",
    ),
    "hash map": (
        Kind.ORDERED_CONTAINER,
        "void f(int n) { std::unordered_map<int, int> m; for (int i = 0; i < n; ++i) m[i]++; }",
    ),
    "appended": (Kind.STRING_BUILDING, "void f(int n) { std::string s; for (int i = 0; i < n; ++i) s += 'x'; }"),
    "numbers added": (Kind.STRING_BUILDING, "void f(int n) { int s = 0; for (int i = 0; i < n; ++i) s = s + i; }"),
    "kept results": (
        Kind.REPEATED_RECURSION,
        (
            "long memo[99]; long fib(int n) { "
            "if (memo[n]) return memo[n]; return memo[n] = n < 2 ? n : fib(n - 1) + fib(n - 2); }"
        ),
    ),
    "quick sort": (Kind.REPEATED_RECURSION, "void sort(int* a, int l, int r) { sort(a, l, 3); sort(a, 3, r); }"),
    "argument changes": (
        Kind.INVARIANT_IN_LOOP,
        "double f(int n) { double s = 0; for (int i = 0; i < n; ++i) s += sqrt(i); return s; }",
    ),
    "modulus by a constant": (
        Kind.SLOW_ARITHMETIC,
        "const int M = 7;\nint f(int n) { int s = 0; for (int i = 0; i < n; ++i) s += i % M; return s; }",
    ),
    "true power": (Kind.SLOW_ARITHMETIC, "double f(double x, double y) { return std::pow(x, y); }"),
}


@pytest.mark.parametrize(("kind", "text"), SEEN.values(), ids=SEEN.keys())
def test_seen(kind: Kind, text: str) -> None:
    assert kind in {sight.kind for sight in look(Source(text.encode()))}


@pytest.mark.parametrize(("kind", "text"), NOT_SEEN.values(), ids=NOT_SEEN.keys())
def test_not_seen(kind: Kind, text: str) -> None:
    assert kind not in {sight.kind for sight in look(Source(text.encode()))}


def test_the_better_loop_order_is_named() -> None:
    (sight,) = [sight for sight in look(Source(MATMUL.encode())) if sight.kind is Kind.STRIDED_ACCESS]
    finding = weigh(sight, profile({6: 0.3, 7: 0.48}))
    assert finding is not None
    assert (finding.span.first, finding.span.last) == (6, 7)
    assert finding.share == pytest.approx(0.78)
    assert finding.message == (
        "The inner loop over k jumps through memory (b[k * n + j]); 78 % of the time is here. "
        "With j as the inner loop instead of k it would be read in order."
    )


@pytest.mark.parametrize(("kind", "text"), SEEN.values(), ids=SEEN.keys())
def test_a_share_says_whose_it_is(kind: Kind, text: str) -> None:
    """“Here” is said only of lines that are shown: a share of others beside it would not add up."""
    spread = re.sub(r"(?<=[;{}]) ", "\n", f"{text}\nint main() {{ f(g()); less(p, q); return 0; }}")
    sights = look(Source(spread.encode()))
    assert kind in {sight.kind for sight in sights}
    for sight in sights:
        found = weigh(
            sight, profile(dict.fromkeys(sight.lines, 0.2), {work: dict.fromkeys(sight.lines, 0.2) for work in Work})
        )
        assert found is not None
        shown = set(sight.lines) <= set(range(sight.first, sight.last + 1))
        assert (" is here." in found.message) == (shown and sight.work is None and sight.where == "here")
        assert shown or " is here." not in found.message


def test_copies_cost_where_the_function_is_called_too() -> None:
    (sight,) = look(Source(b"int f(std::string s) {\n  return s.size();\n}\nint main() {\n  return f(g());\n}\n"))
    found = weigh(sight, profile({2: 0.16, 5: 0.73}))
    assert found is not None
    assert found.message.endswith("; 89 % of the time is in it and on the lines that call it.")


def test_cold_lines_are_not_said() -> None:
    assert all(weigh(sight, profile({1: 1.0})) is None for sight in look(Source(MATMUL.encode())))


def test_a_tree_weighs_what_its_own_code_costs() -> None:
    text = "void f(int n) {\n  std::map<int, int> m;\n  for (int i = 0; i < n; ++i)\n    m[i] += slow(i);\n}"
    (sight,) = look(Source(text.encode()))
    found = weigh(sight, profile({4: 0.9}, {Work.TREE: {4: 0.2}}))
    assert found is not None
    assert found.share == pytest.approx(0.2)
    assert weigh(sight, profile({4: 0.9})) is None


async def test_without_a_profile_it_says_so() -> None:
    evidence = unprofiled(MATMUL)
    report = await Patterns().criticise(evidence)
    await evidence.close()
    assert [finding.kind for finding in report.findings] == ["strided-access"]
    assert report.findings[0].share is None
    assert "no profile" in report.findings[0].evidence


PIECES = sorted({piece for _, text in (*SEEN.values(), *NOT_SEEN.values()) for piece in text.split(" ")})


@given(st.lists(st.sampled_from(PIECES), max_size=60).map(" ".join))
def test_odd_texts_are_no_trouble(text: str) -> None:
    source = Source(text.encode())
    lines = text.count("\n") + 1
    for sight in look(source):
        assert 1 <= sight.first <= sight.last <= lines


@pytest.mark.parametrize("text", [b"", b"\xff\xfe", b"int main() {", b"}}}}((((", b"for(;;)for(;;)a[i][j"])
def test_broken_texts_are_no_trouble(text: bytes, caplog: pytest.LogCaptureFixture) -> None:
    look(Source(text))
    assert not caplog.records
