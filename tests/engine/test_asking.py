"""What a run asks of models: its lanes and its critic, the books, and what is told of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from maxcode_lsp.engine.asking import LANES, Asking
from maxcode_lsp.engine.events import Event, Replied, Spent
from maxcode_lsp.errors import Refused, SettingsError
from maxcode_lsp.model.keys import Keys
from maxcode_lsp.model.local import store
from maxcode_lsp.model.local.catalogue import find
from maxcode_lsp.model.model import Usage
from maxcode_lsp.policy.policy import Observation
from maxcode_lsp.records import Critique
from maxcode_lsp.search import Node
from maxcode_lsp.settings import LlmSettings, ModelSettings, Settings
from maxcode_lsp.testing.model_replies import Reply, no_such_model, server_error
from maxcode_lsp.testing.model_server import Call, ModelServer, Said

KEY = "sk-asking-planted-3f2e1d0c9b8a"
PROGRAM = b'#include <cstdio>\nint main() {\n    for (int i = 0; i < 9; ++i) std::printf("%d\\n", i);\n}\n'
FASTER = PROGRAM.decode().replace("++i", "i++")
VERSION = f"Counts the other way.\n```cpp\n{FASTER}```\n"
KNOWN = Critique(hot_lines={3: 0.9}, profile_source="share of time")
OPINION = json.dumps({"findings": [{"first": 3, "last": 3, "message": "It prints a lot.", "evidence": ["E1"]}]})


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATA", "CACHE", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))


def script(call: Call) -> Said:
    """A version for the policy, an opinion for the critic."""
    usage = (600, 100)
    return Reply(text=OPINION if "one JSON object" in call.prompt else VERSION, usage=usage)


class Told:
    """What a run is told."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.changes = 0

    def change(self) -> None:
        self.changes += 1

    @property
    def replies(self) -> list[Replied]:
        return [event for event in self.events if isinstance(event, Replied)]


@asynccontextmanager
async def asking(
    settings: Settings, spent: Usage | None = None, environment: dict[str, str] | None = None
) -> AsyncGenerator[tuple[Asking, Told], None]:
    told = Told()
    keys = Keys({}, {"OPENAI_API_KEY": KEY} if environment is None else environment)
    run = Asking(keys, None, told.events.append, told.change)
    try:
        await run.open(settings, spent or Usage())
        yield run, told
    finally:
        await run.close()


def at(server: ModelServer, **llm: object) -> Settings:
    limits = LlmSettings(cache=False, connect_s=5, read_s=20)
    return Settings(model="openai/any", api_base=server.api_base, llm=replace(limits, **llm))


def node(text: bytes = PROGRAM) -> Node:
    return Node(None, text, 1.0)


def observation() -> Observation:
    return Observation(PROGRAM, (), KNOWN)


async def test_without_a_model_there_is_nothing() -> None:
    async with asking(Settings()) as (run, told):
        assert run.lanes("g++") == ()
        assert run.spent is None
        assert (run.in_flight, run.criticises) == (0, False)
        assert await run.opinion(node(), KNOWN) is KNOWN
    assert (told.events, told.changes, run.notes) == ([], 0, [])


async def test_a_version_is_asked_for_and_counted() -> None:
    with ModelServer(script) as server:
        async with asking(at(server)) as (run, told):
            [proposal] = await run.lanes("g++ 12")[0].propose(observation(), 1)
            assert proposal.text == FASTER.encode()
            assert run.spent == Spent(1, 0, 600, 100, 0.0)
            assert run.in_flight == 0
        [call] = server.questions
    assert call.headers["authorization"] == f"Bearer {KEY}"
    assert "g++ 12" in call.prompt
    [replied] = told.replies
    assert (replied.model, replied.asked_by, replied.reply) == ("openai/any", "llm", "program")
    assert (replied.tokens_in, replied.tokens_out, replied.cost_usd, replied.cached) == (600, 100, 0.0, False)
    assert dict(run.replies) == {"program": 1}
    assert told.changes == 2, "as it was asked, and as it was answered"


async def test_the_critic_is_asked_and_counted_in_the_same_books() -> None:
    with ModelServer(script) as server:
        async with asking(at(server)) as (run, told):
            assert run.criticises
            after = await run.opinion(node(), KNOWN)
            await run.lanes("g++")[0].propose(observation(), 1)
            assert run.spent == Spent(2, 0, 1200, 200, 0.0)
    assert [one.message for one in after.findings] == ["It prints a lot."]
    assert [(one.asked_by, one.reply) for one in told.replies] == [("critic", "findings"), ("llm", "program")]
    assert len({one.prompt_sha256 for one in told.replies}) == 2


async def test_what_was_known_costs_nothing() -> None:
    with ModelServer(script) as server:
        for cached in (0, 1):
            async with asking(at(server, cache=True)) as (run, told):
                await run.opinion(node(), KNOWN)
                spent = run.spent
            assert spent is not None
            assert (spent.calls, spent.cached, spent.tokens_in) == (1, cached, 0 if cached else 600)
            assert told.replies[0].cached is bool(cached)
        assert len(server.questions) == 1


@pytest.mark.parametrize(
    ("llm", "more", "lanes"),
    [({}, (), LANES), ({"at_once": 2}, (), 2), ({"at_once": 7}, (), 7), ({}, (ModelSettings(name="openai/b"),), LANES)],
)
async def test_lanes(llm: dict[str, object], more: tuple[ModelSettings, ...], lanes: int) -> None:
    with ModelServer(script) as server:
        async with asking(replace(at(server, **llm), models=more)) as (run, _):
            found = run.lanes("g++")
            assert len(found) == lanes
            assert {lane.name for lane in found} == {"llm"}
            assert all(lane.again for lane in found)


async def test_lanes_ask_side_by_side() -> None:
    with ModelServer(lambda call: Reply(text=VERSION, wait_s=0.3)) as server:
        async with asking(at(server)) as (run, _):
            asked = [asyncio.ensure_future(lane.propose(observation(), 1)) for lane in run.lanes("g++")]
            while run.in_flight < LANES:
                await asyncio.wait(asked, timeout=0.01)
            await asyncio.gather(*asked)
        assert len({call.prompt for call in server.questions}) == LANES, "each has an idea of its own"


async def test_a_local_model_has_one_lane() -> None:
    small = find("0.5b")
    store.models_folder().mkdir(parents=True)
    with store.file_of(small).open("wb") as file:
        file.truncate(small.size_bytes)  # takes no room; nothing is asked of it
    store.stamp(small)
    async with asking(Settings(model="local/0.5b")) as (run, _):
        assert len(run.lanes("g++")) == 1
    async with asking(Settings(model="local/0.5b", llm=LlmSettings(at_once=3))) as (run, _):
        assert len(run.lanes("g++")) == 3


async def test_what_an_earlier_process_spent_counts() -> None:
    with ModelServer(script) as server:
        async with asking(at(server, max_tokens=20_000), Usage(9_000, 1_000, 0.5)) as (run, _):
            assert run.spent == Spent(0, 0, 9_000, 1_000, 0.5)
            await run.opinion(node(), KNOWN)
            assert run.spent == Spent(1, 0, 9_600, 1_100, 0.5)
        async with asking(at(server, max_tokens=20_000), Usage(19_000, 500, 0.5)) as (run, told):
            assert await run.opinion(node(), KNOWN) is KNOWN
            [note] = run.notes
            assert "llm.max_tokens" in note
        assert len(server.questions) == 1
    assert told.replies == []


async def test_trouble_with_the_critic_is_a_note_told_once() -> None:
    with ModelServer([no_such_model("any")]) as server:
        async with asking(at(server)) as (run, told):
            for text in (PROGRAM, PROGRAM + b"// again\n", PROGRAM + b"// and again\n"):
                assert await run.opinion(node(text), KNOWN) is KNOWN
        assert len(server.questions) == 3
    [note] = run.notes
    assert "does not know openai/any" in note
    assert KEY not in note
    assert told.replies == []
    assert run.spent == Spent(0, 0, 0, 0, None)


async def test_policy_and_critic_have_the_same_trouble_once() -> None:
    with ModelServer([no_such_model("any")]) as server:
        async with asking(at(server)) as (run, _):
            await run.opinion(node(), KNOWN)
            for lane in run.lanes("g++"):
                assert await lane.propose(observation(), 1) == ()
    assert len(run.notes) == 1


async def test_a_reply_that_is_not_understood_is_counted_and_a_note_of_the_critique() -> None:
    with ModelServer(["The loop is slow."]) as server:
        async with asking(at(server)) as (run, told):
            after = await run.opinion(node(), KNOWN)
    assert after.findings == ()
    assert "openai/any" in after.notes[0]
    assert (run.notes, dict(run.replies)) == ([], {"malformed": 1})
    assert told.replies[0].reply == "malformed"


async def test_a_mistake_of_ours_does_not_end_the_run(caplog: pytest.LogCaptureFixture) -> None:
    with ModelServer(script) as server:
        told = Told()

        def broken(event: Event) -> None:
            raise AssertionError(f"{type(event).__name__} cannot be written")

        run = Asking(Keys({}, {"OPENAI_API_KEY": KEY}), None, broken, told.change)
        await run.open(at(server), Usage())
        assert await run.opinion(node(), KNOWN) is KNOWN
        await run.close()
    assert "opinion" in caplog.text


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (Settings(model="anthropic/claude-sonnet-4-5"), "ANTHROPIC_API_KEY"),
        (Settings(model="local"), "maxcode model pull"),
        (Settings(model="local", llm=LlmSettings(critic="gemini/gemini-2.5-pro")), "maxcode model pull"),
        (Settings(model="openai/a", llm=LlmSettings(critic="gemini/gemini-2.5-pro")), "GEMINI_API_KEY"),
    ],
)
async def test_a_run_that_cannot_ask_is_refused_with_what_to_do(settings: Settings, said: str) -> None:
    with pytest.raises(Refused, match=said) as refused:
        async with asking(settings):
            pass
    assert "--model none" in str(refused.value)
    assert KEY not in str(refused.value)


async def test_a_name_that_is_none_is_a_mistake_in_settings() -> None:
    with pytest.raises(SettingsError, match="provider/name"):
        async with asking(Settings(model="gpt-5-mini")):
            pass


async def test_no_critic_where_none_is_wanted() -> None:
    with ModelServer(script) as server:
        async with asking(at(server, critic="none")) as (run, _):
            assert not run.criticises
            assert await run.opinion(node(), KNOWN) is KNOWN
        assert server.calls == []


async def test_the_critic_is_asked_where_its_model_is() -> None:
    with ModelServer([server_error(501)]) as proposing, ModelServer(script) as criticising:
        more = (ModelSettings(name="openai/sober", api_base=criticising.api_base, weight=0.001),)
        async with asking(replace(at(proposing, critic="openai/sober"), models=more)) as (run, told):
            await run.opinion(node(), KNOWN)
        assert proposing.calls == []
    assert told.replies[0].model == "openai/sober"


async def test_closing_ends_what_is_asked() -> None:
    with ModelServer([Reply(wait_s=60)]) as server:
        async with asking(at(server)) as (run, _):
            asked = asyncio.ensure_future(run.opinion(node(), KNOWN))
            while not server.calls:
                await asyncio.wait({asked}, timeout=0.01)
            assert run.in_flight == 1
            await run.close()
            assert await asked is KNOWN
            await run.close()
        assert run.in_flight == 0


async def test_another_seed_asks_for_other_answers() -> None:
    samples: list[int] = []
    for seed in (0, 0, 3):
        with ModelServer(script) as server:
            async with asking(at(server)) as (run, told):
                lanes = run.lanes("g++", seed)
                assert await lanes[0].propose(observation(), 1)
                samples += [event.sample for event in told.replies]
    assert samples[0] == samples[1] != samples[2]
