"""Strategies that spend a budget of candidates on a target."""

from __future__ import annotations

from maxcode_lsp.search.best_of_n import BestOfN
from maxcode_lsp.search.budget import Budget, Stop
from maxcode_lsp.search.greedy import Greedy
from maxcode_lsp.search.search import Search
from maxcode_lsp.search.trials import Asked, Node, Trial, Trials, Watcher

SEARCHES: dict[str, type[Search]] = {"greedy": Greedy, "best-of-n": BestOfN}
"""All strategies by the name that settings use."""

__all__ = ["SEARCHES", "Asked", "BestOfN", "Budget", "Greedy", "Node", "Search", "Stop", "Trial", "Trials", "Watcher"]
