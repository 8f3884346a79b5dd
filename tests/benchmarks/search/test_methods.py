from __future__ import annotations

import pytest

from maxcode_lsp.benchmarks.search.methods import method, plain_of, whole_of
from maxcode_lsp.errors import Refused
from maxcode_lsp.search import SEARCHES, Parts


@pytest.mark.parametrize("name", list(SEARCHES))
def test_plain_and_whole(name: str) -> None:
    assert method(name).parts == SEARCHES[name].plain
    assert method(f"{name}+maxcode").parts == Parts()
    assert method(name).plan(3).seed == 3


def test_parts_widths_and_memory() -> None:
    some = method("beam@4+maxcode-u-rerank")
    assert (some.strategy, some.width) == ("beam", 4)
    assert some.parts == Parts(u=False, rerank=False)
    assert method("cuda-llm+critique").parts.critique and not method("cuda-llm+critique").parts.trajectory
    assert method("effi-learner").plan(0).by_memory and not method("effi-learner+maxcode").plan(0).by_memory
    assert method("effi-learner-profile").plan(0).by_memory
    assert (plain_of("beam@4+maxcode-u"), whole_of("beam@4+maxcode-u")) == ("beam@4", "beam@4+maxcode")
    assert plain_of("best-of-n") == "best-of-n"


@pytest.mark.parametrize(
    "name", ["", "beams", "beam+", "beam+all", "beam-maxcode", "beam@x", "beam@1234", "+maxcode", "beam+u+"]
)
def test_what_is_none(name: str) -> None:
    with pytest.raises(Refused, match="is no method"):
        method(name)
