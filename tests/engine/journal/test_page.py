"""``docs/journal.md`` shows records as they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from maxcode_lsp.engine.journal.lines import decode, encode
from maxcode_lsp.engine.journal.records import VERSION, Line, Record

PAGE = (Path(__file__).parents[3] / "docs" / "journal.md").read_text(encoding="utf-8")


def test_there_is_an_example_of_each_record() -> None:
    lines = [decode(row.encode(), Line) for row in re.findall(r"```json\n(.*)\n```", PAGE)]
    assert {type(line.record) for line in lines} == set(get_args(Record))
    for line in lines:
        assert decode(encode(line), Line) == line
    assert f"**{VERSION}** now" in PAGE
