"""What clang-tidy's performance checks say, weighed by the profile."""

from __future__ import annotations

from maxcode_lsp.critique.critic import Report, finding, percent
from maxcode_lsp.critique.evidence import Evidence
from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.records import Finding


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
            function = evidence.source.function_at(remark.line)
            first, last = (function.first, function.last) if function else (remark.line, remark.line)
            # A parameter copied at line 3 costs where the function is called and run, not on its own line.
            share = profile.share(first, last) if profile else None
            said = remark.message[:1].upper() + remark.message[1:]
            weight = (
                f"; {percent(share)} of the {profile.counts} is in “{function.name}” itself"
                if profile and share and function
                else ""
            )
            proof = f"; {profile.evidence}: {percent(share)}" if profile and share else ""
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
