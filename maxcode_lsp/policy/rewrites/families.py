"""The one place where families of rules are registered: importing this module fills ``RULES``.

A new rule is one class in its family's file; a new family is one file and one name here. The order
decides between proposals that are otherwise equal.
"""

from __future__ import annotations

import importlib

from maxcode_lsp.policy.rewrites.rule import RULES

FAMILIES = (
    "streams",
    "readers",
    "writers",
    "copies",
    "strings",
    "containers",
    "sequences",
    "lookups",
    "membership",
    "indexes",
    "sorting",
    "memo",
    "loop_order",
    "hoisting",
    "elements",
    "loops",
    "number_theory",
    "precompute",
    "arithmetic",
    "hashing",
    "hints",
    "code_generation",
    "parallel",
)

for _family in FAMILIES:
    importlib.import_module(f"maxcode_lsp.policy.rewrites.{_family}")

__all__ = ["FAMILIES", "RULES"]
