"""The custom messages and the arguments of commands, as they are in ``docs/protocol.md``. All else is standard LSP.

Names are camelCase on the wire, as everywhere in LSP.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

RUNS = "maxcode/runs"
"""Request: params :class:`RunsParams`, result ``{"runs": RunInfo[]}``, newest first."""
CANDIDATE = "maxcode/candidate"
"""Request: params :class:`CandidateParams`, result :class:`CandidateText`."""
STATUS = "maxcode/status"
"""Request: params :class:`StatusParams`, result :class:`StatusInfo`."""
RUN_CHANGED = "maxcode/runChanged"
"""Notification to the client: :class:`RunInfo`; at most 4 a second for each run, always at begin and end."""
SECRETS = "maxcode/secrets"
"""Notification from the client: :class:`SecretsParams`."""
COMPARING = "maxcode/compare"
"""Notification to a client that compares by itself: :class:`CompareArguments`."""

START = "maxcode.start"
"""Command: :class:`StartArguments`; result :class:`StartResult`. Answers at once; the run goes on in the background."""
STOP = "maxcode.stop"
"""Command: :class:`RunArguments`; result null."""
APPLY = "maxcode.apply"
"""Command: :class:`RunArguments`; result :class:`ApplyResult`."""
COMPARE = "maxcode.compare"
"""Command: :class:`CompareArguments`; result ``{"uri": string}``."""
EXPLAIN = "maxcode.explain"
"""Command: :class:`ExplainArguments`; shows why there is no improvement; result null."""
DISCARD = "maxcode.discard"
"""Command: :class:`RunArguments`; the result is not offered any more; result null."""
FORGET = "maxcode.forget"
"""Command: :class:`RunArguments`; removes a run and its journal; result :class:`ForgetResult`."""
COMMANDS = (START, STOP, APPLY, COMPARE, EXPLAIN, DISCARD, FORGET)


class StartArguments(Struct, frozen=True, rename="camel"):
    """What to optimise."""

    uri: str
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    """Over all others, for this run only."""
    resume: str | None = None
    """Go on with this run, which was interrupted."""
    ask: bool = False
    """Ask the user for effort, strategy and model first; where he does not choose nothing is started."""


class StartResult(Struct, frozen=True, rename="camel"):
    """``run`` None: nothing was started, ``reason`` says why and was shown."""

    run: str | None
    reason: str = ""


class RunArguments(Struct, frozen=True, rename="camel"):
    """Which run."""

    run: str


class ExplainArguments(Struct, frozen=True, rename="camel"):
    """A run that has ended, or without one the document that cannot be optimised."""

    run: str | None = None
    uri: str | None = None


class CompareArguments(Struct, frozen=True, rename="camel"):
    """Which version; ``candidate`` None: the result, else the best so far."""

    run: str
    candidate: str | None = None


class ApplyResult(Struct, frozen=True, rename="camel"):
    """Whether the edit is in the document; ``reason`` says why not."""

    applied: bool
    reason: str = ""


class ForgetResult(Struct, frozen=True, rename="camel"):
    """Whether the run is gone; ``reason`` says why not."""

    forgotten: bool
    reason: str = ""


class RunsParams(Struct, frozen=True, rename="camel"):
    """``uri`` None: of all files."""

    uri: str | None = None
    limit: int = 50
    run: str | None = None
    """Only this one, with its path and its candidates, of an earlier session too."""


class CandidateParams(Struct, frozen=True, rename="camel"):
    """``candidate`` None: the original that the run is about."""

    run: str
    candidate: str | None = None
    result: bool = False
    """Instead: the proven version, else the best so far."""


class HunkInfo(Struct, frozen=True, rename="camel"):
    """One change of a version against the original."""

    line: int
    """Line (from 0) of the version where it starts."""
    lines: int
    """Lines of the version that it is on; 0: it only removes."""
    label: str
    """What it is and what it is worth, in a few words."""
    why: str
    worth: float | None = None
    """Speedup that is lost without it; None: it was not, or cannot be, measured alone."""


class FindingInfo(Struct, frozen=True, rename="camel"):
    """One finding about a version."""

    line: int
    """From 0."""
    kind: str
    message: str
    evidence: str
    share: float | None = None
    """Share of the run (0..1) that it concerns."""


class CandidateText(Struct, frozen=True, rename="camel"):
    """A whole file, as text."""

    run: str
    candidate: str | None
    language_id: str
    text: str
    uri: str = ""
    """Of the document."""
    hunks: tuple[HunkInfo, ...] = ()
    findings: tuple[FindingInfo, ...] = ()
    """Its critique, where it was criticised."""


class CandidateInfo(Struct, frozen=True, rename="camel"):
    """One judged candidate in a list."""

    number: int
    candidate: str | None
    origin: str
    outcome: str
    verdict: str | None
    speedup: float | None
    best: bool
    parent: str | None = None
    """Candidate that it was made from; None: the original."""
    depth: int = 0
    u: float = 1.0
    """Best discounted reward by then."""
    because: str = ""
    """The finding that it acts on."""
    ci95: tuple[float, float] | None = None
    """Interval of ``speedup``; None where it was measured against another candidate."""
    seconds: float = 0.0
    """How long it took to judge."""


class ImprovementInfo(Struct, frozen=True, rename="camel"):
    """A candidate that became the best, and how the search came to it."""

    number: int
    candidate: str | None
    origin: str
    depth: int
    speedup: float
    u: float
    why: str
    """Why the search was at the version that it was made from."""
    because: str
    """The finding that it acts on."""


class RunInfo(Struct, frozen=True, rename="camel"):
    """One run. ``generation`` grows with each begin; what has a lower one about the same document is stale."""

    run: str
    generation: int
    uri: str
    target: str
    status: str
    """A run's status, or ``interrupted``."""
    phase: str
    done: int
    budget: int
    building: int
    verifying: int
    measuring: int
    best: float | None
    ci95: tuple[float, float] | None
    reason: str
    applied: bool = False
    discarded: bool = False
    """The user does not want the result."""
    created: str = ""
    search: str = ""
    """The strategy."""
    effort: str = ""
    seed: int = 0
    depth: int = 0
    """Actions from the original to where the search is."""
    u: float = 1.0
    """Best discounted reward so far."""
    at: str = ""
    """Why the search goes on from where it is."""
    tokens: int | None = None
    """Of models, questions and answers; None: no model was asked."""
    cost_usd: float | None = None
    """None: no price is known."""
    path: tuple[ImprovementInfo, ...] = ()
    """The improvements, one after the other."""
    candidates: tuple[CandidateInfo, ...] = ()


class SecretsParams(Struct, frozen=True, rename="camel"):
    """All keys of model providers that the editor has now, by the environment variables that they stand for."""

    secrets: dict[str, str]

    def __repr__(self) -> str:
        """Without what it holds: it may get into a log."""
        return "SecretsParams(…)"


class StatusParams(Struct, frozen=True, rename="camel"):
    """``uri`` None: of the server."""

    uri: str | None = None


class StatusInfo(Struct, frozen=True, rename="camel"):
    """``state``: ``idle``, ``running``, ``inactive`` (``reason`` says why: too large, not trusted, no compiler …)."""

    state: str
    reason: str
    trusted: bool | None
    engine: str
    running: int
    version: str
    efforts: tuple[str, ...] = ()
    """What ``settings.effort`` of a start can be."""
    searches: tuple[str, ...] = ()
    """What ``settings.search`` of a start can be."""
    models: tuple[str, ...] = ()
    """What ``settings.model`` of a start can be, as far as is known here; ``none``: no model."""
