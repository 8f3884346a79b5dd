from __future__ import annotations

import random
import re

from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.executor.mutations import mutate, mutations

TABLE = b"4\n1 20\n3 40\n5 60\n7 80\n"


@given(st.binary(max_size=400), st.integers(0, 1000))
def test_any_input_can_be_changed_or_stays(data: bytes, seed: int) -> None:
    changed = mutate(data, random.Random(seed))
    assert changed.count(b"\n") == data.count(b"\n")
    assert len(changed.split()) == len(data.split())


@given(st.integers(0, 10_000))
def test_the_first_line_and_the_shape_stay(seed: int) -> None:
    changed = mutate(TABLE, random.Random(seed))
    assert changed.startswith(b"4\n")
    assert re.sub(rb"\d", b"0", changed).count(b"0") == re.sub(rb"\d", b"0", TABLE).count(b"0")


def test_as_many_different_ones_as_asked_for() -> None:
    found = list(mutations([TABLE], random.Random(1), 8))
    assert len(found) == len(set(found)) == 8
    assert TABLE not in found


def test_nothing_to_change_ends() -> None:
    assert list(mutations([b"7\n"], random.Random(1), 5)) == []
    assert list(mutations([b""], random.Random(1), 5)) == []
    assert list(mutations([], random.Random(1), 5)) == []


@given(st.binary(max_size=60), st.integers(0, 200))
def test_bytes_beyond_ascii_stay(data: bytes, seed: int) -> None:
    odd = bytes(sorted({*range(0x80, 0x100)}))
    changed = mutate(b"5\n" + odd + b" 1 2\n" + data, random.Random(seed))
    assert sorted(c for c in changed if c >= 0x80) == sorted(c for c in odd + data if c >= 0x80)
