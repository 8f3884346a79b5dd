"""What happened in a search: states, transitions and the trajectory they make (arXiv 2601.05475).

``Node`` is what a state knows besides u, or the name it goes by: a node of a search, the key of an observation.
``Action`` is what was done: in the paper a whole new program, so the id of a candidate will do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from maxcode_lsp.search.process.returns import GAMMA, next_best, next_u, to_absolute, value_targets

Node = TypeVar("Node")
Action = TypeVar("Action")


class State(Struct, Generic[Node], frozen=True):
    """(node, u, t). u is part of the state: without it the best action is not a function of the state."""

    node: Node
    u: float = 0.0
    """Best discounted reward so far, relative: u_t = max_{k < t} γ^{k−t} · r_k. A search starts with the reward of
    the original, which is in hand (ours; the theory starts with 0)."""
    t: int = 0
    """Actions so far."""


class Transition(Struct, Generic[Node, Action], frozen=True):
    """One step: ``action`` in ``state`` earned ``reward`` ≥ 0 and led to ``next_state``; ``done``: which is an end."""

    state: State[Node]
    action: Action
    reward: float
    next_state: State[Node]
    done: bool = False


class Trajectory(Struct, Generic[Node, Action], frozen=True):
    """Steps, each from where the one before led. Never changed: :meth:`then` makes a longer one."""

    start: State[Node]
    gamma: float = GAMMA
    """0 < γ ≤ 1."""
    transitions: tuple[Transition[Node, Action], ...] = ()

    def __post_init__(self) -> None:
        if not 0 < self.gamma <= 1:
            raise ValueError(f"γ is not in (0, 1]: {self.gamma}")

    def then(self, action: Action, reward: float, node: Node, *, done: bool = False) -> Trajectory[Node, Action]:
        """With one more step, to ``node``; u' = max(u, r) / γ.

        Raises ValueError behind the end, and where the reward is below 0 or not finite.
        """
        if self.done:
            raise ValueError("nothing comes behind the end")
        if not (math.isfinite(reward) and reward >= 0):
            raise ValueError(f"no reward: {reward}")
        state = self.state
        led_to = State(node, next_u(state.u, reward, self.gamma), state.t + 1)
        step = Transition(state, action, reward, led_to, done)
        return msgspec.structs.replace(self, transitions=(*self.transitions, step))

    @property
    def state(self) -> State[Node]:
        """Where it is now."""
        return self.transitions[-1].next_state if self.transitions else self.start

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        return bool(self.transitions) and self.transitions[-1].done

    @property
    def rewards(self) -> tuple[float, ...]:
        """r_t of each step."""
        return tuple(step.reward for step in self.transitions)

    @property
    def dones(self) -> tuple[bool, ...]:
        """Whether each step led to an end: only the last one can."""
        return tuple(step.done for step in self.transitions)

    @property
    def us(self) -> tuple[float, ...]:
        """The u before each step, and where it is now: relative, as states hold it."""
        return (self.start.u, *(step.next_state.u for step in self.transitions))

    @property
    def bests(self) -> tuple[float, ...]:
        """The b before each step, and where it is now: absolute, b_t = γ^t · u_t, kept from the rewards alone."""
        bests = [to_absolute(self.start.u, self.start.t, self.gamma)]
        for step in self.transitions:
            bests.append(next_best(bests[-1], step.reward, step.state.t, self.gamma))
        return tuple(bests)

    def targets(self, value: Callable[[Node, float], float] | None = None) -> list[float]:
        """What V(s_t, u_t) should be for each step; see :func:`.returns.value_targets`.

        ``value``: V(node, u), to bootstrap from where the trajectory has not ended.
        """
        of_last = value and partial(value, self.state.node)
        return value_targets(self.us[:-1], self.rewards, self.dones, self.gamma, of_last)
