"""Reading, writing, flushing and allocating: work that libraries and the operating system do for the program."""

from __future__ import annotations

import re

from maxcode_lsp.critique.critic import Report, finding
from maxcode_lsp.critique.evidence import Evidence
from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.critique.source import Source, enclosing_loop, first_line, last_line
from maxcode_lsp.executor.profile.meter import Reading
from maxcode_lsp.executor.profile.profile import Profile, Work
from maxcode_lsp.messages import phrases
from maxcode_lsp.records import Finding

LEAST_SHARE = 0.05
"""Smaller shares (0..1) of the run are not worth a line."""
MANY_WRITES = 500
SMALL_WRITE = 512
"""Bytes: writes of less than this on average come from flushing."""


class IoShare:
    """Says what share of the run goes to input, output and the allocator."""

    name = "input, output and allocation"

    async def criticise(self, evidence: Evidence) -> Report:
        portrait = await evidence.portrait()
        profile, reading, source = portrait.profile, portrait.reading, evidence.source
        found: list[Finding] = []
        if (flush := flushes(source, profile, reading)) is not None:
            found.append(flush)
        if profile is not None:
            found += shares(source, profile)
        return Report(tuple(found))


def flushes(source: Source, profile: Profile | None, reading: Reading | None) -> Finding | None:
    """Many small writes, counted by the system; or flushing that takes much of the profile."""
    places = [node for node in source.walk("identifier") if source.text(node) in {"endl", "flush", "fflush"}]
    looped = [node for node in places if enclosing_loop(node) is not None]
    hot = profile.work_lines(Work.FLUSH) if profile else {}
    share = min(1.0, sum(hot.values())) if profile else None
    writes = (reading.writes or 0) if reading else 0
    many = reading is not None and writes >= MANY_WRITES and reading.written_bytes < writes * SMALL_WRITE
    lines = list(hot) or [first_line(node) for node in looped or places]
    if not lines or not (many or (share or 0.0) >= LEAST_SHARE):
        return None
    line = lines[0]
    within = [node for node in looped if first_line(node) == line]
    loop = enclosing_loop(within[0]) if within else None
    counted = f"Flushes its output {writes:,} times" if many else "Flushes its output again and again"
    cost = f"; {phrases.percent(share)} of the {profile.counts} is there." if profile and share else "."
    proofs = [f"{writes:,} writes of {reading.written_bytes / writes:.0f} bytes on average"] if many and reading else []
    proofs += [f"{profile.evidence}: {phrases.percent(share)}"] if profile and share else []
    span = (first_line(loop), last_line(loop)) if loop else (line, line)
    return finding(Kind.FLUSH_IN_LOOP, span, counted + cost, "; ".join(proofs), share)


_SAID: dict[Kind, tuple[tuple[Work, ...], str]] = {
    Kind.STREAM_INPUT: ((Work.INPUT,), "Reading its input"),
    Kind.STREAM_OUTPUT: ((Work.OUTPUT, Work.FLUSH), "Writing its output"),
    Kind.ALLOCATION: ((Work.ALLOCATION,), "Allocating and freeing memory"),
}
_READERS = (
    ("operator>>", re.compile(r">>")),
    ("getline", re.compile(r"\bgetline\b")),
    ("scanf", re.compile(r"\bf?scanf\b")),
    ("getchar", re.compile(r"\bgetchar")),
)


def shares(source: Source, profile: Profile) -> list[Finding]:
    """What goes to reading, writing and allocating, each where it is enough to matter."""
    return [found for kind in _SAID if (found := _share(source, profile, kind)) is not None]


def _share(source: Source, profile: Profile, kind: Kind) -> Finding | None:
    work, doing = _SAID[kind]
    lines = profile.work_lines(*work)
    share = min(1.0, sum(lines.values()))
    if share < LEAST_SHARE:
        return None
    told = [line for line in list(lines)[:4] if lines[line] >= share / 10]
    named = sorted(told)
    where = f"line {named[0]}" if len(named) == 1 else f"lines {', '.join(map(str, named))}"
    with_what = next(
        (name for name, pattern in _READERS if kind is Kind.STREAM_INPUT and pattern.search(source.line_text(told[0]))),
        "",
    )
    doing = f"{doing} with {with_what}" if with_what else doing
    message = f"{doing} takes {phrases.percent(share)} of the {profile.counts} ({where})."
    return finding(kind, (told[0], told[0]), message, f"{profile.evidence}: {phrases.percent(share)}", share)
