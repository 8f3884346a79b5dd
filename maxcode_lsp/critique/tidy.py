"""What clang-tidy's performance checks say, weighed by the profile."""

from __future__ import annotations

from maxcode_lsp.critique.critic import Report, finding
from maxcode_lsp.critique.evidence import Evidence
from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.messages import phrases
from maxcode_lsp.records import Finding

LEAST_SHARE = 0.01
"""A smaller share (0..1) of the run is not worth saying."""


class TidyChecks:
    """Turns the diagnostics of clang-tidy into findings."""

    name = "clang-tidy"

    async def criticise(self, evidence: Evidence) -> Report:
        tidy = evidence.subject.tidy
        if tidy is None:
            return Report()
        report = await tidy.report(evidence.subject.text)
        profile = (await evidence.portrait()).profile
        found: list[Finding] = []
        for remark in report.remarks:
            # What the function takes in all says nothing about the remark. Of a copied parameter, whose cost is
            # elsewhere, nothing is claimed: where it matters, other critics see the copy itself.
            share = profile.lines.get(remark.line, 0.0) if profile else 0.0
            share = share if share >= LEAST_SHARE else None
            said = remark.message[:1].upper() + remark.message[1:]
            weight = f"; {phrases.percent(share)} of the {profile.counts} is on this line" if profile and share else ""
            proof = f"; {profile.evidence}: {phrases.percent(share)}" if profile and share else ""
            found.append(
                finding(
                    Kind.CLANG_TIDY,
                    (remark.line, remark.line),
                    f"{said}{weight}.",
                    f"clang-tidy {remark.check}{proof}",
                    share,
                )
            )
        return Report(tuple(found), tuple(report.notes))
