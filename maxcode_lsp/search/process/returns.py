"""The arithmetic of the max-reward process: u, returns, and targets for a value model.

Source: arXiv 2402.01361 ("To the Max") and its code, where u is called y. Rewards are r_0, r_1, … ≥ 0; r_t is earned
by the action taken at time t. Two ways to keep "the best discounted reward so far" hold the same knowledge:

    absolute    b_{t+1} = max(b_t, γ^t · r_t)       seen from time 0; what people read
    relative    u_{t+1} = max(u_t, r_t) / γ         seen from now; what the operator needs
                u_t = b_t / γ^t

γ is 1 by default: ours, the paper's value is not known to us. Then b = u = the best reward so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

GAMMA = 1.0
"""Ours: a speedup found late is worth as much as one found early. Any 0 < γ ≤ 1 will do."""


def next_u(u: float, r: float, gamma: float = GAMMA) -> float:
    """The next u, relative: u' = max(u, r) / γ."""
    return max(u, r) / gamma


def next_best(b: float, r: float, t: int, gamma: float = GAMMA) -> float:
    """The next b, absolute: b' = max(b, γ^t · r)."""
    return max(b, gamma**t * r)


def to_absolute(u: float, t: int, gamma: float = GAMMA) -> float:
    """Relative to absolute: b = γ^t · u. The same for values: V_abs = γ^t · V_rel."""
    return gamma**t * u


def to_relative(b: float, t: int, gamma: float = GAMMA) -> float:
    """Absolute to relative: u = b / γ^t."""
    return b / gamma**t


def max_returns(rewards: Sequence[float], dones: Sequence[bool], gamma: float = GAMMA) -> list[float]:
    """Ĝ_t = max_{k ≥ t} γ^{k−t} · r_k of what was seen, for each t.

    By m_t = max(r_t, γ · m_{t+1}), and m_t = r_t at the end.

    ``dones``: whether each step ended its trajectory; what comes behind is another one, and the recursion is cut.
    """
    returns: list[float] = []
    m: float = 0
    for r, done in zip(reversed(rewards), reversed(dones), strict=True):
        m = r if done else max(r, gamma * m)
        returns.append(m)
    return returns[::-1]


def value_targets(
    us: Sequence[float],
    rewards: Sequence[float],
    dones: Sequence[bool],
    gamma: float = GAMMA,
    value_of_last: Callable[[float], float] | None = None,
) -> list[float]:
    """What V(s_t, u_t) should be, as far as one trajectory tells, for each t.

    Steps that an end follows (Monte-Carlo):

        max(u_t, m_t)

    That is what the recursion of :mod:`.operator` gives where V(end, u) = u. The code of arXiv 2402.01361 has
    max(u, r) / γ as a target at the end, a factor 1/γ too much; that is not copied.

    Steps that no end follows, n of them up to the last state s_T (bootstrapped):

        max(κ, γ^n · V(s_T, κ / γ^n))        κ = max(u_t, m_t), so that κ / γ^n = u_T

    The outer maximum holds by itself where V(s, u) ≥ u; a learned V may not know that. ``value_of_last``: V(s_T, ·).
    Give n steps for the n-step target of the first. Raises ValueError where no end follows and it is not given.
    """
    if value_of_last is None and rewards and not dones[-1]:
        raise ValueError("steps that no end follows need the value of the last state")
    targets: list[float] = []
    ms, ended = max_returns(rewards, dones, gamma), False
    for n, (u, m, done) in enumerate(zip(reversed(us), reversed(ms), reversed(dones), strict=True), start=1):
        ended = ended or done
        best = max(u, m)
        if not ended and value_of_last is not None:
            best = max(best, gamma**n * value_of_last(best / gamma**n))
        targets.append(best)
    return targets[::-1]
