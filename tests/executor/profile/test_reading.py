"""Reading what addr2line, perf, callgrind and the meter write, and sorting work into kinds."""

from __future__ import annotations

import pytest

from maxcode_lsp.executor.profile.callgrind import Call, costs, read_callgrind
from maxcode_lsp.executor.profile.meter import Meter, read_meter
from maxcode_lsp.executor.profile.perf import Frame, read_script
from maxcode_lsp.executor.profile.places import Image, Place, Places, read_addr2line, same_file
from maxcode_lsp.executor.profile.profile import Cost, Profile, Work, bare_name, classify, sum_up
from maxcode_lsp.executor.profile.take import fitting_input, profile_flags, with_kernel
from maxcode_lsp.executor.sandbox import Exit
from tests.critique.subjects import EmptyBench

ADDR2LINE = """0x00000000000017e5
std::vector<int, std::allocator<int> >::operator[](unsigned long)
/usr/include/c++/12/bits/stl_vector.h:1123
scale(std::vector<int, std::allocator<int> >&)
/src/unit.cpp:7 (discriminator 3)
main
/src/unit.cpp:12
0x0000000000001800
??
??:0
"""


def test_addr2line() -> None:
    found = read_addr2line(ADDR2LINE)
    assert [place.line for place in found[0x17E5]] == [1123, 7, 12]
    assert found[0x1800] == (Place("??", "??", 0),)


def test_innermost_line_of_the_unit() -> None:
    found = read_addr2line(ADDR2LINE)
    line, names = Places(found, "/src/unit.cpp").line(0x17E5)
    assert line == 7
    assert [bare_name(name) for name in names] == ["std::vector::operator[]"]
    assert Places(found, "/src/unit.cpp").line(0x1800)[0] is None
    assert Places(found, "/src/unit.cpp", {12}).line(0x17E5)[0] == 12


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("/src/a.cpp", "/src/a.cpp", True),
        ("a.cpp", "/src/a.cpp", True),
        ("/src/a.cpp", "/src/sub/a.cpp", False),
        ("b/a.cpp", "/src/a.cpp", False),
    ],
)
def test_same_file(one: str, other: str, same: bool) -> None:
    assert same_file(one, other) is same


def test_image_of_something_else() -> None:
    assert Image.read(b"not a program").address(0x1234) == 0x1234
    assert Image(((0x1000, 0x500, 0x401000),)).address(0x1010) == 0x401010


def test_perf_script() -> None:
    text = """
\t           75e3a fflush (/usr/lib/x86_64-linux-gnu/libc.so.6)
\t            13bd main (/work/program)

\t            13c0 main (/work/program)

\t            13c0 main (/work/program)
\tffffffffffffffff [unknown] ([unknown])

"""
    chains = read_script(text)
    main = Frame(0x13C0, "main", "/work/program")
    assert chains[(main,)] == 1
    assert chains.total() == 3
    assert (
        Frame(0x75E3A, "fflush", "/usr/lib/x86_64-linux-gnu/libc.so.6"),
        Frame(0x13BD, "main", "/work/program"),
    ) in chains


CALLGRIND = """# callgrind format
positions: instr
events: Ir

ob=(1) /work/program
fn=(1) main
0x1000 10
+4 5
cob=(2) /usr/lib/libstdc++.so.6
cfn=(2) std::istream::operator>>(int&)
calls=7 0x9000
* 700
+5 1
cfn=(3) void std::sort<int*>(int*, int*)
calls=1 0x2000
* 200

fn=(3)
0x2000 150
cob=(3) /usr/lib/libc.so.6
cfn=(4) malloc
calls=1 0x100
* 50

ob=(2)
fn=(2)
0x9000 600
cob=(3)
cfn=(4)
calls=7 0x100
* 100

ob=(3)
fn=(4)
0x100 150
"""


def test_callgrind() -> None:
    functions = read_callgrind(CALLGRIND)
    main = functions["/work/program", "main"]
    assert main.own == {0x1000: 10, 0x1004: 5, 0x1009: 1}
    assert main.calls == [
        Call(0x1004, ("/usr/lib/libstdc++.so.6", "std::istream::operator>>(int&)"), 700),
        Call(0x1009, ("/work/program", "void std::sort<int*>(int*, int*)"), 200),
    ]
    assert sum(sum(counts.own.values()) for counts in functions.values()) == 10 + 5 + 1 + 150 + 600 + 150


def test_callgrind_counts_libraries_to_their_callers() -> None:
    functions = read_callgrind(CALLGRIND)
    unit = "/src/unit.cpp"
    places = Places({a: (Place("main", unit, line),) for a, line in ((0x1000, 3), (0x1004, 4), (0x1009, 5))}, unit)
    own = {key for key in functions if key[0] == "/work/program"}
    parts = list(costs(functions, own, places))
    profile = sum_up(parts, source="share of instructions", evidence="", total=916)
    assert {line: round(share * 916) for line, share in profile.lines.items()} == {3: 10, 4: 705, 5: 201}
    assert {line: round(share * 916) for line, share in profile.work[Work.INPUT].items()} == {4: 600}
    assert {line: round(share * 916) for line, share in profile.work[Work.ALLOCATION].items() if share} == {
        4: 100,
        5: 50,
    }


def test_callbacks_are_not_counted_twice() -> None:
    text = """ob=(1) /work/program
fn=(1) main
0x1000 10
cob=(2) /usr/lib/libgomp.so.1
cfn=(2) GOMP_parallel
calls=1 0x50
* 110

fn=(3) main._omp_fn.0
0x1100 100

ob=(2)
fn=(2)
0x50 10
cob=(1)
cfn=(3)
calls=1 0x1100
* 100
"""
    functions = read_callgrind(text)
    unit = "/src/unit.cpp"
    places = Places({0x1000: (Place("main", unit, 3),), 0x1100: (Place("main", unit, 5),)}, unit)
    own = {key for key in functions if key[0] == "/work/program"}
    lines = sum_up(costs(functions, own, places), source="share of instructions", evidence="", total=120).lines
    assert {line: round(share * 120) for line, share in lines.items()} == {3: 20, 5: 100}


@pytest.mark.parametrize("text", ["", "fn=(1)\n+3 4\n", "0x10\n* \ncalls=\n"])
def test_odd_callgrind_files(text: str) -> None:
    assert all(sum(counts.own.values()) >= 0 for counts in read_callgrind(text).values())


def test_meter() -> None:
    said = "noise\nmaxcode-meter user_us 1500\nmaxcode-meter sys_us 500\nmaxcode-meter page_faults 12\n"
    reading = read_meter(said + "maxcode-meter syscw: 201\nmaxcode-meter wchar: 2385\nmaxcode-meter syscr: 3\n")
    assert reading is not None
    assert (reading.cpu_ns, reading.kernel_share, reading.writes, reading.written_bytes) == (2_000_000, 0.25, 201, 2385)
    without_counts = read_meter(said)
    assert without_counts is not None
    assert without_counts.writes is None
    assert read_meter("nothing") is None


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("std::ostream& std::endl<char, std::char_traits<char> >(std::ostream&)", "std::endl"),
        ("std::istream::operator>>(int&)", "std::istream::operator_in"),
        ("bool std::operator< <char>(std::string const&, std::string const&)", "std::operator_less"),
        ("operator new(unsigned long)", "operator_new"),
        ("main", "main"),
        ("", ""),
    ],
)
def test_bare_names(name: str, bare: str) -> None:
    assert bare_name(name) == bare


@pytest.mark.parametrize(
    ("names", "work"),
    [
        (("__GI__IO_sputbackc", "std::num_get<char>::_M_extract_int<long>", "std::istream::operator>>"), Work.INPUT),
        # Reading flushes the tied output first, but it is reading that costs.
        (("_IO_fflush", "std::ostream::flush", "std::istream::sentry::sentry", "std::istream::operator>>"), Work.INPUT),
        (("write", "std::ostream::flush", "std::endl<char>(std::ostream&)", "std::ostream::operator<<"), Work.FLUSH),
        (("std::num_put<char>::_M_insert_int<long>", "std::ostream::_M_insert<long>"), Work.OUTPUT),
        (("_int_malloc", "malloc", "operator new", "std::vector<int>::_M_realloc_insert(int&&)"), Work.ALLOCATION),
        (("std::map<int, int>::operator[](int const&)",), Work.TREE),
        (("std::vector<std::map<int, int> >::operator[](unsigned long)",), None),
        (("__memmove_avx_unaligned_erms",), None),
        ((), None),
    ],
)
def test_kinds_of_work(names: tuple[str, ...], work: Work | None) -> None:
    assert classify(names) is work


def test_time_in_the_system_goes_to_the_lines_that_write() -> None:
    profile = sum_up(
        [Cost(3, (), 50), Cost(5, ("std::ostream::flush",), 50)], source="share of time", evidence="", total=100
    )
    reading = read_meter(
        "maxcode-meter user_us 600\nmaxcode-meter sys_us 400\nmaxcode-meter page_faults 1\nmaxcode-meter syscw: 4000\n"
    )
    assert reading is not None
    whole = with_kernel(profile, reading)
    assert whole.kernel == pytest.approx(0.4)
    assert whole.lines == {3: pytest.approx(0.3), 5: pytest.approx(0.7)}
    assert whole.work[Work.FLUSH] == {5: pytest.approx(0.7)}


def test_time_in_the_system_without_calls_goes_nowhere() -> None:
    profile = sum_up([Cost(3, ("std::ostream::flush",), 100)], source="share of time", evidence="", total=100)
    reading = read_meter("maxcode-meter user_us 600\nmaxcode-meter sys_us 400\nmaxcode-meter page_faults 1\n")
    assert reading is not None
    assert with_kernel(profile, reading).lines == {3: pytest.approx(0.6)}


def test_profile_flags() -> None:
    assert profile_flags(("-O3", "-march=native", "-s"), ("-fopt-info",)) == (
        "-O3",
        "-march=x86-64-v3",
        "-g1",
        "-fopt-info",
    )


def test_empty_profiles() -> None:
    empty = sum_up([], source="share of instructions", evidence="", total=0)
    assert empty == Profile("share of instructions", "", {})
    assert empty.counts == "instructions"
    assert empty.work_lines(*Work) == {}


class Runs(EmptyBench):
    """A bench on which a run takes as many milliseconds as its input says."""

    async def tool(self, argv: tuple[str, ...], *, stdin: bytes | None = None, limit_s: float) -> Exit:
        said = f"maxcode-meter user_us {int(stdin or b'0')}000\nmaxcode-meter sys_us 0\nmaxcode-meter page_faults 0\n"
        return Exit(0, None, False, False, 0, 0, 0, 0, b"", said.encode())


@pytest.mark.parametrize(
    ("inputs", "fitting"),
    [
        ((b"100",), 0),
        ((b"900", b"30", b"300", b"200", b"800"), 2),
        ((b"900", b"1", b"800"), None),
        ((b"900",), None),
    ],
)
async def test_counting_takes_the_longest_run_that_it_can_follow(
    inputs: tuple[bytes, ...], fitting: int | None
) -> None:
    meter = Meter(Runs(), "/work/meter")
    typical = await meter.read("/work/program", inputs[0], limit_s=1)
    assert typical is not None
    # Thirty times slower and at most twice the limit: runs up to a third of a second.
    assert await fitting_input(meter, "/work/program", inputs, typical, limit_s=5.0) == fitting
