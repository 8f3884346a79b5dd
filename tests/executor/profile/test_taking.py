"""Real profiles of real programs in a real sandbox."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Iterator

import pytest

from maxcode_lsp.critique.critique import critique
from maxcode_lsp.critique.evidence import Subject
from maxcode_lsp.executor.profile.meter import Meter
from maxcode_lsp.executor.profile.profile import Work
from maxcode_lsp.executor.profile.sandboxed import SandboxedWorkbench, open_workbench
from maxcode_lsp.executor.profile.take import Portrait, Profiler, portray, profile_flags
from maxcode_lsp.executor.sandbox import Scratch
from tests.critique.subjects import job_of

TEXT = b"""#include <cmath>
#include <iostream>
#include <vector>
struct Point { double x; double y; };
static double spread(const std::vector<Point>& points) {
    double sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = 0; j < points.size(); ++j)
            sum += std::sqrt(std::abs(points.at(i).x - points.at(j).y));
    return sum;
}
int main() {
    int n;
    std::cin >> n;
    std::vector<Point> points;
    for (int i = 0; i < n; ++i) points.push_back({i * 1.0, i * 2.0});
    for (int i = 0; i < 2 * n; ++i)
        std::cout << i << std::endl;
    std::cout << spread(points) << std::endl;
}
"""


@pytest.fixture
def scratch() -> Iterator[Scratch]:
    with Scratch() as made:
        yield made


@pytest.fixture
async def bench(scratch: Scratch) -> AsyncIterator[SandboxedWorkbench]:
    async with open_workbench(scratch, job_of(TEXT), TEXT) as opened:
        yield opened


async def taken(bench: SandboxedWorkbench, profiler: Profiler, size: int) -> Portrait:
    program = await bench.build("program", profile_flags(("-O2",)))
    assert program.path is not None, program.messages
    return await portray(bench, program.path, (str(size).encode(),), limit_s=10, sources=(profiler,))


async def test_perf_finds_the_hot_line(bench: SandboxedWorkbench) -> None:
    if shutil.which("perf") is None:
        pytest.skip("perf is not installed")
    portrait = await taken(bench, "perf", 4000)
    if portrait.profile is None and "does not allow" in portrait.notes[0]:
        pytest.skip(portrait.notes[0])
    assert portrait.profile is not None, portrait.notes
    profile = portrait.profile
    assert profile.source == "share of time"
    assert profile.share(7, 9) > 0.6
    assert profile.share(1, 20) <= 1.0
    assert profile.evidence.startswith("perf cpu-clock, ")


async def test_callgrind_finds_the_hot_line_and_the_work(bench: SandboxedWorkbench) -> None:
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    portrait = await taken(bench, "callgrind", 800)
    assert portrait.profile is not None, portrait.notes
    profile = portrait.profile
    assert profile.source == "share of instructions"
    assert profile.share(7, 9) > 0.2
    assert 18 in profile.work[Work.FLUSH]
    assert 1.0 >= profile.share(1, 20) > 0.5


async def test_the_meter_counts_writes(bench: SandboxedWorkbench) -> None:
    program = await bench.build("program", ("-O1",))
    meter = await Meter.build(bench)
    assert program.path is not None
    assert meter is not None
    reading = await meter.read(program.path, b"100", limit_s=10)
    assert reading is not None
    assert reading.writes is None or 200 < reading.writes < 260
    assert 0 < await meter.floor_ns() < 1_000_000_000


@pytest.mark.parametrize("end", ["abort();", "for (;;);", "return 3;"])
async def test_programs_that_do_not_end_well(scratch: Scratch, end: str) -> None:
    text = f"#include <cstdlib>\nint main() {{ {end} }}\n".encode()
    async with open_workbench(scratch, job_of(text), text) as bench:
        program = await bench.build("program", profile_flags(()))
        assert program.path is not None
        portrait = await portray(bench, program.path, (None,), limit_s=0.5)
    assert portrait == Portrait(None, None, ("The profile build does not end well on the typical input.",))


async def test_a_text_that_does_not_compile(scratch: Scratch) -> None:
    text = b"int main() { return nothing; }"
    async with open_workbench(scratch, job_of(text), text) as bench:
        program = await bench.build("program", ())
    assert program.path is None
    assert "nothing" in program.messages


async def test_a_link_in_the_writable_folder_is_not_followed(bench: SandboxedWorkbench) -> None:
    ended = await bench.tool(("ln", "-s", "/etc/hostname", bench.path("perf.data")), limit_s=10)
    assert ended.ok
    assert bench.read("perf.data") == b""


async def test_a_whole_critique(bench: SandboxedWorkbench) -> None:
    scaled = tuple((n, str(n).encode()) for n in (2000, 4000, 8000))
    subject = Subject(text=TEXT, job=job_of(TEXT), bench=bench, inputs=(b"3000",), scaled=scaled)
    said = await critique(subject)
    if not said.profile_source:
        pytest.skip(f"no profiler works here: {said.notes}")
    kinds = {finding.kind for finding in said.findings}
    assert {"hot-function", "flush-in-loop"} <= kinds
    assert said.findings[0].share is not None
    assert len({finding.id for finding in said.findings}) == len(said.findings)
    assert max(said.hot_lines, key=lambda line: said.hot_lines[line]) in {7, 8, 9}
    if said.profile_source == "share of time":
        (hot,) = [finding for finding in said.findings if "“spread” itself takes" in finding.message]
        assert hot.kind == "hot-function"
