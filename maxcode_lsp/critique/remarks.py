"""What the compiler could not do on hot lines, in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct
from tree_sitter import Node

from maxcode_lsp.critique.critic import Report, finding
from maxcode_lsp.critique.evidence import Evidence
from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.critique.source import LOOPS, Source, first_line, last_line
from maxcode_lsp.executor.profile.places import same_file
from maxcode_lsp.executor.profile.profile import Profile, Work, bare_name
from maxcode_lsp.executor.profile.take import REMARKS
from maxcode_lsp.messages import phrases
from maxcode_lsp.records import Finding

LEAST_SHARE = 0.05
"""Remarks about lines with a smaller share (0..1) of the run are not said."""


class Remark(Struct, frozen=True):
    """One line that the compiler said about the unit."""

    line: int
    text: str


_GCC = re.compile(r"^(.+?):(\d+):\d+: missed:\s+(.*)$")
_CLANG = re.compile(r"^(.+?):(\d+):\d+: remark: (.*?)(?: \[-Rpass[\w=-]*\])?$")

_REASONS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"clobbers memory: (?:[\w.]+ = )?(.+)"), "it calls {}, which may change any memory"),
    (re.compile(r"control flow in loop"), "it branches or calls inside the loop"),
    (re.compile(r"number of iterations cannot be computed|could not determine number of loop iterations"),
     "the number of rounds is not known when the loop starts"),
    (re.compile(r"complicated access pattern|not suitable for gather|no array mode|strided"),
     "it does not read memory in order"),
    (re.compile(r"alias|overlap|cannot identify array bounds|data ref(erence)? analysis|unsafe dependent memory"),
     "the memory that it reads and the memory that it writes may overlap"),
    (re.compile(r"possible dependence|bad data dependence|unsafe.*dependen|could not be identified as reduction"),
     "a round may need the result of an earlier one"),
    (re.compile(r"unsupported use in stmt|reduction|reorder floating-point"),
     "a round needs the result of an earlier one, and floating-point sums may not be reordered"),
    (re.compile(r"vectorization is not profitable|cost model|not beneficial|vectorization was impossible"),
     "the compiler expects no gain"),
    (re.compile(r"unsupported data-type|no vectype|relevant stmt not supported|call instruction cannot be vectorized"),
     "it uses an operation that has no vector form here"),
)  # fmt: skip
_EMPTY = re.compile(
    r"couldn't vectorize loop|multiple nested loops|already vectorized|consecutive inner loops|splitting region|resx"
    r"|will not early inline|call is unlikely|call is cold|recursive|^loop not vectorized$|statement can throw"
)
"""Remarks that say nothing to people, or speak of outer loops and cold calls."""

_NOT_INLINED = re.compile(r"not inlinable: .+ -> (?P<callee>.+)/\d+, (?P<why>.+)$")
_CLANG_NOT_INLINED = re.compile(r"^'(?P<callee>[^']+)' (?:will not be|not) inlined into '[^']+' because (?P<why>.+)$")
_INLINE_REASONS: tuple[tuple[str, str], ...] = (
    ("body not available", "its body is in another file or library"),
    ("definition is unavailable", "its body is in another file or library"),
    ("limit reached", "it is too large"),
    ("too costly", "it is too large"),
    ("code size", "the program would grow too much"),
    ("redefined", "another definition could replace it"),
)

_VECTOR_CALLS = {"min", "max", "abs", "fabs", "sqrt", "floor", "ceil", "fma", "size", "data", "at", "swap", "popcount"}
"""Nobody expects a loop with other calls to be vectorised."""


class Remarks:
    """Reads what the compiler left during the profile build."""

    name = "compiler remarks"

    async def criticise(self, evidence: Evidence) -> Report:
        program, portrait = await evidence.program(), await evidence.portrait()
        if portrait.profile is None or program.path is None:
            return Report(notes=("Without a profile the compiler's remarks cannot be told apart by weight.",))
        bench = evidence.subject.bench
        said = bench.read(REMARKS, most_bytes=8 << 20).decode(errors="replace") or program.messages
        remarks = tuple(read_remarks(said, bench.unit))
        source, profile = evidence.source, portrait.profile
        return Report((*not_vectorised(source, profile, remarks), *not_inlined(source, profile, remarks)))


def read_remarks(text: str, unit: str) -> Iterator[Remark]:
    """The remarks about the unit's own lines, as g++ or clang++ write them."""
    for line in text.splitlines():
        match = _GCC.match(line) or _CLANG.match(line)
        if match is not None and same_file(match[1], unit):
            yield Remark(int(match[2]), match[3])


def plain_reason(text: str) -> str | None:
    """Why a loop was not vectorised, for people; None where the remark does not say."""
    if _EMPTY.search(text):
        return None
    for pattern, said in _REASONS:
        if match := pattern.search(text):
            return said.format(bare_name(match[1].partition(" (")[0]) if match.groups() and match[1] else "")
    return None


def not_vectorised(source: Source, profile: Profile, remarks: Iterable[Remark]) -> Iterator[Finding]:
    """Hot innermost loops with the reason that the compiler gave for them or for a line in them."""
    said = [remark for remark in remarks if _speaks_of_loops(remark.text)]
    for loop in source.loops:
        first, last = first_line(loop), last_line(loop)
        share = profile.share(first, last)
        elsewhere = sum(part for line, part in profile.work_lines(*Work).items() if first <= line <= last)
        # Where libraries do the work, vector instructions would not help.
        if share < LEAST_SHARE or elsewhere > share / 2 or not _could_be_vectors(source, loop):
            continue
        reasons = (plain_reason(remark.text) for remark in said if first <= remark.line <= last)
        if (reason := next(filter(None, reasons), None)) is not None:
            cost = f"{phrases.percent(share)} of the {profile.counts} is here."
            message = f"The compiler could not vectorise this loop: {reason}; {cost}"
            evidence = f"compiler remark; {profile.evidence}: {phrases.percent(share)}"
            yield finding(Kind.NOT_VECTORISED, (first, last), message, evidence, share)


def _could_be_vectors(source: Source, loop: Node) -> bool:
    if any(inner.id != loop.id for inner in source.walk(*LOOPS, under=loop)):
        return False
    return all(source.called(call) in _VECTOR_CALLS for call in source.walk("call_expression", under=loop))


def _speaks_of_loops(text: str) -> bool:
    return not text.startswith(("not inlinable", "will not", "Not inlining", "not inlining")) and "inline" not in text


def not_inlined(source: Source, profile: Profile, remarks: Iterable[Remark]) -> Iterator[Finding]:
    """Calls of the unit's own functions, on hot lines, that stayed calls."""
    own = {function.name for function, _ in source.functions}
    for remark in remarks:
        share = profile.lines.get(remark.line, 0.0)
        match = _NOT_INLINED.search(remark.text) or _CLANG_NOT_INLINED.search(remark.text)
        if share < LEAST_SHARE or match is None or _EMPTY.search(remark.text):
            continue
        why = next((said for part, said in _INLINE_REASONS if part in match["why"]), None)
        name = bare_name(match["callee"].partition(" [with")[0]).rpartition("::")[2]
        if why is None or name not in own:
            continue
        cost = f"{phrases.percent(share)} of the {profile.counts}"
        message = f"The call of “{name}” stays a call: {why}; {cost} is on this line."
        evidence = f"compiler remark; {profile.evidence}: {phrases.percent(share)}"
        yield finding(Kind.NOT_INLINED, (remark.line, remark.line), message, evidence, share)
