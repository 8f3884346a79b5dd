"""What is told about one version of a program: where it differs from the original, and its critique."""

from __future__ import annotations

from collections.abc import Sequence

from maxcode_lsp.messages import phrases, titles
from maxcode_lsp.records import Hunk
from maxcode_lsp.server.custom import FindingInfo, HunkInfo
from maxcode_lsp.server.runs.edits import change_of
from maxcode_lsp.server.runs.runs import Run


def hunks_of(run: Run, candidate: str | None) -> tuple[HunkInfo, ...]:
    """The changes of a version, in the order of its lines. What each is worth is known of the result only."""
    result, data = run.result, run.base.data
    if result is not None and candidate is not None and candidate == result.winner and result.edited is not None:
        change = change_of(result, run.base)
        pieces = change.pieces if change is not None else ()
        worths = [report.worth for report in result.hunks]
        if len(worths) != len(pieces):
            worths = [None] * len(pieces)
        told = [(piece.hunk, piece.label, piece.why, worth) for piece, worth in zip(pieces, worths, strict=True)]
        return _placed(data, told)
    judged = run.evaluated.get(candidate) if candidate is not None else None
    if judged is None or judged.candidate is None:
        return ()
    label = titles.hunk_label(" + ".join(judged.actions).replace("-", " "), "")
    why = phrases.printable(judged.rationale)
    return _placed(data, [(hunk, label, why, None) for hunk in judged.candidate.change.hunks])


def findings_of(run: Run, candidate: str | None) -> tuple[FindingInfo, ...]:
    """The critique of a version, most costly first; none where it was not criticised."""
    critique = run.critiques.get(candidate)
    return tuple(
        FindingInfo(
            line=max(0, finding.span.first - 1),
            kind=finding.kind,
            message=phrases.printable(finding.message),
            evidence=phrases.printable(finding.evidence),
            share=finding.share,
        )
        for finding in (critique.findings if critique is not None else ())
    )


def _placed(data: bytes, told: Sequence[tuple[Hunk, str, str, float | None]]) -> tuple[HunkInfo, ...]:
    """With the lines that hunks are on in the version that they make of ``data``."""
    placed: list[HunkInfo] = []
    shift = 0
    """Lines that the hunks so far have added."""
    for hunk, label, why, worth in sorted(told, key=lambda one: one[0].start):
        new = hunk.replacement
        # A hunk that begins with the end of a line is about the line after it.
        skipped = len(new) - len(new.lstrip(b"\n")) if new.strip() else 0
        lines = new.strip(b"\n").count(b"\n") + 1 if new.strip() else 0
        line = data.count(b"\n", 0, hunk.start) + shift + skipped
        placed.append(HunkInfo(line, lines, label, why, worth))
        shift += new.count(b"\n") - data.count(b"\n", hunk.start, hunk.end)
    return tuple(placed)
