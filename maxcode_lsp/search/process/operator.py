"""The max-reward Bellman operator, exact on small stochastic processes (arXiv 2402.01361, 2601.05475).

With u in the state, the best reward of a trajectory follows a recursion like any other:

    u' = max(u, r) / γ
    Q(s, u, a) = Σ_{s', r} P(s', r | s, a) · γ · V(s', u')
    V(s, u)    = Σ_a π(a | s, u) · Q(s, u, a)       for a policy
    V(s, u)    = max_a Q(s, u, a)                   for the best action
    V(end, u)  = u                                  so the target of a last step is γ · u' = max(u, r)

Expanded, V(s, u) = E[max(u, Ĝ)] exactly: the expectation is outside, every maximum inside. Where no steps are left the
same holds as at an end, V₀(s, u) = u: a search whose budget is spent keeps what is in hand. (The recursion is written
with γ in front, which makes ends need no case of their own; ours, equal to the Monte-Carlo form of the source.)

Without u (Gottipati et al. 2020):

    Q(s, a) = E[max(r, γ · V(s'))]      V(end) = 0

The inner V is an expectation already, so a maximum is taken over means: max(r, γ · E[Ĝ]) ≤ E[max(r, γ · Ĝ)] (Jensen).
It is too low wherever a reward in hand insures a gamble that comes later, and then it prefers the wrong action. It is
exact where nothing is left to chance, neither in the process nor in the policy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache

from msgspec import Struct

from maxcode_lsp.search.process.returns import GAMMA, next_u

Policy = Callable[[str, float], Mapping[str, float]]
"""π(· | s, u): probabilities of the actions to take. The best policy needs to know u."""
Value = Callable[[str, float], float]
"""V(s, u)."""


class Chance(Struct, frozen=True):
    """One thing that may come of an action."""

    probability: float
    reward: float
    """≥ 0."""
    state: str
    """Where it leads."""


class Process(Struct, frozen=True):
    """A finite process. A state without actions is an end."""

    actions: dict[str, dict[str, tuple[Chance, ...]]]
    """State → action → what may come of it; the probabilities sum to 1."""

    def __post_init__(self) -> None:
        for state, actions in self.actions.items():
            for action, chances in actions.items():
                if not math.isclose(math.fsum(chance.probability for chance in chances), 1.0):
                    raise ValueError(f"probabilities of {action} in {state} do not sum to 1")
                if any(chance.probability < 0 or chance.reward < 0 for chance in chances):
                    raise ValueError(f"something about {action} in {state} is below 0")

    def choices(self, state: str) -> Mapping[str, tuple[Chance, ...]]:
        """Actions of a state; none at an end."""
        return self.actions.get(state, {})


def action_value(process: Process, value: Value, state: str, u: float, action: str, gamma: float = GAMMA) -> float:
    """Q(s, u, a) = Σ P · γ · V(s', u')."""
    return sum(
        chance.probability * gamma * value(chance.state, next_u(u, chance.reward, gamma))
        for chance in process.choices(state)[action]
    )


def backup(process: Process, value: Value, policy: Policy | None = None, gamma: float = GAMMA) -> Value:
    """The operator: T V. ``policy`` None: the best action is taken."""

    def backed_up(state: str, u: float) -> float:
        choices = process.choices(state)
        if not choices:
            return u
        if policy is None:
            return max(action_value(process, value, state, u, action, gamma) for action in choices)
        return sum(p * action_value(process, value, state, u, action, gamma) for action, p in policy(state, u).items())

    return cache(backed_up)


def max_reward_value(process: Process, steps: int, policy: Policy | None = None, gamma: float = GAMMA) -> Value:
    """V = T^steps V₀ with V₀(s, u) = u: E[max(u, Ĝ)] over at most so many steps. Values are remembered."""
    value: Value = in_hand
    for _ in range(steps):
        value = backup(process, value, policy, gamma)
    return value


def in_hand(_state: str, u: float) -> float:
    """V₀(s, u) = u."""
    return u


def best_action(process: Process, value: Value, state: str, u: float, gamma: float = GAMMA) -> str:
    """The action with the highest Q(s, u, ·), the first of equals. ``value``: of the steps left behind this one."""
    return max(process.choices(state), key=lambda action: action_value(process, value, state, u, action, gamma))


def naive_action_value(
    process: Process, value: Callable[[str], float], state: str, action: str, gamma: float = GAMMA
) -> float:
    """Q(s, a) = E[max(r, γ · V(s'))]: biased, here to be compared with."""
    return sum(
        chance.probability * max(chance.reward, gamma * value(chance.state))
        for chance in process.choices(state)[action]
    )


def naive_value(
    process: Process, steps: int, policy: Policy | None = None, gamma: float = GAMMA
) -> Callable[[str], float]:
    """V(s) of the naive form after at most so many steps. It knows no u: a policy is asked with u = 0."""

    @cache
    def value(state: str, left: int) -> float:
        choices = process.choices(state)
        if not choices or not left:
            return 0

        def q(action: str) -> float:
            return naive_action_value(process, lambda led_to: value(led_to, left - 1), state, action, gamma)

        if policy is None:
            return max(q(action) for action in choices)
        return sum(p * q(action) for action, p in policy(state, 0).items())

    return lambda state: value(state, steps)
