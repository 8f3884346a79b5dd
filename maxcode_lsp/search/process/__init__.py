"""The decision process of arXiv 2601.05475: what a search is, in terms of max-reward reinforcement learning.

::

    state (node, u, t) ──action──▶ candidate ──executor──▶ reward r ──▶ state (node', u' = max(u, r) / γ, t + 1)

A state is what a policy sees and u, the best discounted reward so far. An action is a whole new program. The executor
is the environment, and it is stochastic: models and timings are. What counts in the end is the best reward on the
way, not the sum of all:

    Ĝ_t = max_{k ≥ t} γ^{k−t} · r_k          V(s, u) = E[max(u, Ĝ)]

:mod:`rewards` turns speedups into r, :mod:`trajectory` keeps what happened, :mod:`returns` has the arithmetic of u, Ĝ
and the targets of a value model, :mod:`operator` has the Bellman operator that makes V, exact on small processes.
Theory: arXiv 2402.01361 ("To the Max"). The policy is not trained.
"""
