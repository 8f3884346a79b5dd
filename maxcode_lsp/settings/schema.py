"""The one typed schema of all settings. The same names hold in ``maxcode.toml``, in editors and here."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct, field

FILE = "maxcode.toml"
NOT_KEYS = frozenset({"file", "flags_from"})
"""Fields of :class:`Settings` that nobody sets in a file."""
USERS_OWN = frozenset(
    {"api_base", "models.api_base", "models.key_env", "llm.max_tokens", "llm.max_cost_usd", "llm.proxy", "llm.ca"}
)
"""Keys that a file in a workspace cannot set: a key, or the user's money, would go where its author wants."""


class OutputSettings(Struct, frozen=True):
    """How outputs are compared; see ``docs/output-comparison.md``."""

    float_tolerance: Annotated[
        float, Meta(ge=0, lt=1, description="Largest relative difference of a float in the output; 0: none.")
    ] = 1e-9
    ignore: Annotated[
        tuple[str, ...], Meta(description="Regular expressions: output lines in which one is found are left out.")
    ] = ()
    white_space: Annotated[
        Literal["runs", "exact"], Meta(description="Whether the amount of white space inside a line matters.")
    ] = "runs"


class WorkloadSettings(Struct, frozen=True):
    """The inputs; see ``docs/workloads.md``. Paths are relative to the folder of the settings file."""

    inputs: Annotated[tuple[str, ...], Meta(description="Input files, as glob patterns.")] = ()
    expected: Annotated[str, Meta(description="Where an input's expected output is, beside it: “{stem}.out”.")] = ""
    generator: Annotated[
        str, Meta(description="A program that prints an input, given a seed and a size as arguments.")
    ] = ""
    size: Annotated[
        Annotated[int, Meta(ge=1)] | None, Meta(description="The size that the generator is first asked for.")
    ] = None
    seconds: Annotated[
        float,
        Meta(gt=0, le=60, description="How long a run on generated input should take: the size grows until it does."),
    ] = 0.25


class LimitSettings(Struct, frozen=True):
    """Bounds of every process that is started."""

    build_s: Annotated[float, Meta(gt=0, le=3600, description="Seconds that one build may take.")] = 60.0
    run_s: Annotated[float, Meta(gt=0, le=3600, description="Seconds that one run may take.")] = 10.0
    build_memory_mb: Annotated[int, Meta(ge=64, le=1 << 20, description="Memory of a compiler, in MiB.")] = 3072
    run_memory_mb: Annotated[int, Meta(ge=16, le=1 << 20, description="Memory of the program, in MiB.")] = 2048
    output_mb: Annotated[int, Meta(ge=1, le=4096, description="Largest output of the program, in MiB.")] = 64


class RewriteSettings(Struct, frozen=True):
    """The built-in rewrite rules."""

    disabled: Annotated[tuple[str, ...], Meta(description="Ids of rules that are not to be used.")] = ()
    input: Annotated[
        Literal["safe", "fast"],
        Meta(description="“fast” allows input readers that treat malformed input differently."),
    ] = "safe"


class ModelSettings(Struct, frozen=True):
    """One of several language models that are mixed."""

    name: Annotated[str, Meta(description="“provider/name”, or “local”.")] = ""
    weight: Annotated[float, Meta(gt=0, le=1000, description="How often it is asked, relative to the others.")] = 1.0
    api_base: Annotated[str, Meta(description="Address of its endpoint; empty: the provider's own.")] = ""
    key_env: Annotated[
        str, Meta(description="Environment variable that holds its key; empty: the provider's usual one.")
    ] = ""
    context_tokens: Annotated[
        Annotated[int, Meta(ge=1024)] | None, Meta(description="Its context, where it is not known.")
    ] = None


NO_CRITIC = "none"
"""As ``llm.critic``: no model criticises."""


class LlmSettings(Struct, frozen=True):
    """How language models are asked; see ``docs/models.md``."""

    critic: Annotated[
        str,
        Meta(description="Model that criticises; empty: the one that proposes, unless local; “none”: no model does."),
    ] = ""
    temperature: Annotated[float, Meta(ge=0, le=2, description="How freely it proposes.")] = 0.8
    at_once: Annotated[
        Annotated[int, Meta(ge=1, le=64)] | None,
        Meta(description="Questions at the same time. Default: 4; a local model: 1."),
    ] = None
    answer_tokens: Annotated[int, Meta(ge=256, le=1 << 20, description="Largest answer, in tokens.")] = 4096
    max_tokens: Annotated[int, Meta(ge=0, description="Tokens that one run may use, questions and answers.")] = 500_000
    max_cost_usd: Annotated[float, Meta(ge=0, description="Dollars that one run may cost.")] = 1.0
    connect_s: Annotated[float, Meta(gt=0, le=600, description="Seconds to reach an endpoint.")] = 10.0
    read_s: Annotated[float, Meta(gt=0, le=3600, description="Seconds that an endpoint may be silent.")] = 120.0
    cache: Annotated[bool, Meta(description="Answers are kept, and not asked for again.")] = True
    proxy: Annotated[str, Meta(description="Proxy for all models; empty: as the environment says.")] = ""
    ca: Annotated[str, Meta(description="File with the certificate authorities that are trusted.")] = ""


class StrategySettings(Struct, frozen=True):
    """How a strategy searches; see ``docs/search.md``. Each part of MaxCode is a switch of its own."""

    plain: Annotated[
        bool, Meta(description="Search as the strategy's own source does, without any of the parts below.")
    ] = False
    width: Annotated[
        Annotated[int, Meta(ge=1, le=256)] | None,
        Meta(description="Candidates of one round. Default: the square root of all, so that there are as many rounds."),
    ] = None
    reward: Annotated[
        Literal["speedup", "log", "clipped", "classes"], Meta(description="How a speedup becomes a reward.")
    ] = "speedup"
    gamma: Annotated[float, Meta(gt=0, le=1, description="Discount of rewards that are found late.")] = 1.0
    accept: Annotated[
        Literal["", "memory-time", "time"],
        Meta(
            description="When effi-learner accepts a version: by memory–time, as its source, or by time. "
            "Empty: the first where it is plain, else the second."
        ),
    ] = ""
    code: Annotated[
        bool, Meta(description="Part: the current code; off: each candidate is made from the original.")
    ] = True
    feedback: Annotated[bool, Meta(description="Part: what execution said about what was tried on it.")] = True
    profile: Annotated[bool, Meta(description="Part: its time, memory and hot lines.")] = True
    critique: Annotated[bool, Meta(description="Part: findings about it, with their evidence.")] = True
    trajectory: Annotated[bool, Meta(description="Part: what was tried anywhere in the run.")] = True
    best: Annotated[bool, Meta(description="Part: the best version so far.")] = True
    u: Annotated[bool, Meta(description="Part: the best discounted reward so far.")] = True
    rerank: Annotated[bool, Meta(description="Part: reward-to-go chooses what to go on from.")] = True


class CacheSettings(Struct, frozen=True):
    """The build cache, shared by all runs of a user."""

    size_mb: Annotated[int, Meta(ge=16, le=1 << 20, description="Largest size on disk, in MiB.")] = 2048


class JournalSettings(Struct, frozen=True):
    """What is kept of runs; see ``docs/journal.md``."""

    keep_days: Annotated[float, Meta(gt=0, le=36500, description="Days that a run's journal is kept.")] = 30.0
    keep_mb: Annotated[int, Meta(ge=1, le=1 << 20, description="Largest size of all journals, in MiB.")] = 512


class EditorSettings(Struct, frozen=True):
    """What an editor shows by itself. Nothing of it changes a run."""

    lens: Annotated[bool, Meta(description="A line above the function says how its optimisation stands.")] = True
    diagnostics: Annotated[bool, Meta(description="Findings about the code are shown in it as diagnostics.")] = True


Strategy = Literal["greedy", "best-of-n", "effi-learner", "cuda-llm", "beam", "annealing"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
"""Each is a module of ``search/`` with this name."""
EFFORTS = {"low": 8, "medium": 32, "high": 64}
"""Candidates of a search. 64 is the budget of arXiv 2601.05475; the others are ours."""


class Settings(Struct, frozen=True):
    """Everything that can be set."""

    effort: Annotated[
        Literal["low", "medium", "high"], Meta(description="How many candidates a search may judge: 8, 32 or 64.")
    ] = "high"
    budget: Annotated[
        Annotated[int, Meta(ge=1)] | None, Meta(description="How many exactly; stands above the effort.")
    ] = None
    seconds: Annotated[float, Meta(gt=0, description="Seconds that a search may take.")] = 300.0
    threshold: Annotated[float, Meta(ge=1, le=100, description="Faster means: surely faster than so many times.")] = (
        1.05
    )
    goal: Annotated[Annotated[float, Meta(gt=1)] | None, Meta(description="Stop once so many times faster.")] = None
    search: Annotated[Strategy, Meta(description="The strategy.")] = "greedy"
    seed: Annotated[int, Meta(ge=0, description="Of the strategy's own choices.")] = 0
    model: Annotated[
        str, Meta(description="Language model that proposes, too: “provider/name”, or “local”; empty: none.")
    ] = ""
    api_base: Annotated[str, Meta(description="Address of the model's endpoint; empty: the provider's own.")] = ""
    models: Annotated[tuple[ModelSettings, ...], Meta(description="Further models, mixed by weight.")] = ()
    compiler: Annotated[
        str, Meta(description="Name of the compiler on PATH; empty: that of compile_commands.json, else g++ or gcc.")
    ] = ""
    flags: Annotated[
        tuple[str, ...] | None, Meta(description="Compiler flags, used instead of those of compile_commands.json.")
    ] = None
    output: OutputSettings = field(default_factory=OutputSettings)
    workload: WorkloadSettings = field(default_factory=WorkloadSettings)
    limits: LimitSettings = field(default_factory=LimitSettings)
    rewrites: RewriteSettings = field(default_factory=RewriteSettings)
    llm: LlmSettings = field(default_factory=LlmSettings)
    strategy: StrategySettings = field(default_factory=StrategySettings)
    cache: CacheSettings = field(default_factory=CacheSettings)
    journal: JournalSettings = field(default_factory=JournalSettings)
    editor: EditorSettings = field(default_factory=EditorSettings)
    file: str = ""
    """The settings file that was read; empty: none. Not a setting."""
    flags_from: str = ""
    """The folder that paths in ``flags`` are relative to, where they were given as an argument; empty: they come
    from the settings file. Not a setting."""

    @property
    def candidates(self) -> int:
        """How many a search may judge."""
        return self.budget if self.budget is not None else EFFORTS[self.effort]

    @property
    def asks_models(self) -> bool:
        """Whether any language model is named."""
        return bool(self.model or self.models)
