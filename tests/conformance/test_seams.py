"""The shared suites, run on every implementation of each seam."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest

from maxcode_lsp.clock import Clock, Stopwatch, SystemClock
from maxcode_lsp.critique.critic import Critic, Report, finding
from maxcode_lsp.critique.critique import CRITICS
from maxcode_lsp.critique.evidence import Evidence, Subject
from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.engine.replay import Replay, ReplayedExecutor, ReplayedPolicy
from maxcode_lsp.executor.executor import Executor
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.executor.profile.sandboxed import open_workbench
from maxcode_lsp.executor.sandbox import Scratch
from maxcode_lsp.model.ledger import Ledger
from maxcode_lsp.model.mixture import Member, Mixture
from maxcode_lsp.model.through_litellm import LitellmModel
from maxcode_lsp.model.transport import open_transport
from maxcode_lsp.policy.llm.policy import LlmPolicy
from maxcode_lsp.policy.policy import Policy
from maxcode_lsp.policy.rewrites.policy import RewritesPolicy
from maxcode_lsp.records import Outcome
from maxcode_lsp.settings import LlmSettings
from maxcode_lsp.testing.conformance import (
    Trial,
    check_clock,
    check_critic,
    check_executor,
    check_model,
    check_policy,
    check_values,
)
from maxcode_lsp.testing.fakes import FakeClock, FakeCritic, FakeExecutor, FakeModel, FakePolicy, FakeValues
from maxcode_lsp.testing.model_server import Call, ModelServer
from maxcode_lsp.value.heuristic import Heuristic
from maxcode_lsp.value.value import ValueFunction
from tests.executor.jobs import GENERATOR, SUM, candidate, job

TWICE = b"""#include <cstdio>
int main() {
    volatile unsigned sink = 0;
    unsigned long total = 1;
    for (unsigned i = 0; i < 20000000u; ++i) total = total * 6364136223846793005ul + 1442695040888963407ul;
    for (unsigned i = 0; i < 40000000u; ++i) sink = sink + i;
    std::printf("%lu\\n", total);
}
"""
ONCE = TWICE.replace(b"    for (unsigned i = 0; i < 40000000u; ++i) sink = sink + i;\n", b"")


def trial() -> Trial:
    return Trial(
        job=job(TWICE),
        faster=candidate(TWICE, ONCE),
        wrong=candidate(TWICE, ONCE.replace(b"total = 1", b"total = 2")),
        broken=candidate(TWICE, ONCE.replace(b"total)", b"totl)")),
        refused=job(TWICE.replace(b"total)", b"totl)")),
    )


def fake_outcome(text: bytes) -> Outcome:
    if b"totl" in text:
        return Outcome.COMPILE_ERROR
    return Outcome.WRONG_OUTPUT if b"total = 2" in text else Outcome.CORRECT


def executors(folder: Path) -> dict[str, Executor]:
    return {
        "local": LocalExecutor(folder / "cache", pairs=6),
        "fake": FakeExecutor(lambda text: 300 if b"sink + i" in text else 100, fake_outcome),
        "replayed": ReplayedExecutor(
            FakeExecutor(lambda text: 300 if b"sink + i" in text else 100, fake_outcome), Replay()
        ),
    }


@pytest.mark.parametrize("name", ["local", "fake", "replayed"])
async def test_executor(name: str, tmp_path: Path) -> None:
    await check_executor(executors(tmp_path)[name], trial())


POLICIES: dict[str, Policy] = {
    "rewrites": RewritesPolicy(),
    "replayed": ReplayedPolicy(RewritesPolicy(), Replay()),
    "fake": FakePolicy({"flush": (b"std::endl", b"'\\n'"), "rounds": (b"round < 40", b"round != 40")}),
}


@pytest.mark.parametrize("name", list(POLICIES))
async def test_policy(name: str) -> None:
    await check_policy(POLICIES[name], SUM)


@pytest.mark.filterwarnings("ignore:Accessing the 'model_:DeprecationWarning")  # litellm's own
async def test_policy_that_asks_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    program = SUM.decode()
    assert "total" in program
    numbers = count()

    def script(call: Call) -> str:
        known = program in call.prompt
        return f"Another name.\n```cpp\n{program.replace('total', f'total{next(numbers)}')}```" if known else "Odd."

    with ModelServer(script) as server:
        transport = await open_transport(LlmSettings())
        model = LitellmModel("openai/scripted", transport, api_base=server.api_base)
        models = Mixture([Member(model)], Ledger(1_000_000, 1.0), on_close=[transport.close])
        policy = LlmPolicy(models, temperature=0.8, answer_tokens=1024, on_asked=lambda _: None, on_trouble=pytest.fail)
        try:
            await check_policy(policy, SUM)
        finally:
            await models.close()


CRITIC_LIST: list[Critic] = [
    *CRITICS.values(),
    FakeCritic(Report((finding(Kind.HOT_LINES, (1, 2), "Hot.", "made up", 0.5),), ("A note.",))),
]


@pytest.fixture
async def evidence() -> AsyncIterator[Evidence]:
    with Scratch() as scratch:
        wanted = job(SUM, generator=GENERATOR)
        async with open_workbench(scratch, wanted, SUM) as bench:
            text = b"3000\n" + b" ".join(b"%d" % (i * 37 % 1000) for i in range(3000)) + b"\n"
            made = Evidence(Subject(text=SUM, job=wanted, bench=bench, inputs=(text,)))
            yield made
            await made.close()


@pytest.mark.parametrize("critic", CRITIC_LIST, ids=lambda critic: critic.name)
async def test_critic(critic: Critic, evidence: Evidence) -> None:
    await check_critic(critic, evidence)


@pytest.mark.parametrize(
    "clock", [SystemClock(), Stopwatch(SystemClock()), FakeClock()], ids=["system", "stopwatch", "fake"]
)
def test_clock(clock: Clock) -> None:
    check_clock(clock)


async def test_models() -> None:
    await check_model(FakeModel())


@pytest.mark.parametrize("values", [Heuristic(), FakeValues()], ids=["heuristic", "fake"])
async def test_values(values: ValueFunction) -> None:
    await check_values(values)
