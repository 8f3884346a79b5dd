"""The policy: one question, one proposal; what failed is told back, and comes to an end."""

from __future__ import annotations

import asyncio
import hashlib
import math
from pathlib import Path

import pytest

from maxcode_lsp.errors import ModelFault
from maxcode_lsp.model.model import Answer, Ending, Question, Role
from maxcode_lsp.policy.llm.policy import TURNS
from maxcode_lsp.policy.policy import Observation
from maxcode_lsp.records import Critique
from tests.policy.llm.observations import CURRENT, FINDINGS, outside
from tests.policy.llm.ready import Lane, ReadyModel, script

PROGRAM = CURRENT.decode()
SEEN = Observation(CURRENT, ("-O3",), Critique(), original=CURRENT, best=CURRENT)


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def version(number: int) -> str:
    """A new version, as a model would send it."""
    text = PROGRAM.replace("int x;", f"int x = {number};")
    return f"It starts x at {number}.\n\n```cpp\n{text}```\n"


def text_of(number: int) -> bytes:
    return PROGRAM.replace("int x;", f"int x = {number};").encode()


def id_of(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:12]


async def test_one_question_gives_one_proposal() -> None:
    model = ReadyModel(script(version(1)))
    lane = Lane(model)
    (proposal,) = await lane.policy.propose(SEEN, 64)
    assert proposal.text == text_of(1)
    assert proposal.origin.policy == lane.policy.name == "llm"
    assert proposal.origin.actions == ("llm:ready/model",)
    assert proposal.origin.rationale == "It starts x at 1."
    assert 0 < proposal.priority < math.log(1.1)
    (question,) = model.questions
    assert [message.role for message in question.messages] == [Role.SYSTEM, Role.USER]
    assert question.temperature == 0.8
    assert question.max_tokens == 2048
    assert lane.ends == ["program"]
    assert lane.troubles == []


async def test_hunks_are_a_proposal_too() -> None:
    hunk = "Starts at 3.\n```cpp\n<<<<<<< SEARCH\n    int x;\n=======\n    int x = 3;\n>>>>>>> REPLACE\n```\n"
    (proposal,) = await Lane(ReadyModel(script(hunk))).policy.propose(SEEN, 1)
    assert proposal.text == text_of(3)


async def test_a_reply_without_words_names_the_model() -> None:
    lane = Lane(ReadyModel(script(f"```cpp\n{text_of(1).decode()}```")))
    (proposal,) = await lane.policy.propose(SEEN, 1)
    assert proposal.origin.rationale == "Proposed by ready/model, which did not say why."


async def test_missing_includes_are_added() -> None:
    text = PROGRAM.replace("std::map<int", "std::unordered_map<int")
    (proposal,) = await Lane(ReadyModel(script(f"A hash table.\n```cpp\n{text}```"))).policy.propose(SEEN, 1)
    assert b"#include <unordered_map>\n" in proposal.text


async def test_nothing_is_asked_without_need() -> None:
    model = ReadyModel(script(version(1)))
    lane = Lane(model)
    assert await lane.policy.propose(SEEN, 0) == ()
    assert await lane.policy.propose(Observation(b" \n", (), Critique()), 5) == ()
    assert model.questions == []


async def test_each_question_is_another() -> None:
    """Lanes side by side and one after the other: no sample and no direction comes twice at a time."""
    models = [ReadyModel(version) for _ in range(4)]
    lanes = [Lane(model, lane=number, lanes=4) for number, model in enumerate(models)]
    for _ in range(2):
        await asyncio.gather(*(lane.policy.propose(SEEN, 1) for lane in lanes))
    questions = [question for model in models for question in model.questions]
    assert len({question.sample for question in questions}) == 8
    assert len({question.messages for question in questions}) == 8


async def test_a_run_that_goes_on_asks_the_same_again() -> None:
    """So that what was answered is found in the cache."""

    async def asked() -> list[object]:
        model = ReadyModel(script("No code.", version(1), version(2), Ending.EMPTY, version(3)))
        lane = Lane(model, lane=2, lanes=3)
        for _ in range(3):
            await lane.policy.propose(SEEN, 1)
        return [model.questions, [one.prompt_sha256 for one in lane.asked]]

    assert await asked() == await asked()


async def test_what_failed_is_told_back_as_data() -> None:
    model = ReadyModel(script("I would use a hash table.", version(1), version(2)))
    lane = Lane(model)
    assert len(await lane.policy.propose(SEEN, 1)) == 1
    assert lane.ends == ["no_code", "program"]
    first, second = (question.messages[1].text for question in model.questions)
    complaint = lane.asked[0].reply.complaint
    assert complaint
    assert complaint not in first
    assert complaint in second
    assert complaint not in outside(second)
    await lane.policy.propose(SEEN, 1)
    assert "could not be used" not in model.questions[2].messages[1].text


async def test_after_several_failed_replies_in_a_row_it_gives_up() -> None:
    model = ReadyModel(script(version(1), *["No."] * TURNS, version(2)))
    lane = Lane(model)
    assert len(await lane.policy.propose(SEEN, 1)) == 1
    assert await lane.policy.propose(SEEN, 1) == ()
    assert await lane.policy.propose(SEEN, 1) == ()
    assert len(model.questions) == 1 + TURNS
    other = Observation(CURRENT + b"\n", (), Critique())
    assert len(await lane.policy.propose(other, 1)) == 1, "another text is another matter"
    told_more = Observation(CURRENT, (), Critique(FINDINGS))
    assert len(await lane.policy.propose(told_more, 1)) == 1, "as is another critique"


@pytest.mark.parametrize("ending", [Ending.EMPTY, Ending.REFUSED, Ending.THINKING_ONLY])
async def test_silence_is_asked_once_more_before_it_counts(ending: Ending) -> None:
    model = ReadyModel(script(ending))
    lane = Lane(model)
    assert await lane.policy.propose(SEEN, 1) == ()
    assert lane.ends == [ending.value] * 2 * TURNS
    assert len({question.sample for question in model.questions}) == 2 * TURNS, "or the cache would answer"


async def test_what_was_tried_or_shown_is_not_proposed() -> None:
    seen = Observation(CURRENT, (), Critique(), frozenset({id_of(text_of(1))}))
    model = ReadyModel(script(version(1), f"Same.\n```cpp\n{PROGRAM}```", version(2)))
    lane = Lane(model)
    (proposal,) = await lane.policy.propose(seen, 1)
    assert proposal.text == text_of(2)
    assert lane.ends == ["unchanged", "unchanged", "program"]
    assert "This very program was tried before" in model.questions[1].messages[1].text
    directions = [question.messages[1].text.partition("Idea to try")[2] for question in model.questions]
    assert len(set(directions)) == 3, "it is led elsewhere"


async def test_long_programs_are_changed_in_hunks() -> None:
    short, long = (
        ReadyModel(script(version(1))),
        ReadyModel(script(version(1))),
    )
    await Lane(short, answer_tokens=2048).policy.propose(SEEN, 1)
    await Lane(long, answer_tokens=len(PROGRAM) // 3).policy.propose(SEEN, 1)
    assert "whole new program" in short.questions[0].messages[1].text
    assert "<<<<<<< SEARCH" in long.questions[0].messages[1].text


async def test_what_was_cut_off_is_asked_for_in_hunks() -> None:
    model = ReadyModel(script(Ending.LENGTH, version(1)))
    lane = Lane(model)
    assert len(await lane.policy.propose(SEEN, 1)) == 1
    assert lane.ends == ["truncated", "program"]
    assert "<<<<<<< SEARCH" in model.questions[1].messages[1].text


async def test_text_that_cannot_be_shown_exactly_is_not_written_out_again() -> None:
    model = ReadyModel(script(version(1)))
    await Lane(model).policy.propose(Observation(b"// caf\xe9\n" + CURRENT, (), Critique()), 1)
    assert "<<<<<<< SEARCH" in model.questions[0].messages[1].text


async def test_a_program_that_is_too_long_is_said_once() -> None:
    model = ReadyModel(script(version(1)), context_tokens=1024)
    lane = Lane(model)
    seen = Observation(CURRENT * 20, (), Critique())
    assert await lane.policy.propose(seen, 1) == ()
    assert await lane.policy.propose(seen, 1) == ()
    assert model.questions == []
    (trouble,) = lane.troubles
    assert trouble.startswith("ready/model was not asked: with the answer, the program does not fit into its 1,024 ")
    assert trouble.endswith("Choose a model with a larger context.")


async def test_another_model_may_have_room_for_it() -> None:
    small, large = ReadyModel(script(version(1)), "small", 1024), ReadyModel(script(version(1)), "large", 65536)
    lane = Lane(small, large)
    for number in range(4):
        await lane.policy.propose(Observation(CURRENT * 20 + b"\n" * number, (), Critique()), 1)
    assert small.questions == []
    assert len(large.questions) >= 4


async def test_a_context_that_is_smaller_than_said_shrinks_the_prompt_once() -> None:
    critique = Critique(FINDINGS * 4)
    model = ReadyModel(script(ModelFault.CONTEXT_TOO_SMALL, version(1)), context_tokens=1 << 16)
    lane = Lane(model)
    assert len(await lane.policy.propose(Observation(CURRENT, (), critique, original=CURRENT * 40), 1)) == 1
    first, second = (sum(len(message.text) for message in question.messages) for question in model.questions)
    assert second <= first / 2 + 100
    assert lane.troubles == []

    stubborn = ReadyModel(script(ModelFault.CONTEXT_TOO_SMALL), context_tokens=1 << 16)
    lane = Lane(stubborn)
    assert await lane.policy.propose(Observation(CURRENT, (), critique, original=CURRENT * 40), 1) == ()
    assert await lane.policy.propose(SEEN, 1) == ()
    assert len(stubborn.questions) == 2
    assert lane.troubles == ["ready/model: context_too_small."]


@pytest.mark.parametrize("fault", [f for f in ModelFault if f is not ModelFault.CONTEXT_TOO_SMALL])
async def test_a_model_that_cannot_be_asked_is_left_out_and_that_is_said_once(fault: ModelFault) -> None:
    passing = fault in {ModelFault.RATE_LIMITED, ModelFault.TOO_SLOW, ModelFault.UNREACHABLE}
    model = ReadyModel(script(fault))
    lane = Lane(model)
    assert await lane.policy.propose(SEEN, 1) == ()
    assert await lane.policy.propose(SEEN, 1) == ()
    assert len(model.questions) == (2 if passing else 1)
    assert lane.troubles == [f"ready/model: {fault.value}."]
    assert lane.asked == []


async def test_what_passes_is_forgiven() -> None:
    model = ReadyModel(script(*[said for n in range(4) for said in (ModelFault.RATE_LIMITED, version(n))]))
    lane = Lane(model)
    for number in range(4):
        (proposal,) = await lane.policy.propose(SEEN, 1)
        assert proposal.text == text_of(number)
    assert lane.troubles == []


@pytest.mark.parametrize(("fault", "goes_on"), [(ModelFault.KEY_REFUSED, True), (ModelFault.CAP_REACHED, False)])
async def test_the_other_models_go_on(fault: ModelFault, goes_on: bool) -> None:
    bad, good = ReadyModel(script(fault), "bad"), ReadyModel(version, "good")
    lane = Lane(bad, good)
    proposed = [len(await lane.policy.propose(SEEN, 1)) for _ in range(6)]
    assert len(bad.questions) == 1
    assert lane.troubles == [f"bad: {fault.value}."]
    assert (proposed == [1] * 6) is goes_on
    assert goes_on or proposed[-1] == 0


async def test_it_says_which_finding_a_change_answers() -> None:
    seen = Observation(CURRENT, (), Critique(FINDINGS[:1]))
    here = ReadyModel(script(f"Hash.\n```cpp\n{PROGRAM.replace('std::map<int', 'std::unordered_map<int')}```"))
    (proposal,) = await Lane(here).policy.propose(seen, 1)
    assert proposal.origin.finding_kinds == ("ordered-container",)
    elsewhere = ReadyModel(
        script(f"No flush.\n```cpp\n{PROGRAM.replace(chr(39) + ' ' + chr(39), chr(34) + ' ' + chr(34))}```")
    )
    (proposal,) = await Lane(elsewhere).policy.propose(seen, 1)
    assert proposal.origin.finding_kinds == ()


async def test_cancelling_ends_the_question() -> None:
    begun, hold = asyncio.Event(), asyncio.Event()

    class Slow(ReadyModel):
        async def ask(self, question: Question) -> Answer:
            begun.set()
            await hold.wait()
            raise AssertionError(question)

    lane = Lane(Slow(script(version(1))))
    task = asyncio.create_task(lane.policy.propose(SEEN, 1))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert lane.troubles == []
