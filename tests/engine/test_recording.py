"""What is recorded of a run, and what is known of it when it goes on."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from maxcode_lsp.clock import Stopwatch
from maxcode_lsp.engine.events import Event, Prepared
from maxcode_lsp.engine.recording import Recording
from maxcode_lsp.model.model import Usage
from maxcode_lsp.testing.fakes import FakeClock
from tests.engine.journal.samples import ENVIRONMENT, RECORDS, REPLIED, heading, written

SPENT = Usage(900, 100, 0.25)


def recording(told: list[Event]) -> Recording:
    return Recording(told.append, Stopwatch(FakeClock()), lambda _: None)


async def test_what_was_spent_on_models_stays_spent(tmp_path: Path) -> None:
    cached = replace(REPLIED, cached=True)
    written(tmp_path, *RECORDS, cached)
    # It goes on; it begins anew as the machine is another one; it begins anew as the text is; it goes on again.
    for change in ("", "machine", "text", ""):
        one = recording([])
        opened = heading() if change != "text" else replace(heading(), source=b"int main() {}\n")
        await one.go_on(tmp_path, opened)
        if change == "machine":
            one.check(replace(ENVIRONMENT, machine="another"))
        assert one.spent == SPENT, change
        if change:
            one.happened(Prepared("b.cpp", 1000, 7, 300.0, (), ENVIRONMENT))
        await one.close()
    assert recording([]).spent == Usage()


async def test_an_opinion_that_is_not_recorded_ends_no_replay(tmp_path: Path) -> None:
    written(tmp_path, *RECORDS)
    one = recording([])
    await one.go_on(tmp_path, heading())
    assert not one.replay.over
    assert await one.replay.opinion("c2") is None
    assert not one.replay.over
    known = await one.replay.critique(None)
    assert known is not None
    assert await one.replay.opinion(None) is None, "there was one critique, and it was given out"
    assert not one.replay.over
    await one.close()
