"""What a run tells while it goes on, and what it says at the end. Frozen, written to any face (CLI, LSP)."""

from __future__ import annotations

from msgspec import Struct, field

from maxcode_lsp.records import (
    Candidate,
    Critique,
    Environment,
    Evaluation,
    Hunk,
    Outcome,
    Overhead,
    RunStatus,
    Verdict,
)


class Spent(Struct, frozen=True):
    """What a run has spent on models."""

    calls: int = 0
    """Answers, those from the cache included."""
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None
    """None: no price is known."""


class Prepared(Struct, frozen=True, tag="prepared"):
    """The original was verified; the search begins."""

    target: str
    run_ns: int
    budget: int
    seconds: float
    notes: tuple[str, ...]
    environment: Environment


class Critiqued(Struct, frozen=True, tag="critiqued"):
    """There is a critique of the original (``candidate`` None) or of a new best."""

    candidate: str | None
    critique: Critique


class Progress(Struct, frozen=True, tag="progress"):
    """How far the run is; sent on each change."""

    phase: str
    """``preparing``, ``searching``, ``trimming`` (dropping what is worth nothing), ``confirming``, or that
    another ``maxcode`` is waited for."""
    done: int
    budget: int
    building: int = 0
    verifying: int = 0
    measuring: int = 0
    asking: int = 0
    """Questions to models that are not answered yet."""
    depth: int = 0
    """Actions from the original to the version that the search goes on from."""
    u: float = 1.0
    """Best discounted reward so far."""
    parent: str = ""
    """Which version the search goes on from and why, in words; empty: the original, as nothing was found yet."""
    spent: Spent | None = None
    """On models so far; None: the run has none."""


class Evaluated(Struct, frozen=True, tag="evaluated"):
    """A candidate was judged."""

    number: int
    """From 1, in the order of finishing."""
    actions: tuple[str, ...]
    rationale: str
    depth: int
    evaluation: Evaluation
    speedup: float | None
    """Estimated against the *original*; None where not timed."""
    best: bool
    """It is the best so far."""
    candidate: Candidate | None = None
    """What was judged, with its hunks against the original and its parent."""
    u: float = 1.0
    """Best discounted reward so far, this candidate included."""
    because: str = ""
    """The finding that it acts on, in the words of the critique of its parent; empty: it acts on none."""


class Observed(Struct, frozen=True, tag="observed"):
    """A policy saw a version and proposed: the parts of the observation, and what the answer cost."""

    node: str | None
    """Candidate that it goes on from; None: the original."""
    text_sha256: str
    """Of the normalised text that was shown."""
    best: str | None
    """Candidate that is the best so far; None: the original."""
    best_speedup: float
    u: float
    """Best discounted reward so far."""
    tried: int
    """Candidates seen so far."""
    finding_kinds: tuple[str, ...]
    """Of the critique that was shown, most costly first."""
    policy: str
    proposals: tuple[str, ...]
    """Candidate ids of what was proposed, best first."""
    elapsed_s: float


class Metered(Struct, frozen=True, tag="metered"):
    """What a run of a version costs was looked at."""

    candidate: str | None
    """None: the original."""
    overhead: Overhead | None
    """None: it did not end well this time."""


class Replied(Struct, frozen=True, tag="replied"):
    """A model answered a policy or a critic, and what its reply was worth."""

    model: str
    asked_by: str
    """Name of the policy or the critic."""
    prompt_sha256: str
    sample: int
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    cached: bool
    reply: str
    """How it ended: a :class:`~maxcode_lsp.policy.llm.replies.reply.ReplyEnd` value or the like."""
    elapsed_s: float


class Decided(Struct, frozen=True, tag="decided"):
    """The search, the trimming or the confirmation took a decision."""

    what: str
    """``went_on`` (from a new best), ``stopped`` (the search, why), ``trimmed``, ``confirmed``, ``given_up``;
    after the end ``discarded`` (by the user)."""
    candidate: str | None
    why: str
    """One sentence."""


class HunkReport(Struct, frozen=True):
    """One hunk of the final edit."""

    hunk: Hunk
    first_line: int
    """Line (from 1) in the original where it starts."""
    actions: tuple[str, ...]
    why: str
    worth: float | None
    """Speedup lost without it (1.12: 12 %); None: not separable (needed to build, or the only one)."""
    worth_ci95: tuple[float, float] | None = None


class RunResult(Struct, frozen=True, tag="finished"):
    """The end of a run. ``speedup`` and ``ci95`` come only from the confirmation."""

    target: str
    status: RunStatus
    speedup: float | None
    ci95: tuple[float, float] | None
    evaluations: int
    outcomes: dict[str, int]
    seconds: float
    diff: str
    """Unified diff of the file; empty without an improvement."""
    reason: str
    """One or two sentences: the result in words, or why there is none and what to do next."""
    hunks: tuple[HunkReport, ...] = ()
    pairs: int = 0
    """Pairs behind ``speedup``."""
    metric: str = "cpu"
    environment: Environment | None = None
    critique: Critique = field(default_factory=Critique)
    hits: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    """Finding kind to (candidates that acted on it, of those faster)."""
    notes: tuple[str, ...] = ()
    edited: bytes | None = None
    """The whole edited file, exact bytes (line ends and BOM as the original's); None without one."""
    bundle: str | None = None
    """Path of the saved proof bundle."""
    winner: str | None = None
    """Candidate id of what was confirmed."""
    spent: Spent | None = None
    """On models; None: the run had none."""
    replies: dict[str, int] = field(default_factory=dict[str, int])
    """How many replies of models ended how."""
    unasked: tuple[str, ...] = ()
    """Why models could not be asked, or not any more, one sentence each."""


class Judgement(Struct, frozen=True):
    """What the judge says about one version that was made elsewhere."""

    outcome: Outcome
    verdict: Verdict | None
    speedup: float | None
    ci95: tuple[float, float] | None
    reason: str
    pairs: int = 0
    environment: Environment | None = None


Event = Prepared | Critiqued | Progress | Observed | Metered | Replied | Evaluated | Decided | RunResult
