from __future__ import annotations

import pytest

from .conftest import BehavesAlike, HoldsBack, Rewritten

STORE = """struct P {{ int key; int n; }};
struct Store {{
    std::vector<P> all;
    int find(int key) {{
        for (int i = 0; i < all.size(); ++i) if (all[i].key == key) {then}
        return -1;
    }}
    void other() {{ {other} }}
}};
"""


def test_programs_behave_alike(behaves_alike: BehavesAlike) -> None:
    behaves_alike("indexes")


def test_the_loop_becomes_a_look_up(rewritten: Rewritten) -> None:
    [text] = rewritten("index-beside-vector", STORE.format(then="return i;", other=""))
    assert (
        "    mutable std::unordered_map<int, std::size_t> all_by_key;\n    mutable std::size_t all_known = 0;" in text
    )
    assert "= all_by_key.find(key); all_found != all_by_key.end()) {" in text


@pytest.mark.parametrize(
    ("then", "other"),
    [
        ("n++;", ""),
        ("{ if (n) break; return i; }", ""),
        ("return i;", "all.pop_back();"),
        ("return i;", "all.clear();"),
        ("return i;", "std::sort(all.begin(), all.end());"),
        ("return i;", "all = {};"),
        ("return i;", "all[2].key = 3;"),
        ("return i;", "P& p = all[0]; p.key++;"),
    ],
)
def test_held_back(holds_back: HoldsBack, then: str, other: str) -> None:
    holds_back("index-beside-vector", STORE.format(then=then, other=other))


def test_held_back_for_keys_without_a_hash(holds_back: HoldsBack) -> None:
    holds_back("index-beside-vector", STORE.format(then="return i;", other="").replace("int key;", "Q key;"))
