"""A recorded run, event by event, to be shown by the faces under test."""

from __future__ import annotations

from maxcode_lsp.engine.events import Critiqued, Evaluated, Event, HunkReport, Prepared, Progress, RunResult
from maxcode_lsp.records import (
    Critique,
    Environment,
    Evaluation,
    Feedback,
    Finding,
    Hunk,
    Measurement,
    Metric,
    Outcome,
    RunStatus,
    Span,
    Verdict,
)

ENVIRONMENT = Environment(
    machine="Intel(R) Core(TM) i7-8700 CPU @ 3.20GHz, 12 cores",
    compiler="g++ (Debian 12.2.0-14+deb12u1) 12.2.0",
    flags=("-O3", "-std=c++20"),
    sandbox="bubblewrap",
    maxcode="0.1.0",
)
CRITIQUE = Critique(
    findings=(
        Finding(
            id="strided-access:6",
            kind="strided-access",
            span=Span(6, 6),
            message="Inner loop strides by 8 kB (b[k * n + j]); 78 % of the time is here.",
            evidence="perf cpu-clock, 812 samples: 78 %",
            share=0.78,
        ),
    ),
    hot_lines={6: 0.78},
    profile_source="share of time",
)
DIFF = """\
--- matmul.cpp
+++ matmul.cpp
@@ -1,4 +1,5 @@
 #include <iostream>
+#include <vector>
 
 using namespace std;
 
@@ -5,5 +6,5 @@
 int main() {
-    for (int j = 0; j < n; ++j)
-        for (int k = 0; k < n; ++k)
+    for (int k = 0; k < n; ++k)
+        for (int j = 0; j < n; ++j)
             work(j, k);
 }
"""  # noqa: W293 (an empty line of context is one space)


def measured(speedup: float, low: float, high: float, verdict: Verdict) -> Measurement:
    """A measurement with these figures."""
    return Measurement(Metric.CPU, (1,), (1,), speedup, (low, high), verdict)


def evaluated(
    number: int,
    actions: tuple[str, ...],
    outcome: Outcome,
    measurement: Measurement | None = None,
    *,
    best: bool = False,
    reference: str | None = None,
) -> Evaluated:
    """A candidate that was judged."""
    evaluation = Evaluation(
        f"c{number:011d}", outcome, Feedback("said"), measurement, reference, cpu_s=1.5, elapsed_s=2.25
    )
    speedup = measurement.speedup if measurement else None
    return Evaluated(number, actions, "because", 1, evaluation, speedup, best)


EVENTS: tuple[Event, ...] = (
    Progress("preparing", 0, 64),
    Prepared("matmul", 184_000_000, 64, 60.0, ("2 inputs from files.",), ENVIRONMENT),
    Critiqued(None, CRITIQUE),
    Progress("searching", 0, 64, building=2),
    evaluated(1, ("stream-sync",), Outcome.IDENTICAL),
    evaluated(2, ("loop-order",), Outcome.CORRECT, measured(1.9, 1.85, 1.95, Verdict.FASTER), best=True),
    evaluated(3, ("restrict",), Outcome.CORRECT, measured(1.0, 0.99, 1.01, Verdict.NO_DIFFERENCE)),
    evaluated(4, ("memoise",), Outcome.WRONG_OUTPUT),
    evaluated(
        5,
        ("loop-order", "restrict"),
        Outcome.CORRECT,
        measured(2.31, 1.1, 1.3, Verdict.FASTER),
        best=True,
        reference="c00000000002",
    ),
    Progress("searching", 5, 64, building=2, measuring=1),
)
IMPROVED = RunResult(
    target="matmul",
    status=RunStatus.IMPROVED,
    speedup=2.31,
    ci95=(2.24, 2.39),
    evaluations=5,
    outcomes={"identical": 1, "correct": 3, "wrong_output": 1},
    seconds=12.3456,
    diff=DIFF,
    reason="2.31× faster.",
    hunks=(
        HunkReport(Hunk(20, 20, b"#include <vector>\n"), 2, ("restrict",), "std::vector needs its header.", None),
        HunkReport(Hunk(60, 90, b"x"), 6, ("loop-order",), "Swapping j and k makes the reads contiguous.", 2.12),
    ),
    pairs=24,
    environment=ENVIRONMENT,
    critique=CRITIQUE,
    edited=b"int main() { return 0; }\n",
    bundle="proofs/matmul-1",
)
NO_IMPROVEMENT = RunResult(
    target="parse",
    status=RunStatus.NO_IMPROVEMENT,
    speedup=None,
    ci95=None,
    evaluations=1,
    outcomes={"identical": 1},
    seconds=3.0,
    diff="",
    reason="No measurable difference. 1 version was tried and it has the same machine code.",
)
