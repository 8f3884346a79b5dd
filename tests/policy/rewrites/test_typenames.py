from __future__ import annotations

import pytest

from maxcode_lsp.policy.rewrites.typenames import read_type, split_arguments


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("std::map<int, std::string>", "map<int,string>"),
        ("const std::vector< std::vector<int> > &", "vector<vector<int>>"),
        ("unsigned   long long", "unsigned long long"),
        ("static const int", "int"),
        ("ll", "long long"),
        ("::std::pair<ll, ll>", "pair<long long,long long>"),
        ("std::array<int, (3 > 2)>", "array<int,(3 > 2)>"),
        ("std::array<std::pair<int, int>, 4>", "array<pair<int,int>,4>"),
        ("", ""),
        ("map<", "map<"),
    ],
)
def test_reading(written: str, read: str) -> None:
    assert str(read_type(written, {"ll": "long long"})) == read


def test_aliases_that_name_each_other_end():
    assert str(read_type("a", {"a": "b", "b": "a"})) == "a"
    assert str(read_type("a", {"a": "vector<a>"})) == "vector<a>"


@pytest.mark.parametrize("written", ["int", "unsigned", "size_t", "std::uint64_t", "signed char", "bool", "long long"])
def test_integers(written: str) -> None:
    assert read_type(written).is_integer


@pytest.mark.parametrize("written", ["double", "string", "", "vector<int>", "Int"])
def test_others(written: str) -> None:
    assert not read_type(written).is_integer


def test_splitting():
    assert split_arguments("a<b, c>, (d, e), f") == ["a<b, c>", "(d, e)", "f"]
    assert split_arguments("") == []
