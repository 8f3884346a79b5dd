"""The question that a model is asked: an observation in words, with everything that others wrote as data.

The words are in ``templates/``. What a prompt shows is the paper's observation (arXiv 2601.05475): the initial and the
current program, what execution said, the critique, the best version and the best discounted reward so far. Initial and
best version are shown as differences from the current one: the same in fewer tokens, and one program to mind.

The code is asked for first and the sentence about it after: asked the other way round, a model of 1.5 billion
parameters stops after the sentence in about half of its replies.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from maxcode_lsp.messages import phrases
from maxcode_lsp.model.catalogue import MESSAGE_TOKENS
from maxcode_lsp.model.markers import Marker, marker
from maxcode_lsp.model.model import Message, Role
from maxcode_lsp.policy.llm.budget import Shown, fitting
from maxcode_lsp.policy.policy import Attempt, Observation
from maxcode_lsp.records import Critique, Finding, Outcome, Overhead, Verdict
from maxcode_lsp.text.edits import unified

if TYPE_CHECKING:
    from jinja2 import Environment

MOST_FINDINGS = 12
MOST_HOT_LINES = 5
FEEDBACK_CHARS = 600
"""Ours: a compiler's first error is at the start of what it says, and tells most."""
COMPLAINT_CHARS = 1200
DIFF_CHARS = 2400
SENTENCE_CHARS = 400
_STANDARD = re.compile(r"-std=(?:c|gnu)\+\+(\w\w)")
_DRAFTS = {"0x": "11", "1y": "14", "1z": "17", "2a": "20", "2b": "23", "2c": "26"}
_THREADS = frozenset({"-pthread", "-lpthread", "-fopenmp"})
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_RESULTS = {
    Outcome.REJECTED: "not allowed",
    Outcome.IDENTICAL: "no gain: the compiler makes the same machine code of it",
    Outcome.COMPILE_ERROR: "does not compile",
    Outcome.TIMEOUT: "far too slow",
    Outcome.RUNTIME_ERROR: "crashes",
    Outcome.WRONG_OUTPUT: "wrong output",
    Outcome.CORRECT: "correct",
}


class Form(str, Enum):
    """How a reply is to give the new program."""

    WHOLE = "whole"
    HUNKS = "hunks"


class Request(Struct, frozen=True, kw_only=True):
    """What a question is about."""

    observation: Observation
    direction: str
    """What to try, in our words."""
    form: Form = Form.WHOLE
    complaint: str = ""
    """Why the last reply could not be used; empty: it could, or there was none."""
    compiler: str = ""


class Prompt(Struct, frozen=True):
    """A question that fits into the model's context."""

    messages: tuple[Message, ...]
    marker: Marker
    tokens: int
    """About so many."""

    @property
    def sha256(self) -> str:
        """Of all messages, in hex."""
        return hashlib.sha256(msgspec.json.encode(self.messages)).hexdigest()


class _HotLine(Struct, frozen=True):
    line: int
    share: str
    code: str


class _Found(Struct, frozen=True):
    where: str
    message: str
    evidence: str


class _Tried(Struct, frozen=True):
    rationale: str
    result: str
    feedback: str
    diff: str


def compose(request: Request, *, secret: bytes, most_tokens: int, count: Callable[[str], int]) -> Prompt | None:
    """The prompt, at most so many tokens by ``count``; what is least worth is left out. None: the program alone is too
    long. Deterministic; takes milliseconds, or longer where ``count`` does.
    """
    seen = request.observation
    program = seen.text.decode(errors="replace")
    attempts = [_tried(attempt) for attempt in seen.attempts]
    findings = [_found(finding) for finding in seen.critique.findings[:MOST_FINDINGS]]
    hot_lines = _hot_lines(seen.critique, program.split("\n"))
    initial = _difference(seen.original, seen.text)
    best = _difference(seen.text, seen.best)
    build = _one_line(" ".join((request.compiler, *seen.flags)).strip(), SENTENCE_CHARS)
    complaint = phrases.cut(_visible(request.complaint).strip(), COMPLAINT_CHARS)
    data = msgspec.json.encode((attempts, findings, hot_lines)).decode()
    found = marker(secret, seen.text, (program, data, initial, best, build, complaint))

    def written(shown: Shown) -> tuple[Message, ...]:
        parts = {
            "program": program,
            "build": build,
            "standard": _standard(seen.flags),
            "threads": not _THREADS.isdisjoint(seen.flags),
            "findings": findings[: shown.findings],
            "hot_lines": hot_lines if shown.findings or not findings else [],
            "speedup": phrases.times(seen.speedup, sign=""),
            "initial": initial if shown.initial else "",
            "best_speedup": phrases.times(seen.best_speedup, sign=""),
            "same": seen.best in {b"", seen.text},
            "best": best if shown.best else "",
            "u": phrases.times(seen.u, sign=""),
            "overhead": _overhead(seen.overhead),
            "attempts": _latest(attempts, shown),
            "complaint": complaint if shown.complaint else "",
            "direction": request.direction,
            "form": request.form.value,
        }
        return (
            Message(Role.SYSTEM, _render("system.j2", found, parts)),
            Message(Role.USER, _render("propose.j2", found, parts)),
        )

    def tokens(messages: tuple[Message, ...]) -> int:
        return sum(count(message.text) + MESSAGE_TOKENS for message in messages)

    whole = Shown(attempts=len(attempts), diffs=len(attempts), findings=len(findings))
    shown = fitting(whole, lambda form: tokens(written(form)) <= most_tokens)
    if shown is None:
        return None
    messages = written(shown)
    return Prompt(messages, found, tokens(messages))


def _overhead(overhead: Overhead | None) -> str:
    """As Effi-Learner's report has it (arXiv 2405.15189): time, peak memory, memory over time."""
    if overhead is None:
        return ""
    peak = f"at most {overhead.peak_bytes / 1e6:.1f} MB of memory"
    return f"{overhead.elapsed_ns / 1e9:.3f} s, {peak}, {overhead.memory_time_mbs:.3f} MB·s of memory over time"


def _latest(attempts: list[_Tried], shown: Shown) -> list[_Tried]:
    """The latest, and of them only the latest with their change."""
    bare = [replace(attempt, diff="") for attempt in attempts]
    kept = len(attempts) - shown.diffs
    return [*bare[:kept], *attempts[kept:]][len(attempts) - shown.attempts :]


def _tried(attempt: Attempt) -> _Tried:
    result = _RESULTS[attempt.outcome]
    if attempt.outcome is Outcome.CORRECT:
        gain = {Verdict.FASTER: ", faster", Verdict.SLOWER: ", slower", Verdict.NO_DIFFERENCE: ", no faster"}
        result += gain[attempt.verdict] if attempt.verdict is not None else ", not timed"
    if attempt.speedup is not None:
        result += f"; {phrases.times(attempt.speedup, sign='')} times as fast as the initial program"
    return _Tried(
        rationale=_one_line(attempt.rationale, SENTENCE_CHARS),
        result=result,
        feedback=phrases.cut(_visible(attempt.feedback).strip(), FEEDBACK_CHARS),
        diff=phrases.cut(_visible(attempt.diff), DIFF_CHARS),
    )


def _found(finding: Finding) -> _Found:
    first, last = finding.span.first, finding.span.last
    return _Found(
        where=f"line {first}" if first == last else f"lines {first} to {last}",
        message=_one_line(finding.message, SENTENCE_CHARS),
        evidence=_one_line(finding.evidence, SENTENCE_CHARS),
    )


def _hot_lines(critique: Critique, lines: list[str]) -> list[_HotLine]:
    """The hottest, in their order in the program, with their code: small models cannot count lines."""
    hottest = sorted(critique.hot_lines.items(), key=lambda hot: -hot[1])[:MOST_HOT_LINES]
    return [
        _HotLine(line, phrases.percent(share), lines[line - 1].strip()[:SENTENCE_CHARS])
        for line, share in sorted(hottest)
        if 0 < line <= len(lines)
    ]


def _difference(old: bytes, new: bytes) -> str:
    """Empty where one of them is not known, or they are equal."""
    return unified(old, new, "program.cpp") if old and new else ""


def _standard(flags: tuple[str, ...]) -> str:
    named = [found[1] for flag in flags if (found := _STANDARD.fullmatch(flag))]
    # g++ and clang++ of today take C++17 where nothing is said.
    return f"C++{_DRAFTS.get(named[-1], named[-1])}" if named else "C++17"


def _visible(text: str) -> str:
    """Without what controls a terminal, changes the order in which a text is shown, or cannot be sent."""
    return _INVISIBLE.sub("?", text)


def _one_line(text: str, most: int) -> str:
    return phrases.cut(" ".join(_visible(text).split()), most)


def _render(name: str, found: Marker, parts: Mapping[str, object]) -> str:
    return _templates().get_template(name).render(parts, marker=found).strip() + "\n"


@cache
def _templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("maxcode_lsp.policy.llm"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 (a prompt is no HTML)
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
