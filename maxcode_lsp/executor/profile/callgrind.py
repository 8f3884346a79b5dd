"""Counting instructions with ``valgrind --tool=callgrind``, where sampling is not possible."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection, Iterator, Mapping

from msgspec import Struct

from maxcode_lsp.executor.profile.places import Places, locate
from maxcode_lsp.executor.profile.profile import Cost, Profile, Work, classify, sum_up
from maxcode_lsp.executor.profile.workbench import Workbench

SLOWDOWN = 30
"""Times slower than a plain run, roughly the worst."""
MOST_BYTES = 16 << 20
DEEPEST = 100
"""Calls are followed this deep."""


Key = tuple[str, str]
"""A function: its file and its name."""


class Call(Struct, frozen=True):
    """Calls of one function from one instruction."""

    address: int
    callee: Key
    amount: int
    """Instructions, with everything that the callee calls."""


class Counts(Struct):
    """What was counted in one function."""

    own: dict[int, int]
    """Address to instructions."""
    calls: list[Call]

    @property
    def total(self) -> int:
        return sum(self.own.values()) + sum(call.amount for call in self.calls)


_SPECIFICATION = re.compile(r"^(ob|cob|fn|cfn)=(?:\((\d+)\))?\s*(.*)$")


def read_callgrind(text: str) -> dict[Key, Counts]:
    """Read a profile written with ``--dump-instr=yes --dump-line=no``: counts by (file, function)."""
    functions: dict[Key, Counts] = {}
    for key, address, callee, amount in _entries(text):
        counts = functions.setdefault(key, Counts({}, []))
        if callee is None:
            counts.own[address] = counts.own.get(address, 0) + amount
        else:
            counts.calls.append(Call(address, callee, amount))
    return functions


def _entries(text: str) -> Iterator[tuple[Key, int, Key | None, int]]:
    names: dict[tuple[str, str], str] = {}
    now = {"ob": "", "cob": "", "fn": "", "cfn": ""}
    address = 0
    calling = False
    for line in text.splitlines():
        if match := _SPECIFICATION.match(line):
            what, number, name = match.groups()
            # Names are written once and then meant by their number.
            now[what] = names.setdefault((what.removeprefix("c"), number), name) if number else name
            now["cob"] = now["ob"] if what == "ob" else now["cob"]
        elif line.startswith("calls="):
            calling = True
        elif line.startswith(("0x", "+", "-", "*")):
            position, _, cost = line.partition(" ")
            address = _position(position, address)
            amount = int(cost.split()[0]) if cost.strip() else 0
            callee = (now["cob"], now["cfn"]) if calling else None
            yield (now["ob"], now["fn"]), address, callee, amount
            if calling:
                calling, now["cob"] = False, now["ob"]


def _position(written: str, before: int) -> int:
    if written == "*":
        return before
    if written[0] in "+-":
        return before + int(written, 16 if "x" in written else 10)
    return int(written, 16)


async def count(
    bench: Workbench, binary: str, stdin: bytes | None, *, code: Collection[int] | None, limit_s: float
) -> Profile | str:
    """Profile a run; a sentence why not where that cannot be done."""
    output = bench.path("callgrind.out")
    argv = (
        "valgrind",
        "--tool=callgrind",
        "--dump-instr=yes",
        "--dump-line=no",
        f"--callgrind-out-file={output}",
        binary,
    )
    ended = await bench.tool(argv, stdin=stdin, limit_s=limit_s)
    if not ended.ok:
        why = "it took too long" if ended.timed_out else "the program did not end well under it"
        return f"callgrind could not profile the program: {why}."
    written = bench.read("callgrind.out", most_bytes=MOST_BYTES).decode(errors="replace")
    functions = await asyncio.to_thread(read_callgrind, written)
    own = {key for key in functions if key[0].endswith(binary)}
    addresses = (a for key in own for a in (*functions[key].own, *(call.address for call in functions[key].calls)))
    places = await locate(bench, binary, addresses, code)
    total = sum(sum(counts.own.values()) for counts in functions.values())
    if not total:
        return "callgrind could not profile the program: it counted nothing."
    millions = total / 1e6
    return sum_up(
        costs(functions, own, places),
        source="share of instructions",
        evidence=f"callgrind, {millions:,.0f} million instructions"
        if millions >= 1
        else f"callgrind, {total:,} instructions",
        total=total,
    )


def costs(functions: Mapping[Key, Counts], own: set[Key], places: Places) -> Iterator[Cost]:
    """Every part of the run with its line: the unit's own instructions, and calls out of it."""
    # Functions of the program with no line of the unit (templates of the library) belong to their callers.
    foreign = {key for key in own if all(places.line(address)[0] is None for address in functions[key].own)}
    unit = own - foreign
    allocating = _Passed(functions, lambda key: classify((key[1],)) is Work.ALLOCATION)
    # Comparators and the bodies of threads are called back by the library, and counted for themselves.
    calling_back = _Passed(functions, lambda key: key in unit)
    for key in unit:
        for address, amount in functions[key].own.items():
            line, names = places.line(address)
            yield Cost(line, names, amount)
        for call in functions[key].calls:
            if call.callee in unit:
                continue
            line, names = places.line(call.address)
            allocation = allocating.share(call.callee) * call.amount
            rest = (1.0 - calling_back.share(call.callee)) * call.amount - allocation
            yield Cost(line, ("malloc",), allocation)
            yield Cost(line, (call.callee[1], *names), max(0.0, rest))


class _Passed:
    """What share (0..1) of a function's cost is spent in functions of one kind, at any depth."""

    def __init__(self, functions: Mapping[Key, Counts], wanted: Callable[[Key], bool]) -> None:
        self._functions = functions
        self._wanted = wanted
        self._known: dict[Key, float] = {}

    def share(self, key: Key, depth: int = 0) -> float:
        if self._wanted(key):
            return 1.0
        counts = self._functions.get(key)
        if key not in self._known and counts is not None and counts.total and depth < DEEPEST:
            # Until it is known, a function that calls itself adds nothing.
            self._known[key] = 0.0
            passed = sum(call.amount * self.share(call.callee, depth + 1) for call in counts.calls)
            self._known[key] = min(1.0, passed / counts.total)
        return self._known.get(key, 0.0)
