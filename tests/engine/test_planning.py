from __future__ import annotations

import pytest
from msgspec.structs import replace

from maxcode_lsp.engine.planning import plan
from maxcode_lsp.search import SEARCHES, Parts
from maxcode_lsp.search.process.rewards import Scheme
from maxcode_lsp.settings import Settings, StrategySettings


@pytest.mark.parametrize(("effort", "width"), [("low", 2), ("medium", 5), ("high", 8)])
def test_as_many_rounds_as_candidates_in_one(effort: str, width: int) -> None:
    assert plan(Settings(effort=effort)).width == width  # type: ignore[arg-type]
    assert plan(Settings(effort=effort, strategy=StrategySettings(width=3))).width == 3  # type: ignore[arg-type]
    assert plan(Settings(budget=1)).width == 1


@pytest.mark.parametrize("part", Parts.__struct_fields__)
def test_each_part_is_one_setting(part: str) -> None:
    strategy = replace(StrategySettings(), **{part: False})
    assert plan(Settings(search="beam", strategy=strategy)).parts == replace(Parts(), **{part: False})


@pytest.mark.parametrize("search", list(SEARCHES))
def test_plain_is_as_the_source_has_it_whatever_else_is_set(search: str) -> None:
    settings = Settings(search=search, strategy=StrategySettings(plain=True, critique=True))  # type: ignore[arg-type]
    assert plan(settings).parts == SEARCHES[search].plain


def test_rewards_and_acceptance() -> None:
    assert plan(Settings()).scheme is Scheme.SPEEDUP
    logs = plan(Settings(seed=5, strategy=StrategySettings(reward="log", gamma=0.9)))
    assert (logs.scheme, logs.gamma, logs.seed) == (Scheme.LOG, 0.9, 5)
    assert not plan(Settings()).by_memory
    assert plan(Settings(strategy=StrategySettings(plain=True))).by_memory
    assert not plan(Settings(strategy=StrategySettings(plain=True, accept="time"))).by_memory
    assert plan(Settings(strategy=StrategySettings(accept="memory-time"))).by_memory
