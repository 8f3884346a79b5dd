"""What a prompt leaves out: never over the limit, and more room never shows less."""

from __future__ import annotations

from itertools import pairwise

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.policy.llm.budget import Shown, fitting, shortened

WHOLES = st.builds(
    Shown,
    attempts=st.integers(0, 12),
    diffs=st.integers(0, 12),
    findings=st.integers(0, 12),
    initial=st.integers(0, 1),
    best=st.integers(0, 1),
    complaint=st.integers(0, 1),
)
COSTS = st.builds(Shown, *(st.integers(0, 50) for _ in range(6)))


def cost(shown: Shown, of: Shown) -> int:
    """What a prompt costs where each piece of a part costs the same."""
    return sum(a * b for a, b in zip(msgspec.structs.astuple(shown), msgspec.structs.astuple(of), strict=True))


@given(WHOLES)
def test_each_form_shows_one_piece_less(whole: Shown) -> None:
    forms = list(shortened(whole))
    assert forms[0] == whole
    assert forms[-1] == Shown(0, 0, 0, 0, 0, 0)
    for longer, shorter in pairwise(forms):
        lost = [a - b for a, b in zip(msgspec.structs.astuple(longer), msgspec.structs.astuple(shorter), strict=True)]
        assert sorted(lost) == [0, 0, 0, 0, 0, 1]


@given(WHOLES, COSTS, st.integers(-1, 2000), st.integers(0, 2000))
def test_more_room_never_shows_less(whole: Shown, of: Shown, room: int, more: int) -> None:
    small = fitting(whole, lambda shown: cost(shown, of) <= room)
    large = fitting(whole, lambda shown: cost(shown, of) <= room + more)
    assert (small is None) == (room < 0)
    if small is not None:
        assert large is not None
        assert cost(small, of) <= room
        assert cost(large, of) <= room + more
        assert all(a <= b for a, b in zip(msgspec.structs.astuple(small), msgspec.structs.astuple(large), strict=True))


def test_what_goes_first() -> None:
    whole = Shown(attempts=4, diffs=4, findings=3)
    lost = [
        next(name for name in msgspec.structs.asdict(a) if getattr(a, name) != getattr(b, name))
        for a, b in pairwise(shortened(whole))
    ]
    assert lost == [
        *("attempts", "attempts"),
        *("diffs", "diffs", "diffs", "diffs"),
        *("findings", "initial", "best", "attempts", "attempts", "findings", "findings", "complaint"),
    ]
