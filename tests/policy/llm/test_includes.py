"""Include repair: what is missing comes, what is the text's own never brings anything, and nothing else changes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from maxcode_lsp.policy.llm.includes import repair_includes
from maxcode_lsp.policy.llm.standard_names import Kind, standard_names

ROOT = Path(__file__).parents[3]
PROGRAMS = sorted(
    file for folder in ("examples", "maxcode_lsp/benchmarks/programs") for file in (ROOT / folder).rglob("*.cpp")
)
USING = "#include <iostream>\nusing namespace std;\n"


def repaired(text: str, before: str = "") -> str:
    return repair_includes(text.encode(), before.encode()).decode()


def added(text: str, before: str = "") -> list[str]:
    """The headers that come in; nothing else may change."""
    lines = repaired(text, before).splitlines()
    new = [line for line in lines if line.startswith("#include") and line not in text.splitlines()]
    assert [line for line in lines if line not in new] == text.splitlines()
    return [line.removeprefix("#include ").strip("<>") for line in new]


@pytest.mark.parametrize(
    ("text", "headers"),
    [
        ("int f(std::vector<int> v) { return std::accumulate(v.begin(), v.end(), 0); }", ["numeric", "vector"]),
        (USING + "int f(int* a) { return count_if(a, a + 1, g); }", ["algorithm"]),
        (USING + "set<int> s; unordered_set<string> t;", ["set", "string", "unordered_set"]),
        (USING + "long long most = LLONG_MAX; int least = INT_MIN;", ["climits"]),
        (USING + "int most = numeric_limits<int>::max();", ["limits"]),
        (USING + "double f(double x) { return x * sqrt(x) + abs(x); }", ["cmath"]),
        (USING + "double f(double x) { double y = 2; return {y * sin(x)}; }", ["cmath"]),
        (USING + "void f() { cout << setw(3) << fixed << 1 << endl; }", ["iomanip"]),
        (USING + "auto f() -> vector<int>;", ["vector"]),
        (USING + "template <class T> vector<T> f();", ["vector"]),
        (USING + "#define all(x) sort(x.begin(), x.end())", ["algorithm"]),
        (USING + "#define LL uint64_t", ["cstdint"]),
        (USING + "auto p = make_unique<map<int, vector<int>>>();", ["map", "memory", "vector"]),
        (USING + "auto now() { return chrono::steady_clock::now(); }", ["chrono"]),
        (USING + "void f(int a, int b) { if (a > max(b, 1)) return; }", ["algorithm"]),
        ("#include <iostream>\nusing std::cout;\nusing std::vector;\nvector<int> v;", ["vector"]),
        ('#include <iostream>\nint main() { printf("%d", INT_MAX); }', ["climits", "cstdio"]),
        ("#include <iostream>\nvoid f(char* a) { ::memset(a, 0, 1); }", ["cstring"]),
        ("#include <vector>\nvoid f(std::vector<int>& v) { std::ranges::sort(v); }", ["algorithm"]),
        ("auto v = std::views::iota(1);", ["ranges"]),
        (USING + "void f(auto& v) { ranges::sort(v); }", ["algorithm"]),
        ("void f(std::pmr::vector<int>& v);", ["memory_resource", "vector"]),
        ("#include <string.h>\nvoid* f(void* a) { return std::memcpy(a, a, 1); }", ["cstring"]),
        ("#include <iostream>\nstd::string s;", ["string"]),
        ("#if 0\n#endif\nusing namespace std;\nmutex m; thread t(f); size_t n;", ["cstddef", "mutex", "thread"]),
        (USING + "double f() { return M_PI; }", ["cmath"]),
        (USING + "priority_queue<int, vector<int>, greater<int>> q;", ["functional", "queue", "vector"]),
    ],
)
def test_what_is_used_without_its_header_gets_it(text: str, headers: list[str]) -> None:
    assert added(text) == headers


@pytest.mark.parametrize(
    "body",
    [
        "int count = 0; void f() { count++; if (count < 3 && 2 > (1)) count = g(count); }",
        "int f(int min, int max) { return min < max ? min : max; }",
        "struct S { int count(int x) const; int data; S* next(); }; int g(S s) { return s.count(s.data); }",
        "struct S { vector_of<int> list(int); }; int g(S* s) { return s->list(3); }",
        "int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }",
        "int g() { auto lcm = [](int a, int b) { return a * b; }; return lcm(2, 3); }",
        "int *find(int *at, int what); int g(int* a) { return *find(a, 1); }",
        "void g(Pool<int>& data) { Pool<int> count(3); count(1); }",
        "int g() { int left = 1, right = 2; return left << right; }",
        "enum Operation { plus, minus, divides }; enum class Kind { list, map, string };",
        "struct list { int x; }; list make(); class set : list {}; set all;",
        "using map = int; using array = int[3]; map m; array a;",
        "template <typename optional> optional f(optional x);",
        "#define sqrt(x) mine(x)\ndouble g() { return sqrt(2); }",
        "namespace own { int rotate(int); } int g() { return own::rotate(1); }",
        "auto g(P p) { auto [min, max] = p; return min; }",
        "void g() { for (auto& count : all) count(); }",
        "next: goto next;",
        "/* vector<int> v; sort(a, b) */ // INT_MAX\n",
        'const char* a = "vector<int> INT_MAX"; const char* b = R"x(sort(a)\n#include <set>)x";',
        "int g() { return self.chrono + it->second.string; }",
        "int hash(int x) { return x; } int g() { return hash(1); }",
        "typedef unsigned char byte; byte b; byte f(byte c);",
        "int g(int (&array)[3]) { return array[0]; }",
        "T own_move(T&& move) { return forward_on(move); }",
    ],
)
def test_what_is_the_texts_own_brings_nothing(body: str) -> None:
    assert added(USING + body) == []


@pytest.mark.parametrize(
    "text",
    [
        "#include <bits/stdc++.h>\nusing namespace std;\nset<int> s; int i = INT_MAX;",
        "#include <iostream>\nvoid f() { std::cout << std::hex << std::endl; std::istream& in = std::cin; }",
        "#include <vector>\nstd::vector<int> v; auto n = std::size(v); std::size_t k; std::pair<int, int> p;",
        "#include <string.h>\nvoid* f(void* a) { return memcpy(a, a, sizeof(size_t)); }",
        "#include <math.h>\ndouble f() { return std::sqrt(2.0); }",
        '#include <cstdio>\nint f(size_t n) { return printf("", NULL); }',
        "#include <iostream>\nvector<int> v; int n = accumulate(v);",  # bare, and nothing says they are of std
        "#include <iostream>\nauto x = other::std::vector<int>();",
        "#if A\n#include <set>\n#else\n#include <bits/stdc++.h>\n#endif\nstd::set<int> s;",
        "",
    ],
)
def test_what_is_included_is_enough(text: str) -> None:
    assert repaired(text) == text


def test_what_came_with_the_includes_before_comes_with_them_still() -> None:
    before = "#include <iostream>\nstd::string s;"
    assert added(before + "std::string t; std::set<int> u;", before) == ["set"]
    assert added("#include <vector>\nstd::string s;", before) == ["string"]


@pytest.mark.parametrize(
    "expected",
    [
        "#include <map>\n+#include <set>\n\nstd::set<int> s;\n",
        "#include<map> // kept\n+#include<set>\nstd::set<int> s;\n",
        "+#include <set>\nstd::set<int> s;\n",
        "// What it is.\n+#include <set>\n\nstd::set<int> s;\n",
        "#pragma once\n+#include <set>\nstd::set<int> s;\n",
        "+#include <set>\n/* a */ std::set<int> s;\n",
        "// a\n#ifndef A\n#define A\n+#include <set>\nstd::set<int> s;\n#endif\n",
        "#ifndef A\n#define A\n#include <map>\n+#include <set>\nstd::set<int> s;\n#endif\n",
        "#include <map>\n+#include <set>\n#ifdef A\n#include <list>\n#endif\nstd::set<int> s;\n",
        "+#include <set>\n#ifdef A\n#include <list>\n#endif\nstd::set<int> s;\n",
        "+#include <set>\nint a;\n#include <map>\nstd::set<int> s;\n",
        "#include <stdio.h>\n+#include <string.h>\nint f(char* a) { return strlen(a); }\n",
    ],
)
def test_where_it_is_put(expected: str) -> None:
    """What comes in stands behind a plus."""
    assert repaired(re.sub(r"^\+.*\n", "", expected, flags=re.MULTILINE)) == expected.replace("+", "")


def test_a_last_line_without_an_end_gets_one() -> None:
    text = "#define N std::sort(a)\n#include <map>"
    assert repaired(text) == text + "\n#include <algorithm>\n"


def test_using_namespace_std_that_got_lost_comes_back() -> None:
    main = "int main() { cout << accumulate(a, b, 0); }\n"
    assert repaired("#include <iostream>\n\n" + main, USING) == (
        "#include <iostream>\n#include <numeric>\n\nusing namespace std;\n\n" + main
    )
    assert repaired("int main() { cout << 1; }\n", USING) == (
        "#include <iostream>\n\nusing namespace std;\n\nint main() { cout << 1; }\n"
    )


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("#include <iostream>\nint main() { std::cout << 1; }\n", USING),
        ("#include <iostream>\nusing std::cout;\nint main() { cout << 1; }\n", USING),
        ('#include <cstdio>\nint main() { puts(""); int count = 0; return count; }\n', USING),
        ("#include <iostream>\nint main() { using namespace std; cout << 1; }\n", USING),
        ("#include <iostream>\nint main() { cout << 1; }\n", "#include <iostream>\n"),
    ],
)
def test_using_namespace_std_comes_back_only_where_it_is_needed(text: str, before: str) -> None:
    assert repaired(text, before) == text


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: file.stem)
def test_programs_that_compile_stay_as_they_are(file: Path) -> None:
    text = file.read_bytes()
    assert repair_includes(text, text) == text
    without = re.sub(rb"#include <(algorithm|vector|numeric|string|cstdint)>\n", b"", text)
    assert repair_includes(repair_includes(without, text), text) == repair_includes(without, text)


@pytest.mark.parametrize("file", sorted((ROOT / "examples").rglob("*.cpp")), ids=lambda file: file.stem)
def test_an_example_that_lost_all_its_includes_compiles_again(file: Path) -> None:
    bare = re.sub(rb"#include <.*>\n", b"", file.read_bytes())
    text = repair_includes(bare, b"").decode()
    assert text != bare.decode()
    assert complaints(text) == ""


LINES = ["#include <map>", "#if 1", "#endif", "#ifndef A", "#define A", "#pragma once", "// a", "using namespace std;"]
WORDS = """#include <vector> "own.h" /* */ R"( )"
" ' std std:: :: vector sort count INT_MAX string cout endl chrono printf
size_t left ranges < > >> ( ) { } [ ] ; , . -> * & = << using namespace int return template auto const class \\ x 1"""
PARTS = st.sampled_from([*(line + "\n" for line in LINES), *WORDS.split(), " ", "\n", "\\\n"])
TEXTS = st.lists(PARTS, max_size=40).map("".join).map(str.encode) | st.binary(max_size=200)


@given(text=TEXTS, before=TEXTS)
@example(text=b"/* std::set<int> s;", before=b"")
@example(text=b'R"(\nusing namespace std; set<int> s; cout << 1', before=b"using namespace std;")
@example(text=b"#include <map> /*\nstd::set<int> s;", before=b"")
@example(text=b"#include <map> \\", before=b"")
@example(text=b"#define A std::set \\", before=b"")
def test_any_text_is_read_twice_the_same_and_only_gets_lines(text: bytes, before: bytes) -> None:
    once = repair_includes(text, before)
    assert repair_includes(once, before) == once
    rest = iter(once.splitlines())
    assert all(line in rest for line in text.splitlines())  # in their order


def test_long_texts_are_no_trouble() -> None:
    for part in (b"a < ", b"std::", b"vector<", b"int *", b"> ", b"{", b"/*", b'R"(', b"#if 1\n", b"sort(", b"const "):
        repair_includes(part * 10_000, part * 10_000)  # minutes, if it were not linear


def test_every_name_is_in_this_compilers_library() -> None:
    """Not the compiler's own global names, such as sqrtf, which some versions leave out of std."""
    forms = {
        Kind.MACRO: "#ifndef {0}\n#error {0}\n#endif\n",
        Kind.NAMESPACE: "namespace in_{0} = std::{0};\n",
    }
    text = "#include <bits/stdc++.h>\n#include <cinttypes>\n#include <execution>\nusing namespace std;\n"
    for name in standard_names().names.values():
        form = forms.get(name.kind, "namespace in_{0} {{ using " + ("" if name.is_c else "std") + "::{0}; }}\n")
        text += form.format(name.name)
    assert complaints(text) == ""


@pytest.mark.parametrize("header", ["<algorithm>", "<numeric>", "<cmath>"])
def test_its_header_declares_it(header: str) -> None:
    names = [name for name in standard_names().names.values() if name.header == header]
    text = f"#include {header}\nusing namespace std;\n"
    for name in names:
        if name.kind not in {Kind.MACRO, Kind.NAMESPACE}:
            text += f"namespace in_{name.name} {{ using {'' if name.is_c else 'std'}::{name.name}; }}\n"
    assert len(names) > 5
    assert complaints(text) == ""


def complaints(text: str) -> str:
    command = ["g++", "-x", "c++", "-std=c++20", "-fsyntax-only", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False).stderr
