"""What a question asks a model to try, so that several questions about one program get several answers.

All sentences are ours: what a finding quotes from the program stays among the data.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from msgspec import Struct

from maxcode_lsp.records import Critique, Finding

MOST_FINDINGS = 8
"""Ours: findings further down are worth no question of their own."""

_BY_KIND = {
    "hot-function": "Make the function that takes most of the time do less work.",
    "hot-lines": "Make the lines that take most of the time do less work.",
    "empirical-complexity": "Use an algorithm whose time grows more slowly with the size of the input.",
    "flush-in-loop": "Do not flush the output in a loop: write '\\n' instead of std::endl, and flush once at the end.",
    "stream-input": "Read the input faster: unsynchronised streams, or fread into one buffer and parse it by hand.",
    "stream-output": "Collect the output in one string, and write it once at the end.",
    "allocation": "Allocate less: reserve, reuse buffers, and use flat arrays instead of many small objects.",
    "strided-access": "Walk memory in order: swap loops, or change the layout, so that the inner loop is contiguous.",
    "copy-by-value": "Do not copy large objects: pass by const reference, move, or use iterators.",
    "linear-search": "Replace the repeated search by a hash table, a sorted vector with binary search, or an index.",
    "ordered-container": "Replace std::map or std::set by a hash table, a sorted vector, or an array for small keys.",
    "string-building": "Build strings in place: append with +=, reserve, no temporaries.",
    "repeated-recursion": "Do not solve the same case twice: memoise, or turn the recursion into a loop over a table.",
    "invariant-in-loop": "Compute once, before the loop, what is the same in each round.",
    "slow-arithmetic": "Replace costly arithmetic (division, modulo, pow, sqrt) on hot lines by cheaper arithmetic.",
    "not-vectorised": "Rewrite the hot loop so that it can be vectorised: simple, contiguous, without branches.",
    "not-inlined": "Put the small function that is called on a hot line into the loop itself.",
    "model-opinion": "Do what the reading of the evidence advises.",
    "clang-tidy": "Do what the remarks say about slow code.",
}
_FREE = "The one change that saves the most time, whatever it is."
_GENERAL = (
    "A better algorithm: fewer steps for large input.",
    "A better data structure for what is looked up, inserted and removed most often.",
    "Precompute what is needed again and again: prefix sums, tables, a sorted copy.",
    "Memory: contiguous arrays, smaller types, accesses in order.",
    "Less work in the innermost loop: hoist, combine passes, leave early, fewer branches.",
    "Faster input and output: large reads, one write at the end.",
    "No copies and no allocations on the hot path.",
)


class Direction(Struct, frozen=True):
    """One idea to try."""

    text: str
    """What to try, one sentence."""
    finding: Finding | None = None
    """What it answers."""


def direction(critique: Critique, number: int) -> Direction:
    """The idea of a question (``number`` from 0): what the findings ask for, most costly first, among general ones;
    after the last the first again.
    """
    ideas = list(_ideas(critique))
    return ideas[number % len(ideas)]


def _ideas(critique: Critique) -> Iterator[Direction]:
    first: dict[str, Finding] = {}
    for finding in critique.findings:
        if finding.kind in _BY_KIND:
            first.setdefault(finding.kind, finding)
    asked = [Direction(_sentence(finding), finding) for finding in list(first.values())[:MOST_FINDINGS]]
    for one, other in zip_longest(asked, (Direction(text) for text in (_FREE, *_GENERAL))):
        yield from (idea for idea in (one, other) if idea is not None)


def _sentence(finding: Finding) -> str:
    first, last = finding.span.first, finding.span.last
    where = f"line {first}" if first == last else f"lines {first} to {last}"
    share = "" if finding.share is None else f", {finding.share * 100:.0f} % of the time"
    return f"{_BY_KIND[finding.kind]} See {where}{share}."
