"""What is known about the program, a function or a line, where the pointer rests. Only what is in memory."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

from lsprotocol import types

from maxcode_lsp.engine import wording
from maxcode_lsp.engine.events import Event, RunResult
from maxcode_lsp.records import Environment, RunStatus
from maxcode_lsp.server.documents import Document, Function
from maxcode_lsp.server.findings import HOT_FUNCTION, Placed, docs_page
from maxcode_lsp.server.markup import Markup
from maxcode_lsp.server.runs import Run
from maxcode_lsp.server.session import Session

MOST_FINDINGS = 3
MOST_EARLIER = 3


class Hover:
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
        named = next((f for f in document.functions if f.name_start <= offset < f.name_end), None)
        lines, place = (self._named(document, named, markup), None) if named else ([], None)
        if named is not None and lines:
            place = document.range(named.name_start, named.name_end)
        else:
            lines, place = self._here(document, params.position.line, markup)
        if not lines:
            return None
        kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
        return types.Hover(types.MarkupContent(kind, markup.lines(lines)), place)

    def run_changed(self, run: Run, event: Event | None) -> None:
        """Nothing: editors ask when the pointer moves."""

    def document_changed(self, document: Document) -> None:
        """Nothing: what is shown is made when it is asked for."""

    def document_closed(self, document: Document) -> None:
        """Nothing: a closed document is not asked about."""

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
        head = f"{named} — {_percent(share)} of the run" if share is not None else named
        told = [placed for placed in within if placed.finding.kind != HOT_FUNCTION]
        return [head, *_told(document, told, markup)]

    def _here(self, document: Document, line: int, markup: Markup) -> tuple[list[str], types.Range | None]:
        places = ((placed, placed.shown(document)) for placed in self._session.findings.of(document))
        here = [(placed, at) for placed, at in places if at.start.line <= line <= at.end.line]
        if not here:
            return [], None
        return _told(document, [placed for placed, _ in here], markup, where=False), here[0][1]


def _program(runs: Sequence[Run], document: Document, placed: Sequence[Placed], markup: Markup) -> list[str]:
    """Everything about the newest run, and in short what came before."""
    run = runs[-1]
    lines = [_heading(run, markup)]
    lines += _told(document, [p for p in placed if p.finding.kind != HOT_FUNCTION], markup, first="Bound by ")
    result = run.result
    if result is None:
        lines.append(f"Now: {markup.text(wording.standing(run.best, run.board.progress))}")
        lines.append(_best(run, markup))
    else:
        lines.append(_ended(result, markup))
    tally = wording.tally(run.board.tally)
    lines.append(f"Tried: {tally}" if tally else "")
    lines.append(_measured_on(run, markup))
    earlier = [markup.text(wording.outcome_cell(r.result)) for r in reversed(runs[:-1]) if r.result is not None]
    lines.append(f"Earlier: {', '.join(earlier[:MOST_EARLIER])}" if earlier else "")
    return [line for line in lines if line]


def _heading(run: Run, markup: Markup) -> str:
    """``**solve.cpp** — 184 ms per run (±1.1 %)``."""
    prepared = run.board.prepared
    if prepared is None:
        return markup.bold(run.target)
    spread = _spread(run)
    around = f" (±{100 * spread:.1f} %)" if spread is not None else ""
    return f"{markup.bold(run.target)} — {_duration(prepared.run_ns)} per run{around}"


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
    ci95 = f" (95 % CI {wording.interval(row.ci95)})" if row.ci95 is not None else " (an estimate)"
    budget = run.board.progress.budget if run.board.progress is not None else 0
    number = f"candidate {row.number} of {budget}" if budget >= row.number else f"candidate {row.number}"
    return f"Best so far: {markup.bold(wording.times(row.speedup))}{ci95}, {number}: {markup.text(row.origin)}"


def _ended(result: RunResult, markup: Markup) -> str:
    if result.status is not RunStatus.IMPROVED or result.speedup is None or result.ci95 is None:
        return markup.text(result.reason)
    ci95 = f"95 % CI {wording.interval(result.ci95)}, {result.pairs} pairs"
    origin = list(dict.fromkeys(action for hunk in result.hunks for action in hunk.actions))
    what = f": {markup.text(' + '.join(origin))}" if origin else ""
    return f"Confirmed: {markup.bold(wording.times(result.speedup))} faster ({ci95}){what}"


def _measured_on(run: Run, markup: Markup) -> str:
    prepared = run.board.prepared
    where: Environment | None = run.result.environment if run.result is not None else None
    where = where or (prepared.environment if prepared is not None else None)
    return f"Measured on {markup.text(f'{where.machine}; {where.compiler}')}" if where is not None else ""


def _told(
    document: Document, placed: Iterable[Placed], markup: Markup, *, first: str = "", where: bool = True
) -> list[str]:
    """Findings with what they rest on, one a line."""
    told: list[str] = []
    for one in list(placed)[:MOST_FINDINGS]:
        finding = one.finding
        line = f", line {document.source.line_at(one.mark.start)}" if where else ""
        link = markup.link(finding.kind, docs_page(finding.kind))
        said = f"{link}: {markup.text(finding.message)} ({markup.text(finding.evidence)}{line})"
        told.append(said if told else first + said)
    return told


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _duration(ns: int) -> str:
    """``184 ms``, ``1.84 ms``, ``2.31 s``: three figures."""
    ms = ns / 1e6
    if ms >= 1000:
        return f"{ms / 1000:.2f} s"
    return f"{ms:.2f} ms" if ms < 10 else f"{ms:.1f} ms" if ms < 100 else f"{ms:.0f} ms"
