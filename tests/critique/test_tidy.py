"""clang-tidy's diagnostics as findings."""

from __future__ import annotations

from msgspec import Struct

from maxcode_lsp.critique.evidence import Evidence, Subject
from maxcode_lsp.critique.tidy import TidyChecks
from maxcode_lsp.executor.profile.take import Portrait
from tests.critique.subjects import EmptyBench, job_of, profile

TEXT = b"int f(std::string s) { return s.size(); }\n"


class Remark(Struct, frozen=True):
    check: str
    line: int
    message: str


class Said(Struct, frozen=True):
    remarks: tuple[Remark, ...] = ()
    notes: tuple[str, ...] = ()


class Tidy:
    def __init__(self, said: Said) -> None:
        self._said = said

    async def report(self, text: bytes) -> Said:
        assert text == TEXT
        return self._said


class Profiled(Evidence):
    async def portrait(self) -> Portrait:
        return Portrait(profile({1: 0.004, 3: 0.11, 4: 0.8}), None)


def evidence(said: Said | None) -> Evidence:
    tidy = None if said is None else Tidy(said)
    return Evidence(Subject(text=TEXT, job=job_of(TEXT), bench=EmptyBench(), inputs=(), tidy=tidy))


async def test_remarks_become_findings() -> None:
    remark = Remark("performance-unnecessary-value-param", 1, "the parameter 's' is copied for each invocation")
    report = await TidyChecks().criticise(evidence(Said((remark,), ("A note.",))))
    (found,) = report.findings
    assert (found.kind, found.span.first) == ("clang-tidy", 1)
    assert found.message == "The parameter 's' is copied for each invocation."
    assert found.evidence == "clang-tidy performance-unnecessary-value-param"
    assert report.notes == ("A note.",)


async def test_without_clang_tidy_nothing_is_said() -> None:
    report = await TidyChecks().criticise(evidence(None))
    assert report.findings == ()
    assert report.notes == ()


async def test_the_share_is_that_of_the_line_not_of_its_function() -> None:
    text = (
        b"int f(std::string s) {\n  long all = 0;\n  for (auto c : v) all += c.size();\n  return all + s.size();\n}\n"
    )

    class Remarks:
        async def report(self, text: bytes) -> Said:
            return Said((Remark("performance-x", 1, "copied parameter"), Remark("performance-y", 3, "copied variable")))

    report = await TidyChecks().criticise(
        Profiled(Subject(text=text, job=job_of(text), bench=EmptyBench(), inputs=(), tidy=Remarks()))
    )
    assert [(found.span.first, found.share) for found in report.findings] == [(1, None), (3, 0.11)]
    assert report.findings[0].message == "Copied parameter."
    assert report.findings[1].message == "Copied variable; 11 % of the time is on this line."
