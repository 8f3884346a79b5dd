"""clang-tidy's diagnostics as findings."""

from __future__ import annotations

from msgspec import Struct

from maxcode_lsp.critique.evidence import Evidence, Subject
from maxcode_lsp.critique.tidy import TidyChecks
from tests.critique.subjects import EmptyBench, job_of

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
