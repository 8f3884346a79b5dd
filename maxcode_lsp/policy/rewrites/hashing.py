"""Hashing: tables for integer keys without a node an element, and a hash for pairs."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.containers import order_unseen, template_name, together
from maxcode_lsp.policy.rewrites.edits import declarations_hunk, replace
from maxcode_lsp.policy.rewrites.rule import Rewrite, register
from maxcode_lsp.policy.rewrites.scopes import Variable
from maxcode_lsp.policy.rewrites.typenames import TypeName, read_type
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.policy.rewrites.uses import lines_of, member, ranged, subscript
from maxcode_lsp.records import Hunk

FLAT_TABLE = """\
// Hash table for integers, or pairs of them: one array with linear probing, no node an element.
template <class Key, class Value>
class FlatMap {
    std::vector<std::pair<Key, Value>> slots;
    std::vector<char> taken;
    std::size_t filled = 0;
    int shift = 64;

    template <class T>
    static std::uint64_t bits(const T& key) { return static_cast<std::uint64_t>(key); }
    template <class A, class B>
    static std::uint64_t bits(const std::pair<A, B>& key) {
        return bits(key.first) * 0x100000001B3u + bits(key.second);
    }
    std::size_t home(const Key& key) const { return bits(key) * 0x9E3779B97F4A7C15u >> shift; }
    std::size_t place(const Key& key) const {
        std::size_t at = home(key);
        while (taken[at] && slots[at].first != key) at = (at + 1) & (slots.size() - 1);
        return at;
    }
    void grow(std::size_t size) {
        std::vector<std::pair<Key, Value>> old(size);
        std::vector<char> marks(size);
        old.swap(slots);
        marks.swap(taken);
        for (shift = 64; size > 1; size /= 2) --shift;
        for (std::size_t i = 0; i < old.size(); ++i) {
            if (!marks[i]) continue;
            const std::size_t at = place(old[i].first);
            taken[at] = 1;
            slots[at] = std::move(old[i]);
        }
    }

public:
    using iterator = std::pair<Key, Value>*;
    iterator end() { return slots.data() + slots.size(); }
    iterator find(const Key& key) {
        if (filled == 0) return end();
        const std::size_t at = place(key);
        return taken[at] ? &slots[at] : end();
    }
    std::pair<iterator, bool> emplace(const Key& key, Value value = Value()) {
        if ((filled + 1) * 2 > slots.size()) grow(slots.empty() ? 16 : slots.size() * 2);
        const std::size_t at = place(key);
        if (taken[at]) return {&slots[at], false};
        taken[at] = 1;
        ++filled;
        slots[at] = {key, std::move(value)};
        return {&slots[at], true};
    }
    std::pair<iterator, bool> insert(std::pair<Key, Value> element) {
        return emplace(element.first, std::move(element.second));
    }
    Value& operator[](const Key& key) {
        if (filled != 0) {
            const std::size_t at = place(key);
            if (taken[at]) return slots[at].second;
        }
        return emplace(key).first->second;
    }
    Value& at(const Key& key) {
        const iterator found = find(key);
        if (found == end()) throw std::out_of_range("FlatMap::at");
        return found->second;
    }
    std::size_t count(const Key& key) { return find(key) != end(); }
    bool contains(const Key& key) { return find(key) != end(); }
    std::size_t erase(const Key& key) {
        if (!contains(key)) return 0;
        std::size_t hole = place(key), at = hole;
        for (;;) {
            at = (at + 1) & (slots.size() - 1);
            if (!taken[at]) break;
            if (((at - home(slots[at].first)) & (slots.size() - 1)) < ((at - hole) & (slots.size() - 1))) continue;
            slots[hole] = std::move(slots[at]);
            hole = at;
        }
        taken[hole] = 0;
        slots[hole] = {};
        --filled;
        return 1;
    }
    std::size_t size() const { return filled; }
    bool empty() const { return filled == 0; }
    void clear() { *this = FlatMap(); }
    void reserve(std::size_t count) {
        std::size_t size = 16;
        while (size < count * 2) size *= 2;
        if (size > slots.size()) grow(size);
    }
};
"""

FLAT_SET = """
template <class Key>
class FlatSet {
    FlatMap<Key, char> keys;

public:
    auto insert(const Key& key) { return keys.emplace(key); }
    auto emplace(const Key& key) { return keys.emplace(key); }
    auto find(const Key& key) { return keys.find(key); }
    auto end() { return keys.end(); }
    std::size_t count(const Key& key) { return keys.count(key); }
    bool contains(const Key& key) { return keys.contains(key); }
    std::size_t erase(const Key& key) { return keys.erase(key); }
    std::size_t size() const { return keys.size(); }
    bool empty() const { return keys.empty(); }
    void clear() { keys.clear(); }
    void reserve(std::size_t count) { keys.reserve(count); }
};
"""

PAIR_HASH = """\
// Mixes both integers of a pair into one hash.
struct PairHash {
    template <class A, class B>
    std::size_t operator()(const std::pair<A, B>& pair) const {
        std::uint64_t mixed = static_cast<std::uint64_t>(pair.first) * 0x9E3779B97F4A7C15u;
        mixed ^= static_cast<std::uint64_t>(pair.second) + (mixed >> 32);
        mixed *= 0xBF58476D1CE4E5B9u;
        return mixed ^ mixed >> 31;
    }
};
"""

_KINDS = {"map": "FlatMap", "unordered_map": "FlatMap", "set": "FlatSet", "unordered_set": "FlatSet"}


def _introduce(unit: Unit, text: str, *headers: str) -> list[Hunk]:
    return [*(hunk for header in headers for hunk in unit.include_hunk(header)), declarations_hunk(unit, text)]


@register
class FlatTable:
    id = "flat-table"
    family = "hashing"
    rationale = "Integer keys in one array with linear probing: no allocation for each element, no pointers to follow."
    gain = 4.0
    finding_kinds = ("ordered-container", "allocation", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if unit.standard < 17 or unit.uses("FlatMap", "FlatSet"):
            return
        hunks: list[Hunk] = []
        lines: list[int] = []
        names: list[str] = []
        for variable in unit.variables:
            kind, group = unit.type_of(variable), together(unit, variable)
            name = template_name(unit, variable.type)
            if name is None or not group or unit.text(name) != kind.head or kind.head not in _KINDS:
                continue
            if not self._keys_fit(unit, kind) or not all(self._fits(unit, one, kind) for one in group):
                continue
            written = unit.text(variable.type)
            hunks.append(replace(variable.type, _KINDS[kind.head] + written[written.index("<") :]))
            lines += [line for one in group for line in lines_of(unit, one)]
            names += [f"“{one.name}”" for one in group]
        if hunks:
            text = FLAT_TABLE + (FLAT_SET if any(h.replacement.startswith(b"FlatSet") for h in hunks) else "")
            said = f"{', '.join(names)}: {self.rationale[0].lower()}{self.rationale[1:]}"
            headers = ("cstdint", "stdexcept", "utility", "vector")
            yield Rewrite((*_introduce(unit, text, *headers), *hunks), tuple(lines), said)

    @staticmethod
    def _keys_fit(unit: Unit, kind: TypeName) -> bool:
        wanted = 2 if "map" in kind.head else 1
        key = read_type(kind.arguments[0], unit.aliases) if kind.arguments else TypeName("")
        return len(kind.arguments) == wanted and (_is_index(key) or _is_pair(unit, key))

    @staticmethod
    def _fits(unit: Unit, variable: Variable, kind: TypeName) -> bool:
        """Whether no reference into the table outlives its growth, and nothing it lacks is used."""
        if not order_unseen(unit, variable) or variable.initial is not None:
            return False
        plain = len(kind.arguments) == 2 and _is_number(unit, kind.arguments[1])
        statements: dict[int, set[str]] = {}
        for leaf in variable.uses:
            if ranged(leaf) is not None or member(unit, leaf) in ("cend", "try_emplace", "insert_or_assign", "extract"):
                return False
            place = subscript(leaf)
            holder = unit.enclosing(
                leaf, "init_declarator", "for_range_loop", "expression_statement", "return_statement"
            )
            if place is None or holder is None:
                continue
            declared = unit.text_of(holder, "declarator")
            bound = holder.child_by_field_name("value") == place or holder.child_by_field_name("right") == place
            if declared.startswith("&") and (bound or holder.type == "for_range_loop"):
                return False
            statements.setdefault(holder.start_byte, set()).add(unit.text_of(place, "indices"))
        return plain or all(len(keys) == 1 for keys in statements.values())


def _is_index(key: TypeName) -> bool:
    return key.is_integer and str(key) not in ("bool", "char")


def _is_pair(unit: Unit, key: TypeName) -> bool:
    parts = [read_type(part, unit.aliases) for part in key.arguments]
    return key.head == "pair" and len(parts) == 2 and all(map(_is_index, parts))


def _is_number(unit: Unit, written: str) -> bool:
    kind = read_type(written, unit.aliases)
    return kind.is_integer or str(kind) in ("double", "float")


@register
class PairKeys:
    id = "pair-hash"
    family = "hashing"
    rationale = "Pairs are found by a hash of both numbers instead of by comparisons down a tree."
    gain = 2.2
    finding_kinds = ("ordered-container", "allocation")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if unit.uses("PairHash"):
            return
        hunks: list[Hunk] = []
        lines: list[int] = []
        needed = set[str]()
        for variable in unit.variables:
            kind, group = unit.type_of(variable), together(unit, variable)
            name = template_name(unit, variable.type)
            if name is None or not group or kind.head not in ("map", "set") or unit.text(name) != kind.head:
                continue
            key = read_type(kind.arguments[0], unit.aliases) if kind.arguments else TypeName("")
            if len(kind.arguments) != (2 if kind.head == "map" else 1):
                continue
            given = _arguments(variable.type)
            if not _is_pair(unit, key) or given is None or not all(order_unseen(unit, one) for one in group):
                continue
            needed.add(f"unordered_{kind.head}")
            hunks.append(replace(name, f"unordered_{kind.head}"))
            hunks.append(Hunk(given.end_byte - 1, given.end_byte - 1, b", PairHash"))
            lines += [line for one in group for line in lines_of(unit, one)]
        if hunks:
            headers = ("cstdint", "utility", *sorted(needed))
            yield Rewrite((*_introduce(unit, PAIR_HASH, *headers), *hunks), tuple(lines))


def _arguments(written: Node) -> Node | None:
    inner = written.child_by_field_name("name") if written.type == "qualified_identifier" else written
    return inner.child_by_field_name("arguments") if inner is not None else None
