"""Methods: a strategy with the parts that it is shown, by name.

``beam`` is the strategy as its source has it, ``beam@4`` with rounds of four candidates. ``+maxcode`` puts all parts of
MaxCode in, ``+PART`` one of them, ``-PART`` leaves one out: ``beam@4+maxcode-u-rerank``, ``cuda-llm+critique``.
"""

from __future__ import annotations

import re

import msgspec
from msgspec import Struct

from maxcode_lsp.errors import Refused
from maxcode_lsp.messages import comparisons
from maxcode_lsp.search import SEARCHES, Parts, Plan

WHOLE = "maxcode"
PEER = "openevolve"
"""A program of others, run as it comes."""
_NAME = re.compile(
    rf"(?P<strategy>{'|'.join(map(re.escape, SEARCHES))}|{PEER})(?:@(?P<width>\d{{1,3}}))?(?P<parts>(?:[+-][a-z]+)*)"
)


class Method(Struct, frozen=True):
    """One way to search."""

    name: str
    strategy: str
    parts: Parts
    width: int = Plan().width
    by_memory: bool = False

    def plan(self, seed: int) -> Plan:
        """The plan of one search."""
        return Plan(parts=self.parts, width=self.width, by_memory=self.by_memory, seed=seed)


def plain_of(name: str) -> str:
    """The name of the plain form of a method, with the same width; its own where it is plain."""
    return re.split(r"\+", name, maxsplit=1)[0]


def whole_of(name: str) -> str:
    """The name of the form with all parts."""
    return f"{plain_of(name)}+{WHOLE}"


def method(name: str) -> Method:
    """The method of a name. Raises Refused where it is none."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise Refused(comparisons.unknown_method(name, tuple(SEARCHES), Parts.__struct_fields__))
    strategy, width = found["strategy"], int(found["width"] or Plan().width)
    parts = Parts() if strategy == PEER else SEARCHES[strategy].plain
    for sign, part in re.findall(r"([+-])([a-z]+)", found["parts"]):
        if part == WHOLE and sign == "+":
            parts = Parts()
        elif part in Parts.__struct_fields__:
            parts = msgspec.structs.replace(parts, **{part: sign == "+"})
        else:
            raise Refused(comparisons.unknown_method(name, tuple(SEARCHES), Parts.__struct_fields__))
    # Where it is not surely faster but smaller, only the plain form takes it, as its source does.
    by_memory = strategy == "effi-learner" and WHOLE not in found["parts"]
    return Method(name, strategy, parts, max(width, 1), by_memory)
