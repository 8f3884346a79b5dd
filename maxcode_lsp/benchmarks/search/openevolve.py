"""OpenEvolve, a search of others (``pip install openevolve``, after AlphaEvolve, arXiv 2506.13131), as it comes.

It runs in a Python of the user's and only asks the model; whatever it makes is handed over to our judge, by a file of
ours that it takes for its evaluator. What we set besides the place and name of the model and the number of iterations:
long limits of time, the language, which it tells wrong for C++ with classes, and a record of what it did. Its seed is
its own, 42, in the first search. All else is its default: five islands, one question at a time, changes as
search-and-replace blocks, its general instructions, which do not say what the score measures.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from maxcode_lsp.benchmarks.search.episode import Episode, Step
from maxcode_lsp.benchmarks.search.methods import PEER
from maxcode_lsp.benchmarks.search.openevolve_evaluator import JUDGE
from maxcode_lsp.benchmarks.search.openevolve_judging import Judging
from maxcode_lsp.engine.load import Loaded
from maxcode_lsp.errors import Refused
from maxcode_lsp.executor.executor import Baseline, Executor
from maxcode_lsp.executor.tool import Answer, ask
from maxcode_lsp.messages import comparisons
from maxcode_lsp.model.local.endpoint import Endpoint
from maxcode_lsp.policy.llm.replies.reply import ReplyEnd
from maxcode_lsp.redaction import redact
from maxcode_lsp.search import Stop

SEED = 42
"""OpenEvolve's default."""
PATIENCE_S = 3600
"""Ours: what OpenEvolve gives the model for an answer (its default: 60), and us for a judgement (300)."""
LOOK_S = 60.0
STOP = "peer"
"""It ended by itself."""
_EVALUATOR = Path(__file__).with_name("openevolve_evaluator.py")
_VERSION = "from importlib.metadata import version; import openevolve.cli; print(version('openevolve'))"
_UNANSWERED = "LLM generation failed"
_UNFIT = "Error code: 400"
"""The server answers, but not this question: it is too long."""


class Searched(Struct, frozen=True):
    """What came of a search of OpenEvolve."""

    episode: Episode
    """True speedups are not known: each step's ``value`` is 1.0."""
    texts: dict[str, bytes]
    """Normalised text by candidate id."""
    version: str
    """Of OpenEvolve."""


class _Usage(Struct, frozen=True):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _More(Struct, frozen=True):
    token_usage: _Usage | None = None


class _Iteration(Struct, frozen=True):
    """A line of OpenEvolve's record: a version made from another, or why there is none."""

    iteration: int
    parent_id: str | None = None
    child_id: str | None = None
    error: str = ""
    token_usage: _Usage | None = None
    metadata: _More = _More()

    @property
    def usage(self) -> _Usage:
        return self.token_usage or self.metadata.token_usage or _Usage()


async def version_of(python: Path) -> str:
    """The version of OpenEvolve that a Python has. Raises Refused where it has none."""
    try:
        answer = await ask(str(python), "-I", "-c", _VERSION, limit_s=LOOK_S)
    except TimeoutError:
        raise Refused(comparisons.no_openevolve(str(python), f"no answer in {LOOK_S:.0f} s")) from None
    if not answer.ok:
        raise Refused(comparisons.no_openevolve(str(python), _last_line(answer)))
    return _last_line(answer)


async def episode(
    python: Path,
    endpoint: Endpoint,
    executor: Executor,
    base: Baseline,
    loaded: Loaded,
    *,
    program: str,
    seed: int,
    budget: int,
    seconds: float,
) -> Searched:
    """One search: ``budget`` iterations, each a question that leads to one candidate or to none, in at most
    ``seconds``. ``endpoint``: the model's. Raises Refused where ``python`` has no OpenEvolve, InfrastructureError, and
    OSError. Cancelled, or when this process dies, OpenEvolve ends with all that it started.
    """
    version = await version_of(python)
    with TemporaryDirectory(prefix="maxcode-") as name:
        folder = Path(name)
        await asyncio.to_thread(_lay_out, folder, loaded, _config(endpoint, folder, seed, budget))
        judging = Judging(executor, base, loaded)
        began_s = time.monotonic()
        answer = await judging.during(folder / JUDGE, _argv(python, folder), seconds)
        elapsed_s = time.monotonic() - began_s
        iterations = await asyncio.to_thread(_recorded, folder)
    return Searched(
        Episode(
            program=program,
            method=PEER,
            seed=seed,
            budget=budget,
            steps=_with_lineage(judging.steps, iterations),
            stop=STOP if answer is not None else Stop.TIME.value,
            seconds=round(elapsed_s, 2),
            cpu_s=round(judging.cpu_s, 2),
            tokens_in=sum(one.usage.prompt_tokens for one in iterations),
            tokens_out=sum(one.usage.completion_tokens for one in iterations),
            replies=dict(Counter(_ended(one) for one in iterations)),
            trouble=_trouble(answer, iterations, budget),
        ),
        judging.texts,
        version,
    )


def _config(endpoint: Endpoint, folder: Path, seed: int, budget: int) -> dict[str, Any]:
    """All that differs from OpenEvolve's defaults."""
    return {
        "max_iterations": budget,
        "random_seed": SEED + seed,
        "language": "cpp",
        "llm": {
            "primary_model": endpoint.model,
            "api_base": endpoint.api_base,
            "api_key": endpoint.key or "none",
            "timeout": PATIENCE_S,
        },
        "evaluator": {"timeout": PATIENCE_S},
        "evolution_trace": {
            "enabled": True,
            "include_prompts": False,
            "include_failures": True,
            "buffer_size": 1,
            "output_path": str(folder / "made.jsonl"),
        },
    }


def _lay_out(folder: Path, loaded: Loaded, config: dict[str, Any]) -> None:
    (folder / "program.cpp").write_bytes(loaded.source.data)
    # Not where it is: OpenEvolve looks for modules beside it first.
    (folder / "evaluator.py").write_bytes(_EVALUATOR.read_bytes())
    (folder / "config.yaml").write_bytes(msgspec.json.encode(config))


def _argv(python: Path, folder: Path) -> list[str]:
    """OpenEvolve, started with next to nothing of our environment, which may hold keys."""
    env = {name: value for name in ("PATH", "LD_LIBRARY_PATH") if (value := os.environ.get(name)) is not None}
    env |= dict.fromkeys(("HOME", "TMPDIR"), str(folder))
    return [
        *("env", "-i", *(f"{name}={value}" for name, value in env.items())),
        *(str(python), "-I", "-X", "utf8", "-m", "openevolve.cli"),
        *(str(folder / "program.cpp"), str(folder / "evaluator.py")),
        *("--config", str(folder / "config.yaml"), "--output", str(folder / "out")),
    ]


def _recorded(folder: Path) -> list[_Iteration]:
    """What OpenEvolve wrote down, by iteration; a line that it did not end is left out."""
    lines = [
        line
        for file in ("made.jsonl", "made_failures.jsonl")
        if (folder / file).exists()
        for line in (folder / file).read_bytes().splitlines(keepends=True)
    ]
    found = [msgspec.json.decode(line, type=_Iteration) for line in lines if line.endswith(b"\n")]
    return sorted(found, key=lambda one: one.iteration)


def _with_lineage(steps: Sequence[Step], iterations: Sequence[_Iteration]) -> tuple[Step, ...]:
    """The steps with what OpenEvolve knows of them. It has one worker, so versions come in the order of iterations."""
    spent = itertools.accumulate(one.usage.prompt_tokens + one.usage.completion_tokens for one in iterations)
    made = [(one, tokens) for one, tokens in zip(iterations, spent, strict=True) if one.child_id is not None]
    known: dict[str | None, Step] = {}
    """By OpenEvolve's names."""
    told: list[Step] = []
    for step, (one, tokens) in zip(steps, made, strict=False):
        parent = known.get(one.parent_id)
        depth, name = (parent.depth + 1, parent.candidate) if parent is not None else (1, None)
        told.append(replace(step, parent=name, depth=depth, tokens=tokens))
        known[one.child_id] = told[-1]
    return (*told, *steps[len(told) :])


def _ended(one: _Iteration) -> str:
    """What became of an answer: blocks that fitted, or why not in OpenEvolve's words."""
    return re.sub(r"\d+", "N", one.error.partition(":")[0]) or ReplyEnd.HUNKS.value


def _trouble(answer: Answer | None, iterations: Sequence[_Iteration], budget: int) -> str:
    lost = [one.error for one in iterations if one.error.startswith(_UNANSWERED) and _UNFIT not in one.error]
    if lost:
        return comparisons.openevolve_unanswered(redact(lost[-1]))
    if answer is not None and len(iterations) < budget:
        return comparisons.openevolve_ended(answer.code, redact(_last_line(answer)))
    return ""


def _last_line(answer: Answer) -> str:
    return next(iter(answer.text.splitlines()[-1:]), "")
