from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.errors import Refused, SettingsError
from maxcode_lsp.settings import FILE, load
from maxcode_lsp.target import workloads
from maxcode_lsp.target.conventions import natural
from maxcode_lsp.target.program import find_program
from maxcode_lsp.target.workloads import Workload, discover, written_size
from maxcode_lsp.text.source import SourceText

READS = b"#include <iostream>\nint main() { int x; std::cin >> x; std::cout << x; }\n"
READS_NOT = b"int main() { return 0; }\n"


def found(tmp_path: Path, files: dict[str, str], text: bytes = READS, name: str = "solve.cpp") -> Workload:
    (tmp_path / name).write_bytes(text)
    for file, content in files.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(content)
    settings, problems = load(tmp_path / FILE if FILE in files else None)
    assert problems == ()
    return discover(tmp_path / name, find_program(SourceText(text), tmp_path / name), settings)


def pairs(workload: Workload) -> list[tuple[str, str | None]]:
    return [(case.name, None if case.expected is None else case.expected.decode()) for case in workload.cases]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("solve.in solve.out", [("solve.in", "solve.out")]),
        ("solve.in", [("solve.in", None)]),
        ("solve_10.in solve_2.in solve_2.ans", [("solve_2.in", "solve_2.ans"), ("solve_10.in", None)]),
        ("solve-a.in solve-a.expected solve1.in", [("solve1.in", None), ("solve-a.in", "solve-a.expected")]),
        ("solve.1.in solve.1.out", [("solve.1.in", "solve.1.out")]),
        ("input.1.txt output.1.txt input.2.txt", [("input.1.txt", "output.1.txt"), ("input.2.txt", None)]),
        ("input1.txt output1.txt", [("input1.txt", "output1.txt")]),
        ("input.txt output.txt", [("input.txt", "output.txt")]),
        ("input output", [("input", "output")]),
        ("in.txt out.txt", [("in.txt", "out.txt")]),
        ("input_3.in input_3.out", [("input_3.in", "input_3.out")]),
        ("tests/solve/1.in tests/solve/1.out", [("tests/solve/1.in", "tests/solve/1.out")]),
        ("tests/solve/input2.txt tests/solve/output2.txt", [("tests/solve/input2.txt", "tests/solve/output2.txt")]),
        ("tests/solve/a.in tests/solve/README solve.in", [("solve.in", None), ("tests/solve/a.in", None)]),
        ("solve.in input.txt", [("solve.in", None)]),
        ("solve.in solved.cpp solved.in solved_2.in", [("solve.in", None)]),
        ("solve.in resolve.in input.backup.txt solve.inc solve.input", [("solve.in", None)]),
    ],
)
def test_conventions(tmp_path: Path, names: str, expected: list[tuple[str, str | None]]) -> None:
    assert pairs(found(tmp_path, {name: name for name in names.split()})) == expected


def test_none_needed_without_reads(tmp_path: Path) -> None:
    workload = found(tmp_path, {"gen.py": ""}, READS_NOT)
    assert pairs(workload) == [("no input", None)]
    assert workload.cases[0].stdin is None and workload.generator is None
    assert workload.job_cases()[0].stdin_sha256 is None
    assert workload.blobs() == {}


def test_none_there(tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        found(tmp_path, {"other.in": "1", "notes.txt": "1"})
    said = "No inputs for “solve.cpp”, which reads standard input. Put one in solve_1.in, or write gen.py."
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        ("gen.py", "gen.py"),
        ("gen", "gen"),
        ("gen gen.py solve.gen.py solve_gen.py", "solve_gen.py"),
        ("gen.py solve.gen.py", "solve.gen.py"),
    ],
)
def test_generators(tmp_path: Path, names: str, chosen: str) -> None:
    workload = found(tmp_path, dict.fromkeys(names.split(), "#!/usr/bin/env python3\n# size: 20_000\n"))
    assert workload.cases == ()
    assert workload.generator is not None
    assert (workload.generator.path.name, workload.generator.size) == (chosen, 20_000)
    job = workload.job_generator()
    assert job is not None and workload.blobs()[job.file.sha256] == workload.generator.data


def test_inputs_and_a_generator_are_both_used(tmp_path: Path) -> None:
    workload = found(tmp_path, {"solve.in": "1", "gen.py": ""})
    assert len(workload.cases) == 1 and workload.generator is not None
    assert workload.generator.size == 1000


def test_a_folder_or_text_called_gen_is_no_generator(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="No inputs"):
        found(tmp_path, {"gen": "notes"})
    with pytest.raises(Refused, match="No inputs"):
        found(tmp_path, {"solve_gen.py/x": "", "solve_1.in/x": "", "tests/solve/1.in/x": ""})


@pytest.mark.parametrize(
    ("text", "size"),
    [
        (b"# size: 100000\n", 100_000),
        (b"#!/usr/bin/env python3\n\n# The usual size = 1_000_000 numbers\n", 1_000_000),
        (b"// Size: 2,500\n", 2500),
        (b"size = 30\n", None),
        (b"# resize: 3\n# size: many\n", None),
        (b"\n" * 30 + b"# size: 7\n", None),
        (b"# size: 0\n", None),
        (b"\x7fELF\x00\xff", None),
    ],
)
def test_written_size(text: bytes, size: int | None) -> None:
    assert written_size(text) == size


def test_settings_come_first(tmp_path: Path) -> None:
    text = "[workload]\ninputs = ['data/*.txt', 'data/b.txt']\nexpected = '{stem}.good'\n"
    text += "generator = 'tools/make'\nsize = 9\n"
    files = {FILE: text, "data/a.txt": "1", "data/a.good": "2", "data/b.txt": "3", "tools/make": "x", "solve.in": "0"}
    workload = found(tmp_path, files)
    assert pairs(workload) == [("data/a.txt", "2"), ("data/b.txt", None)]
    assert workload.generator is not None and workload.generator.size == 9


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("inputs = 'x/*.txt'", "finds no file"),
        ("inputs = '/etc/passwd'", "cannot be used as a pattern"),
        ("inputs = ''", "cannot be used as a pattern"),
        ("generator = 'make'", "there is no file “make”"),
        ("inputs = 'solve.in'\nexpected = '{name'", "is not understood"),
        ("inputs = 'solve.in'\nexpected = '{0}'", "is not understood"),
        ("inputs = 'solve.in'\nexpected = '{stem.__class__}{x}'", "is not understood"),
    ],
)
def test_settings_that_find_nothing(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(said)) as caught:
        found(tmp_path, {FILE: f"[workload]\n{text}\n", "solve.in": "1"})
    assert caught.value.line == len(text.splitlines()) + 1
    assert caught.value.path == str(tmp_path / FILE)


@pytest.mark.parametrize("kind", ["input", "expected", "generator", "setting"])
def test_nothing_outside_is_read(tmp_path: Path, kind: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    home = tmp_path / "home"
    home.mkdir()
    files = {"solve_1.in": "1"}
    if kind == "setting":
        files[FILE] = "workload.inputs = '../secret'\n"
    else:
        place = {"input": "solve_2.in", "expected": "solve_1.out", "generator": "gen.py"}[kind]
        (home / place).symlink_to(secret)
    with pytest.raises(Refused, match="leads out of"):
        found(home, files)


def test_links_inside_are_followed(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "x").write_text("7")
    (tmp_path / "solve_1.in").symlink_to("data/x")
    assert found(tmp_path, {}).cases[0].stdin == b"7"


def test_odd_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "solve_1.in")
    with pytest.raises(Refused, match="not an ordinary file"):
        found(tmp_path, {})
    (tmp_path / "solve_1.in").unlink()
    (tmp_path / "solve_1.in").symlink_to("nowhere")
    with pytest.raises(Refused, match="cannot be read: No such file"):
        found(tmp_path, {})


def test_large_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "solve_1.in").open("wb") as file:
        file.truncate(300 << 20)
    with pytest.raises(Refused, match="larger than 256 MB"):
        found(tmp_path, {})
    (tmp_path / "solve_1.in").unlink()
    monkeypatch.setattr(workloads, "LARGEST_BYTES", 10)
    assert len(found(tmp_path, {"solve_1.in": "123456", "solve_2.in": "1234"}).cases) == 2
    with pytest.raises(Refused, match=r"With “solve_2\.in” the inputs are larger"):
        found(tmp_path, {"solve_2.in": "12345"})


def test_an_empty_expected_file_expects_nothing(tmp_path: Path) -> None:
    workload = found(tmp_path, {"solve.in": "", "solve.out": " \n"})
    assert workload.cases[0].stdin == b"" and workload.cases[0].expected is None
    assert workload.notes == ("“solve.out” is empty, so the original's own output is expected in its place.",)


def test_arguments_are_noted(tmp_path: Path) -> None:
    text = b"int main(int c, char **v) { return v[0][0] - c; }\n"
    assert "without any" in found(tmp_path, {}, text).notes[0]


def test_names_with_spaces_and_other_letters(tmp_path: Path) -> None:
    workload = found(tmp_path, {"größe 2 [x].in": "1", "größe 2 [x].out": "2"}, name="größe 2 [x].cpp")
    assert pairs(workload) == [("größe 2 [x].in", "2")]


def test_jobs_hold_content_by_hash(tmp_path: Path) -> None:
    workload = found(tmp_path, {"solve_1.in": "a", "solve_1.out": "b", "solve_2.in": "a"})
    blobs = workload.blobs()
    assert sorted(blobs.values()) == [b"a", b"b"]
    first, second = workload.job_cases()
    assert first.stdin_sha256 == second.stdin_sha256 and second.expected_sha256 is None
    assert first.expected_sha256 is not None and blobs[first.expected_sha256] == b"b"


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=20, unique=True))
def test_natural_order(numbers: list[int]) -> None:
    files = [Path(f"solve_{n}.in") for n in numbers]
    assert [f.stem[6:] for f in sorted(files, key=natural)] == [str(n) for n in sorted(numbers)]


@given(st.text(max_size=10), st.text(max_size=10))
def test_natural_order_of_any_names(a: str, b: str) -> None:
    assert (natural(Path(a)) < natural(Path(b))) or (natural(Path(b)) <= natural(Path(a)))
