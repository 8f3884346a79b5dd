"""The local executor on real compilers and in real sandboxes."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from maxcode_lsp.errors import Refused, ToolMissing
from maxcode_lsp.executor.executor import Baseline, Stage
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.records import Outcome, Verdict
from maxcode_lsp.target.comparison import OutputPolicy
from maxcode_lsp.target.job import EvaluationJob, Limits
from tests.executor.jobs import FAST_SUM, GENERATOR, SUM, candidate, job

ECHO = b'#include <iostream>\nint main() { long n; std::cin >> n; std::cout << n + 1 << "\\n"; BODY return 0; }\n'


@pytest.fixture
async def executor(tmp_path: Path) -> AsyncIterator[LocalExecutor]:
    made = LocalExecutor(tmp_path / "cache", pairs=6)
    yield made
    await made.close()


@pytest.fixture
async def base(executor: LocalExecutor) -> Baseline:
    return await executor.prepare(job(SUM, generator=GENERATOR))


async def test_generated_inputs_are_scaled_until_they_can_be_timed(executor: LocalExecutor, base: Baseline) -> None:
    assert base.measurable
    assert base.run_ns >= 30_000_000
    assert any("were generated" in note for note in base.notes)
    original = executor.original(base)
    assert original.generated_size > 1000
    assert len(original.held_out) >= 3


async def test_each_kind_of_candidate(executor: LocalExecutor, base: Baseline) -> None:
    stages: Counter[Stage] = Counter()

    async def outcome(text: bytes) -> tuple[Outcome, Verdict | None, str]:
        evaluation = await executor.evaluate(base, candidate(SUM, text))
        stages[Stage.BUILDING] += 1
        taken = evaluation.measurement
        return evaluation.outcome, taken.verdict if taken else None, evaluation.feedback.message

    assert (await outcome(FAST_SUM))[:2] == (Outcome.CORRECT, Verdict.FASTER)
    assert (await outcome(SUM + b"// the same\n"))[0] is Outcome.IDENTICAL
    assert (await outcome(FAST_SUM + b"// a twin\n"))[0] is Outcome.IDENTICAL
    assert (await outcome(SUM.replace(b"<< total", b"<< totl")))[0] is Outcome.COMPILE_ERROR
    assert (await outcome(SUM.replace(b"* 31", b"* 37")))[0] is Outcome.WRONG_OUTPUT
    assert (await outcome(SUM.replace(b"return 0;", b"return 3;")))[0] is Outcome.RUNTIME_ERROR
    assert (await outcome(SUM.replace(b"long total = 0;", b"long total = 0; for (volatile int z = 0;;) z = 1;")))[
        0
    ] is Outcome.TIMEOUT
    assert (await outcome(b"#include <ctime>\n" + SUM.replace(b"long total = 0;", b"long total = clock() * 0;")))[
        0
    ] is Outcome.REJECTED
    slower = SUM.replace(b"round < 40", b"round < 40 || (round < 400 && (total & 0) != 0) ")
    assert (await outcome(slower))[0] in {Outcome.CORRECT, Outcome.IDENTICAL}


async def test_right_on_small_inputs_is_not_enough(executor: LocalExecutor, base: Baseline) -> None:
    text = SUM.replace(b"std::cout << total", b"if (count > 5000) total = 1;\n    std::cout << total")
    assert (await executor.evaluate(base, candidate(SUM, text))).outcome is Outcome.WRONG_OUTPUT


async def test_confirmation_takes_the_fixed_number_of_pairs(executor: LocalExecutor, base: Baseline) -> None:
    evaluation = await executor.confirm(base, candidate(SUM, FAST_SUM))
    assert evaluation.outcome is Outcome.CORRECT
    assert evaluation.measurement is not None
    assert len(evaluation.measurement.reference_ns) == 6
    assert evaluation.measurement.verdict is Verdict.FASTER


async def test_confirmation_finds_undefined_behaviour(executor: LocalExecutor, base: Baseline) -> None:
    text = FAST_SUM.replace(b"values(count);", b"values(count);\n    values.data()[count] = 7;")
    evaluation = await executor.confirm(base, candidate(SUM, text))
    assert evaluation.outcome is Outcome.RUNTIME_ERROR
    assert "sanitizers" in evaluation.feedback.message or "ends" in evaluation.feedback.message


async def test_pairing_with_another_candidate(executor: LocalExecutor, base: Baseline) -> None:
    first = candidate(SUM, FAST_SUM)
    assert (await executor.evaluate(base, first)).outcome is Outcome.CORRECT
    back = candidate(SUM, SUM.replace(b"std::endl", b"'\\n'"))
    evaluation = await executor.compare(base, back, first, PairedTest(max_pairs=8))
    assert evaluation.reference == first.id
    assert evaluation.measurement is not None
    assert evaluation.measurement.verdict is Verdict.SLOWER


async def refusal(executor: LocalExecutor, wanted: EvaluationJob) -> str:
    with pytest.raises(Refused) as caught:
        await executor.prepare(wanted)
    return str(caught.value)


@pytest.mark.parametrize(
    ("body", "stdin", "said"),
    [
        (b"*(volatile int*)0 = 1;", b"1\n", "SIGSEGV"),
        (b"return 4;", b"1\n", "status 4"),
        (b"for (volatile int z = 0;;) z = 1;", b"1\n", "did not end within"),
        (b'for (;;) std::cout << "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";', b"1\n", "printed more than"),
        (
            b'{ std::uintptr_t a = reinterpret_cast<std::uintptr_t>(new int); std::cout << (a >> 4) << "\\n"; }',
            b"1\n",
            "two runs",
        ),
        (b"syntax error here", b"1\n", "does not compile"),
    ],
)
async def test_originals_that_cannot_be_judged(executor: LocalExecutor, body: bytes, stdin: bytes, said: str) -> None:
    text = b"#include <cstdint>\n" + ECHO.replace(b"BODY", body)
    limits = Limits(run_s=1.0, output_bytes=1 << 16)
    assert said in await refusal(executor, job(text, inputs={"one": (stdin, None)}, limits=limits))


async def test_an_original_that_prints_nothing(executor: LocalExecutor) -> None:
    assert "prints nothing" in await refusal(executor, job(b"int main() { return 0; }\n"))


async def test_an_original_that_contradicts_its_expected_output(executor: LocalExecutor) -> None:
    wanted = job(ECHO.replace(b"BODY", b""), inputs={"one.in": (b"1\n", b"3\n")})
    assert "one.in" in await refusal(executor, wanted)


async def test_ignored_lines_make_a_timestamp_harmless(executor: LocalExecutor) -> None:
    text = ECHO.replace(b"BODY", b'std::cout << "at " << reinterpret_cast<std::uintptr_t>(new int) << "\\n";')
    wanted = job(b"#include <cstdint>\n" + text, inputs={"one": (b"1\n", None)}, output=OutputPolicy(ignore=("^at ",)))
    assert not (await executor.prepare(wanted)).measurable


async def test_too_short_to_be_timed(executor: LocalExecutor) -> None:
    base = await executor.prepare(
        job(ECHO.replace(b"BODY", b""), inputs={"one": (b"1\n", None), "two": (b"2\n", None)})
    )
    assert not base.measurable
    assert "Not measured" in base.notes[-1]
    evaluation = await executor.evaluate(
        base, candidate(ECHO.replace(b"BODY", b""), ECHO.replace(b"BODY", b";;") + b"int z = 4;")
    )
    assert evaluation.measurement is None


@pytest.mark.parametrize(
    ("generator", "said"),
    [
        (b"import sys; sys.exit('no luck')", "no luck"),
        (b"import os; print(os.urandom(4).hex())", "two different inputs"),
        (b"print('1'", "failed"),
    ],
)
async def test_generators_that_do_not_work(executor: LocalExecutor, generator: bytes, said: str) -> None:
    assert said in await refusal(executor, job(SUM, generator=generator))


async def test_a_generator_sees_nothing_of_the_machine(executor: LocalExecutor, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("5 1 2 3 4 5")
    generator = f"print(open({str(secret)!r}).read())".encode()
    assert "failed" in await refusal(executor, job(SUM, generator=generator))


async def test_the_closure_is_all_that_a_build_sees(executor: LocalExecutor) -> None:
    text = b'#include "part/own.h"\n#include <cstdio>\nint main() { std::printf("%d\\n", own()); }\n'
    base = await executor.prepare(job(text, more={"part/own.h": b"#pragma once\ninline int own() { return 6; }\n"}))
    assert executor.original(base).given[0].expected == b"6\n"
    assert "passwd" in await refusal(executor, job(b'#include "/etc/passwd"\nint main() {}\n'))


async def test_compiler_missing(executor: LocalExecutor) -> None:
    wanted = job(SUM, generator=GENERATOR)
    from msgspec.structs import replace

    with pytest.raises(ToolMissing, match="no-such-compiler"):
        await executor.prepare(replace(wanted, compiler="no-such-compiler"))


async def test_threads_are_judged_by_wall_time(executor: LocalExecutor) -> None:
    text = b"""#include <cstdio>
#include <thread>
int main() {
    unsigned long a = 1, b = 1;
    auto work = [](unsigned long* x) {
        for (int i = 0; i < 9000000; ++i) *x = *x * 2862933555777941757ul + 3037000493ul; };
    std::thread one(work, &a), two(work, &b);
    one.join();
    two.join();
    std::printf("%lu\\n", a + b);
}
"""
    wanted = job(text, flags=("-O2", "-std=c++20", "-pthread"))
    base = await executor.prepare(wanted)
    half = text.replace(b"two(work, &b)", b"two([&] { b = 0; })").replace(b"a + b", b"a + a")
    evaluation = await executor.evaluate(base, candidate(text, half))
    assert evaluation.outcome is Outcome.CORRECT
    assert evaluation.measurement is not None
    assert evaluation.measurement.metric.value == "wall"
