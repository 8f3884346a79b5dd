"""The profile of one run: which lines of the unit it is spent on, and on what kind of work."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import Enum

from msgspec import Struct, field


class Work(str, Enum):
    """Kinds of work done in libraries for a line of the unit."""

    INPUT = "input"
    OUTPUT = "output"
    FLUSH = "flush"
    ALLOCATION = "allocation"
    TREE = "tree"
    """Walking and balancing the tree of a ``map`` or ``set``."""


class Profile(Struct, frozen=True):
    """Shares (0..1) of one run."""

    source: str
    """``share of time`` or ``share of instructions``."""
    evidence: str
    """Tool and amount: ``perf cpu-clock, 812 samples``."""
    lines: dict[int, float]
    """Line of the unit (from 1) to share, library code counted to the line that called it."""
    work: dict[Work, dict[int, float]] = field(default_factory=dict[Work, dict[int, float]])
    """Of these shares, what was spent in libraries on one kind of work."""
    kernel: float = 0.0
    """Share spent in the operating system."""

    @property
    def counts(self) -> str:
        """What the shares are of: ``time`` or ``instructions``."""
        return self.source.rpartition(" ")[2]

    def share(self, first: int, last: int) -> float:
        """Share of the lines ``first``..``last``."""
        return min(1.0, sum(share for line, share in self.lines.items() if first <= line <= last))

    def work_lines(self, *kinds: Work) -> dict[int, float]:
        """Line to share of these kinds of work, costliest first."""
        total: dict[int, float] = defaultdict(float)
        for kind in kinds:
            for line, share in self.work.get(kind, {}).items():
                total[line] += share
        return dict(sorted(total.items(), key=lambda item: (-item[1], item[0])))


_ALLOCATION = re.compile(
    r"^(_*(libc_)?(malloc|free|calloc|realloc|cfree)(@.*)?|_int_(malloc|free|realloc)|operator_(new|delete)"
    r"|malloc_consolidate|unlink_chunk|sysmalloc|tcache_\w+|(alloc|free)_perturb|_*s?brk|_*m(un)?map(64)?)(\.|$)"
)
"""Counts wherever in a library it happens."""
_FLUSH = re.compile(r"(^|::)(endl|f?flush)(@|\.|$)")
_CALLED: tuple[tuple[Work, re.Pattern[str]], ...] = (
    (
        Work.INPUT,
        re.compile(r"istream|operator_in|num_get|getline|scanf|(^|_)f?get(s|c|char)\b|(^|_)f?read\b|underflow"),
    ),
    (
        Work.OUTPUT,
        re.compile(r"ostream|operator_out|num_put|printf|(^|_)f?put(s|c|char)\b|(^|_)f?write\b|overflow|flush|endl"),
    ),
    (Work.TREE, re.compile(r"_Rb_tree|^std::(multi)?(map|set)::")),
)
"""Named by what the unit calls: the outermost function that matches says what it is."""


def classify(names: Sequence[str]) -> Work | None:
    """The kind of work of a call chain from the innermost function up to, but not with, the unit's own."""
    bare = [bare_name(name) for name in names]
    if any(_ALLOCATION.search(name) for name in bare):
        return Work.ALLOCATION
    for name in reversed(bare):
        for work, pattern in _CALLED:
            if pattern.search(name):
                flushes = work is Work.OUTPUT and any(_FLUSH.search(name) for name in bare)
                return Work.FLUSH if flushes else work
    return None


_OPERATORS = (
    ("operator<<", "operator_out"),
    ("operator>>", "operator_in"),
    ("operator<=>", "operator_order"),
    ("operator<", "operator_less"),
    ("operator>", "operator_more"),
    ("operator->", "operator_arrow"),
    ("operator()", "operator_call"),
    ("operator new", "operator_new"),
    ("operator delete", "operator_delete"),
    ("(anonymous namespace)", "anonymous"),
)


def bare_name(name: str) -> str:
    """A demangled name without return type, template arguments and parameters; operators spelt out."""
    for written, word in _OPERATORS:
        name = name.replace(written, word)
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    name = name.partition("(")[0].strip()
    return name.rsplit(" ", 1)[-1]


class Cost(Struct, frozen=True):
    """A part of the run: where it belongs and how much it is."""

    line: int | None
    """Line of the unit; None: start-up and the like."""
    names: tuple[str, ...]
    """Functions from the innermost up to, but not with, the unit's own."""
    amount: float


def sum_up(costs: Iterable[Cost], *, source: str, evidence: str, total: float) -> Profile:
    """Make the profile of parts whose amounts are shares of ``total``."""
    lines: dict[int, float] = defaultdict(float)
    work: dict[Work, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    kinds: dict[tuple[str, ...], Work | None] = {}
    for cost in costs:
        if cost.line is None or not total:
            continue
        lines[cost.line] += cost.amount / total
        if cost.names not in kinds:
            kinds[cost.names] = classify(cost.names)
        if (kind := kinds[cost.names]) is not None:
            work[kind][cost.line] += cost.amount / total
    return Profile(
        source=source,
        evidence=evidence,
        lines={line: min(1.0, share) for line, share in sorted(lines.items())},
        work={kind: dict(sorted(found.items())) for kind, found in work.items()},
    )
