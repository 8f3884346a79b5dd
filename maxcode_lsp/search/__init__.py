"""Strategies that spend a budget of candidates on a target.

A new one is a file of its own, with a class, and its name in :data:`maxcode_lsp.settings.schema.STRATEGIES`.
"""

from __future__ import annotations

from importlib import import_module

from maxcode_lsp.search.budget import Budget, Stop
from maxcode_lsp.search.parts import Parts
from maxcode_lsp.search.search import Search
from maxcode_lsp.search.trials import Asked, Node, Plan, Trial, Trials, Watcher
from maxcode_lsp.settings.schema import STRATEGIES


def _search(name: str) -> type[Search]:
    """``cuda-llm`` is the class ``CudaLlm`` of the module ``cuda_llm``."""
    words = name.split("-")
    found: type[Search] = getattr(import_module(f"{__name__}.{'_'.join(words)}"), "".join(map(str.capitalize, words)))
    return found


SEARCHES = {name: _search(name) for name in STRATEGIES}
"""All strategies by the name that settings use."""

__all__ = [
    "SEARCHES",
    "Asked",
    "Budget",
    "Node",
    "Parts",
    "Plan",
    "Search",
    "Stop",
    "Trial",
    "Trials",
    "Watcher",
]
