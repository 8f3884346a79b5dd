"""Input, output, flushing and allocation."""

from __future__ import annotations

from maxcode_lsp.critique.io_share import flushes, shares
from maxcode_lsp.critique.source import Source
from maxcode_lsp.executor.profile.meter import Reading
from maxcode_lsp.executor.profile.profile import Work
from tests.critique.subjects import profile

SOURCE = Source(
    b"int main() {\n  int n, x;\n  std::cin >> n;\n  while (n--) {\n"
    b"    std::cin >> x;\n    std::cout << x << std::endl;\n  }\n}\n"
)
MANY = Reading(user_ns=4_000_000, kernel_ns=6_000_000, page_faults=90, writes=20_000, written_bytes=120_000, reads=40)


def test_flushing_in_a_loop() -> None:
    found = flushes(SOURCE, profile({6: 0.7}, {Work.FLUSH: {6: 0.61}}), MANY)
    assert found is not None
    assert (found.span.first, found.span.last) == (4, 7)
    assert found.message == "Flushes its output 20,000 times; 61 % of the time is there."
    assert found.evidence == "20,000 writes of 6 bytes on average; perf cpu-clock, 100 samples: 61 %"


def test_flushing_without_a_profile() -> None:
    found = flushes(SOURCE, None, MANY)
    assert found is not None
    assert found.share is None
    assert found.message == "Flushes its output 20,000 times."


def test_few_or_large_writes_are_no_flushing() -> None:
    few = Reading(user_ns=1, kernel_ns=1, page_faults=0, writes=30, written_bytes=120, reads=4)
    large = Reading(user_ns=1, kernel_ns=1, page_faults=0, writes=2_000, written_bytes=8_192_000, reads=4)
    assert flushes(SOURCE, profile({6: 0.7}), few) is None
    assert flushes(SOURCE, profile({6: 0.7}), large) is None


def test_small_writes_without_a_flush_in_the_file_are_not_said() -> None:
    source = Source(b"int main() { for (;;) setvbuf(stdout, 0, _IONBF, 0), putchar(1); }")
    assert flushes(source, profile({1: 0.9}), MANY) is None


def test_shares_of_work() -> None:
    work = {Work.INPUT: {3: 0.01, 5: 0.3}, Work.OUTPUT: {6: 0.1}, Work.FLUSH: {6: 0.2}, Work.ALLOCATION: {5: 0.02}}
    assert [(finding.kind, finding.message) for finding in shares(SOURCE, profile({5: 0.4, 6: 0.3}, work))] == [
        ("stream-input", "Reading its input with operator>> takes 31 % of the time (line 5)."),
        ("stream-output", "Writing its output takes 30 % of the time (line 6)."),
    ]
