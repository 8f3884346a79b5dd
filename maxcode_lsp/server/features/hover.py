"""What is known about the program, a function or a line, where the pointer rests. Only what is in memory."""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence

from lsprotocol import types

from maxcode_lsp.critique.kinds import HINTS, PLACES, Kind
from maxcode_lsp.engine import wording
from maxcode_lsp.engine.events import RunResult
from maxcode_lsp.messages import endings, phrases
from maxcode_lsp.records import Environment, Finding, RunStatus
from maxcode_lsp.server.features.applying import failed
from maxcode_lsp.server.features.markup import Markup
from maxcode_lsp.server.runs.findings import Placed, docs_page
from maxcode_lsp.server.runs.runs import Applied, Run
from maxcode_lsp.server.session import Feature, Session
from maxcode_lsp.server.workspace.documents import Document, Function

MOST_FINDINGS = 3
"""Beside the one that a program is bound by."""
MOST_EARLIER = 3
MOST_IMPROVEMENTS = 3


class Hover(Feature):
    """Hovers on ``main``, on functions with findings, and on lines with one."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def hover(self, params: types.HoverParams) -> types.Hover | None:
        """The hover at a position; None: there is nothing to say."""
        document = self._session.documents.get(params.text_document.uri)
        if document is None or document.inactive:
            return None
        offset = document.offset(params.position)
        markdown = self._session.editor.can.markdown
        markup = Markup(markdown=markdown)
        around = document.function_at(offset)
        lines, place = list[str](), None
        if around is not None and around.name_start <= offset < around.name_end:
            lines, place = self._named(document, around, markup), document.range(around.name_start, around.name_end)
        if not lines:
            lines, place = self._head(document, offset, markup)
        if not lines:
            lines, place = self._here(document, params.position.line, markup)
        if not lines:
            return None
        kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
        return types.Hover(types.MarkupContent(kind, markup.lines(lines)), place)

    def _named(self, document: Document, function: Function, markup: Markup) -> list[str]:
        findings = self._session.findings
        if function == document.main():
            runs = self._session.runs.of(document.uri)
            return _program(runs, document, findings.of(document), markup) if runs else []
        within = findings.within(document, function)
        if not within:
            return []
        share = findings.share(document, function)
        named = markup.bold(function.name)
        head = f"{named} — {phrases.percent(share)} of the run" if share is not None else named
        told = [placed for placed in within if placed.finding.kind != Kind.HOT_FUNCTION]
        return [head, *(_short(document, one, markup) for one in told[:MOST_FINDINGS])]

    def _head(self, document: Document, offset: int, markup: Markup) -> tuple[list[str], types.Range | None]:
        """As on ``main``, beside it."""
        main, line = document.main(), document.line_at(offset)
        if main is None or not document.line_at(main.start) <= line <= document.line_at(main.name_end):
            return [], None
        return self._named(document, main, markup), document.lines(line, line)

    def _here(self, document: Document, line: int, markup: Markup) -> tuple[list[str], types.Range | None]:
        places = ((placed, placed.shown(document)) for placed in self._session.findings.of(document))
        here = [(placed, at) for placed, at in places if at.start.line <= line <= at.end.line]
        if not here:
            return [], None
        return [_whole(placed, markup) for placed, _ in here[:MOST_FINDINGS]], here[0][1]


def _program(runs: Sequence[Run], document: Document, placed: Sequence[Placed], markup: Markup) -> list[str]:
    """Everything about the newest run, and in short what came before."""
    run = runs[-1]
    lines = [_heading(run, markup)]
    lines += _bound_by(document, placed, markup)
    result = run.result
    if result is None:
        lines.append(f"Now: {markup.text(wording.standing(run.best, run.board.progress))}")
        lines.append(_best(run, markup))
        lines += _search(run, markup)
    else:
        lines.append(_ended(result, markup))
        lines += _found(run, markup)
    tally = wording.tally(run.board.tally)
    lines.append(f"Tried: {tally}" if tally else "")
    lines += [] if result is None else map(markup.text, (wording.models_line(result), *result.unasked))
    lines.append(_measured_on(run, markup))
    earlier = [markup.text(wording.outcome_cell(r.result)) for r in reversed(runs[:-1]) if r.result is not None]
    lines.append(f"Earlier: {', '.join(earlier[:MOST_EARLIER])}" if earlier else "")
    return [line for line in lines if line]


def _heading(run: Run, markup: Markup) -> str:
    """``**solve.cpp** — 184 ms per run (±1.1 %)``, or what became of it: ``Applied: **2.31×** faster, …``."""
    prepared = run.board.prepared
    if run.applied is not None:
        return _applied(
            run.applied, f" (was {_duration(prepared.run_ns)} per run)" if prepared is not None else "", markup
        )
    if prepared is None:
        return markup.bold(run.target)
    spread = _spread(run)
    around = f" (±{100 * spread:.1f} %)" if spread is not None else ""
    return f"{markup.bold(run.target)} — {_duration(prepared.run_ns)} per run{around}"


def _applied(applied: Applied, was: str, markup: Markup) -> str:
    judgement = applied.judgement
    if judgement is None:
        return f"Applied, not checked: {markup.text(applied.trouble)}" if applied.trouble else "Applied, being checked"
    if failed(applied) or judgement.speedup is None:
        return f"Applied, not confirmed on this file: {markup.text(judgement.reason)}"
    return f"Applied: {markup.bold(phrases.times(judgement.speedup))} faster, confirmed on this file{was}"


def _spread(run: Run) -> float | None:
    """Standard deviation of one run of the original, as a share, from the newest samples; None: there are too few."""
    for judged in reversed(list(run.evaluated.values())):
        taken = judged.evaluation.measurement
        if taken is not None and judged.evaluation.reference is None and len(taken.reference_ns) >= 3:
            return statistics.pstdev(taken.reference_ns) / statistics.fmean(taken.reference_ns)
    return None


def _best(run: Run, markup: Markup) -> str:
    row = run.board.best
    if row is None or row.speedup is None:
        return ""
    ci95 = f" (95 % CI {phrases.interval(row.ci95)})" if row.ci95 is not None else " (an estimate)"
    budget = run.board.progress.budget if run.board.progress is not None else 0
    number = f"candidate {row.number} of {budget}" if budget >= row.number else f"candidate {row.number}"
    return f"Best so far: {markup.bold(phrases.times(row.speedup))}{ci95}, {number}: {markup.text(row.origin)}"


def _search(run: Run, markup: Markup) -> list[str]:
    """The critique behind the best so far, how the run searches, and where it is and why."""
    at = run.board.progress
    where = f"; depth {at.depth}, u {phrases.times(at.u)}. {at.parent}" if at is not None and at.parent else ""
    lines = [f"Search: {markup.text(wording.how(run.settings) + where)}"]
    if run.board.path and run.board.path[-1].because:
        lines.insert(0, markup.text(endings.acts_on(run.board.path[-1].because)))
    return lines


def _found(run: Run, markup: Markup) -> list[str]:
    """How a run that brought something searched, and its newest improvements, each with the critique behind it."""
    newest = [markup.text(wording.improvement(one)) for one in run.board.path[-MOST_IMPROVEMENTS:]]
    return [f"Search: {markup.text(wording.how(run.settings))}", *newest] if newest else []


def _ended(result: RunResult, markup: Markup) -> str:
    if result.status is not RunStatus.IMPROVED or result.speedup is None or result.ci95 is None:
        return markup.text(result.reason)
    ci95 = f"95 % CI {phrases.interval(result.ci95)}, {result.pairs} pairs"
    origin = list(dict.fromkeys(action for hunk in result.hunks for action in hunk.actions))
    what = f": {markup.text(' + '.join(origin))}" if origin else ""
    return f"Confirmed: {markup.bold(phrases.times(result.speedup))} faster ({ci95}){what}"


def _measured_on(run: Run, markup: Markup) -> str:
    prepared = run.board.prepared
    where: Environment | None = run.result.environment if run.result is not None else None
    where = where or (prepared.environment if prepared is not None else None)
    return f"Measured on {markup.text(f'{where.machine}; {where.compiler}')}" if where is not None else ""


def _bound_by(document: Document, placed: Sequence[Placed], markup: Markup) -> list[str]:
    """The most costly cause, then what else costs most."""
    told = [one for one in placed if one.finding.kind != Kind.HOT_FUNCTION]
    cause = next((one for one in told if one.finding.kind not in {*PLACES, *HINTS}), None)
    first = [] if cause is None else [f"Bound by {_short(document, cause, markup)}"]
    others = [one for one in told if one is not cause]
    return [*first, *(_short(document, one, markup) for one in others[:MOST_FINDINGS])]


def _short(document: Document, placed: Placed, markup: Markup) -> str:
    """A finding, how it is known in a few words, and its line."""
    finding = placed.finding
    sources = [re.split(r", |: \d", said)[0] for said in finding.evidence.split("; ")]
    known = ", ".join(dict.fromkeys(source for source in sources if source))
    line = document.line_at(placed.mark.start)
    return f"{_named(finding, markup)} ({markup.text(f'{known}, line {line}')})"


def _whole(placed: Placed, markup: Markup) -> str:
    """A finding with all that it rests on."""
    return f"{_named(placed.finding, markup)} ({markup.text(placed.finding.evidence)})"


def _named(finding: Finding, markup: Markup) -> str:
    return f"{markup.link(finding.kind, docs_page(finding.kind))}: {markup.text(finding.message)}"


def _duration(ns: int) -> str:
    """``184 ms``, ``1.84 ms``, ``2.31 s``: three figures."""
    ms = ns / 1e6
    if ms >= 1000:
        return f"{ms / 1000:.2f} s"
    return f"{ms:.2f} ms" if ms < 10 else f"{ms:.1f} ms" if ms < 100 else f"{ms:.0f} ms"
