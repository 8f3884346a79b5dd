"""The frozen records that cross the boundaries between packages and processes.

Words are those of ``docs/architecture.md``: a *candidate* is a change to a *target*; an *evaluation*
is what execution said about it; a *finding* is one line of critique. Every record is a msgspec
Struct, so each can be written to JSON or msgpack and read back without loss.

Offsets are UTF-8 byte offsets into the *normalised* text (LF line ends, no byte order mark; see
:mod:`maxcode_lsp.text.source`). Lines are counted from 1 where a person reads them.
"""

from __future__ import annotations

import hashlib
from enum import Enum

from msgspec import Struct, field


class Outcome(str, Enum):
    """How the evaluation of a candidate ended. Data about code, never an exception."""

    REJECTED = "rejected"
    """Not built at all: it does not parse, repeats another candidate, or breaks an admission rule."""
    IDENTICAL = "identical"
    """The compiler made the same machine code as for the original or a candidate seen before."""
    COMPILE_ERROR = "compile_error"
    TIMEOUT = "timeout"
    RUNTIME_ERROR = "runtime_error"
    WRONG_OUTPUT = "wrong_output"
    CORRECT = "correct"


class Verdict(str, Enum):
    """What the paired samples say about a candidate against its reference."""

    FASTER = "faster"
    SLOWER = "slower"
    NO_DIFFERENCE = "no_difference"


class RunStatus(str, Enum):
    """The state of one optimisation of one target."""

    RUNNING = "running"
    IMPROVED = "improved"
    NO_IMPROVEMENT = "no_improvement"
    UNMEASURED = "unmeasured"
    REFUSED = "refused"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Metric(str, Enum):
    """What a sample counts, in nanoseconds."""

    CPU = "cpu"
    """User plus system time of the process, from ``wait4``."""
    WALL = "wall"
    """Elapsed time; decides where original or candidate uses threads."""


class Hunk(Struct, frozen=True, order=True):
    """Replace the bytes ``[start, end)`` of a normalised text by ``replacement`` (UTF-8, LF)."""

    start: int
    end: int
    replacement: bytes


class Change(Struct, frozen=True):
    """Hunks for one file, ascending and not overlapping, against the text with ``base_sha256``."""

    path: str
    base_sha256: str
    hunks: tuple[Hunk, ...]


class Part(Struct, frozen=True):
    """One of several actions taken at once."""

    actions: tuple[str, ...]
    rationale: str
    hunks: tuple[Hunk, ...]
    """Against the parent's text. Hunks of several parts may be equal (both need the same include)."""


class Origin(Struct, frozen=True):
    """Who proposed a candidate and why. A *step* is one action of a policy."""

    policy: str
    """Registered name of the policy, for example ``rewrites``."""
    actions: tuple[str, ...]
    """What was done since the parent: rule ids for ``rewrites``."""
    rationale: str
    """One sentence for people."""
    finding_kinds: tuple[str, ...] = ()
    """Kinds of the findings that this step acts on (hit rates are kept per kind)."""
    parts: tuple[Part, ...] = ()
    """What a step that combines several actions is made of; empty: it is one."""


class Candidate(Struct, frozen=True):
    """A change to the original, with its lineage.

    ``change`` is always against the *original*, so a candidate can be evaluated without its parents.
    """

    id: str
    """First 12 hex digits of the SHA-256 of its full normalised text."""
    change: Change
    parent: str | None
    depth: int
    origin: Origin


def candidate_id(text: bytes) -> str:
    """The id of the candidate with this normalised text."""
    return hashlib.sha256(text).hexdigest()[:12]


class Span(Struct, frozen=True):
    """Lines ``first``..``last`` (from 1, inclusive) of the normalised text."""

    first: int
    last: int


class Finding(Struct, frozen=True):
    """One line of critique about the code of a target."""

    id: str
    """Stable within one critique, ``kind:line`` where that is unique."""
    kind: str
    """A kind with a docs page ``docs/findings/KIND.md``, for example ``hot-lines``."""
    span: Span
    message: str
    """What is seen and what it costs, one or two sentences."""
    evidence: str
    """Where it comes from, with its numbers: ``perf cpu-clock, 812 samples: 78 %``."""
    share: float | None = None
    """Share of the run (0..1) that this finding concerns, where that is known."""


class Critique(Struct, frozen=True):
    """All findings about one version of a target, most costly first."""

    findings: tuple[Finding, ...] = ()
    hot_lines: dict[int, float] = field(default_factory=dict[int, float])
    """Line (from 1) to share of the run (0..1), where a profile could be taken."""
    profile_source: str = ""
    """``share of time`` (perf) or ``share of instructions`` (callgrind); empty without a profile."""
    notes: tuple[str, ...] = ()
    """Why a critic could not say anything, one sentence each."""


class Measurement(Struct, frozen=True):
    """Paired samples of a reference and a candidate and what they say.

    ``reference_ns[i]`` and ``candidate_ns[i]`` were taken next to each other, in ABBA order.
    """

    metric: Metric
    reference_ns: tuple[int, ...]
    candidate_ns: tuple[int, ...]
    speedup: float
    """Reference time divided by candidate time, from the mean log ratio."""
    ci95: tuple[float, float]
    verdict: Verdict


class Overhead(Struct, frozen=True):
    """What one run of a program costs beside its output, over all timed inputs (arXiv 2405.15189, Effi-Learner)."""

    elapsed_ns: int
    """Wall time."""
    peak_bytes: int
    """Largest resident set."""
    memory_time_mbs: float
    """Integral of the resident set over time, in megabytes (10^6 bytes) times seconds: the source's total memory
    usage."""


class Feedback(Struct, frozen=True):
    """What execution said in words: compiler errors, a signal, the first differing token."""

    message: str
    """One sentence for people."""
    detail: str = ""
    """The end of the compiler's or program's own output, control codes removed, bounded."""


class Evaluation(Struct, frozen=True):
    """What execution said about one candidate."""

    candidate: str
    outcome: Outcome
    feedback: Feedback
    measurement: Measurement | None = None
    """Present where the outcome is ``correct`` and the candidate was timed."""
    reference: str | None = None
    """Candidate id that ``measurement`` is against; None: the original."""
    timed: tuple[str, ...] = ()
    """Names of the inputs behind ``measurement``; generated ones hold size and seed."""
    cpu_s: float = 0.0
    """CPU time that this evaluation cost, builds included."""
    elapsed_s: float = 0.0


class Environment(Struct, frozen=True):
    """Where numbers were taken."""

    machine: str
    """Processor model and core count."""
    compiler: str
    """First line of ``g++ --version``."""
    flags: tuple[str, ...]
    sandbox: str
    maxcode: str
