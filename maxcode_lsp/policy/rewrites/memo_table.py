"""The C++ text of memo tables: dense ones for small numbers, hashed ones for any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

OWN_NAMES = frozenset({"memo_table", "memo_row", "memo_small", "memo_value", "memo_key", "memo_found", "Key", "Hash"})
"""Names that the generated bodies use."""

ROW_LIMITS = {1: (1 << 22,), 2: (1 << 14, 1 << 17)}
"""Arguments below these are kept in dense tables, by the number of arguments."""


class KeyLike(Protocol):
    """A parameter that results are kept by."""

    @property
    def name(self) -> str: ...

    @property
    def signed(self) -> bool: ...


def dense_body(keys: Sequence[KeyLike], result: str, call: str, depth: str) -> str:
    """A function body that keeps results in vectors; larger or negative arguments are computed each time."""
    tests = " && ".join(
        f"{key.name} >= 0 && {key.name} < {limit}" if key.signed else f"{key.name} < {limit}"
        for key, limit in zip(keys, ROW_LIMITS[len(keys)], strict=True)
    )
    last = f"static_cast<std::size_t>({keys[-1].name})"
    table = "std::vector<Known>" if len(keys) == 1 else "std::vector<std::vector<Known>>"
    lines = [
        f"struct Known {{ {result} value{{}}; bool known = false; }};",
        f"static {table} memo_table;",
        *_opening(depth),
        f"const bool memo_small = {tests};",
        "if (memo_small) {",
    ]
    if len(keys) == 2:
        first = f"static_cast<std::size_t>({keys[0].name})"
        lines += [
            f"    if ({first} >= memo_table.size()) memo_table.resize({first} * 3 / 2 + 16);",
            f"    auto& memo_row = memo_table[{first}];",
        ]
    else:
        lines += ["    auto& memo_row = memo_table;"]
    place = f"memo_table[{keys[0].name}][{keys[1].name}]" if len(keys) == 2 else f"memo_table[{keys[0].name}]"
    # The row is looked up again after the call, which may have moved it.
    lines += [
        f"    if ({last} >= memo_row.size()) memo_row.resize({last} * 3 / 2 + 16);",
        f"    if (memo_row[{last}].known) return memo_row[{last}].value;",
        "}",
        *_computed(result, call, depth),
        f"if (memo_small) {place} = {{memo_value, true}};",
        "return memo_value;",
    ]
    return "\n".join(lines)


def hashed_body(keys: Sequence[KeyLike], result: str, call: str, depth: str) -> str:
    """A function body that keeps results in a hash table."""
    lines = [
        *_hash(keys),
        f"static std::unordered_map<Key, {result}, Hash> memo_table;",
        *_opening(depth),
        f"const Key memo_key{{{_packed(keys)}}};",
        "const auto memo_found = memo_table.find(memo_key);",
        "if (memo_found != memo_table.end()) return memo_found->second;",
        *_computed(result, call, depth),
        "memo_table.emplace(memo_key, memo_value);",
        "return memo_value;",
    ]
    return "\n".join(lines)


def hashed_lambda(keys: Sequence[KeyLike], result: str, memo: str) -> tuple[str, str, str]:
    """Statements before a lambda, and the beginning and end of its body, that keep its results in a hash table."""
    key, hashed = f"{memo}_key", f"{memo}_hash"
    before = "\n".join([*_hash(keys, key, hashed), f"std::unordered_map<{key}, {result}, {hashed}> {memo};"])
    opening = (
        f" const {key} memo_key{{{_packed(keys)}}};"
        f" if (const auto memo_found = {memo}.find(memo_key); memo_found != {memo}.end()) return memo_found->second;"
        f" const {result} memo_value = [&]() -> {result} {{"
    )
    return before, opening, f"}}(); {memo}.emplace(memo_key, memo_value); return memo_value; "


def _hash(keys: Sequence[KeyLike], key: str = "Key", hashed: str = "Hash") -> list[str]:
    return [
        f"using {key} = std::array<long long, {len(keys)}>;",
        f"struct {hashed} {{",
        f"    std::size_t operator()(const {key}& key) const {{",
        "        unsigned long long mixed = 0;",
        "        for (auto part : key) {",
        "            mixed = (mixed ^ static_cast<unsigned long long>(part)) * 0x9E3779B97F4A7C15ull;",
        "            mixed ^= mixed >> 32;",
        "        }",
        "        return mixed;",
        "    }",
        "};",
    ]


def _packed(keys: Sequence[KeyLike]) -> str:
    return ", ".join(f"static_cast<long long>({key.name})" for key in keys)


def _opening(depth: str) -> list[str]:
    """What is known holds only as long as the outermost call runs, if it depends on more than the keys."""
    return [f"static int {depth} = 0;", f"if ({depth} == 0) memo_table.clear();"] if depth else []


def _computed(result: str, call: str, depth: str) -> list[str]:
    value = f"const {result} memo_value = {call};"
    return [f"++{depth};", value, f"--{depth};"] if depth else [value]
