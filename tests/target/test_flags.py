from __future__ import annotations

import json
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.errors import SettingsError
from maxcode_lsp.settings import FILE, Settings, load, override
from maxcode_lsp.target.flags import FOLDER_FLAGS, BuildCommand, build_command, check_job_flags


def built(tmp_path: Path, *flags: str, name: str = "a.cpp", **other: Any) -> BuildCommand:
    return build_command(tmp_path / name, Settings(flags=flags, file=str(tmp_path / FILE), **other))


def database(tmp_path: Path, place: str = ".", file: str = "a.cpp", **row: Any) -> Path:
    folder = tmp_path / place
    folder.mkdir(exist_ok=True)
    rows = [{"directory": str(tmp_path), "file": "other.cpp", "command": "g++ -O9 other.cpp"}]
    rows.append({"directory": str(tmp_path), "file": file, **row})
    (folder / "compile_commands.json").write_text(json.dumps(rows))
    return tmp_path / "a.cpp"


def test_default(tmp_path: Path) -> None:
    command = build_command(tmp_path / "a.cpp", Settings())
    assert command == BuildCommand("g++", ("-O3", "-std=c++20"), (), "default")
    assert build_command(tmp_path / "a.c", Settings()) == BuildCommand("gcc", ("-O3", "-std=c17"), (), "default")
    assert build_command(tmp_path / "a.c", Settings(compiler="g++")).flags == ("-O3", "-std=c++20")


ALLOWED = """-O -O0 -O1 -O2 -O3 -Os -Ofast -Og -std=c++17 -std=gnu++2b --std=c++20 -ansi -DNDEBUG -DX=1 -DF(x)=(x+1)/2
    -UNDEBUG -ffast-math -fno-exceptions -fopenmp -fopenmp=libgomp -funroll-loops -fvisibility=hidden -flto -flto=auto
    -march=native -mtune=skylake -mavx2 -mno-avx512f -march=armv8-a+simd -m64 -Wall -Wextra -Wno-unused -Werror=format
    -Wformat=2 -pthread -lm -lstdc++fs -ltbb -static -static-libstdc++ -no-pie --param=max-inline-insns-auto=40 -w
    -pedantic -ftemplate-depth=2000 -fmax-errors=3 -falign-functions=32 -fprefetch-loop-arrays -Walloca -Wpedantic"""


@pytest.mark.parametrize("flag", ALLOWED.split())
def test_allowed(tmp_path: Path, flag: str) -> None:
    assert built(tmp_path, "-O2", flag).flags == ("-O2", flag)


REFUSED = """-fplugin=./evil.so -fplugin=evil -fplugin-arg-x-y=1 -fpass-plugin=./e.so -B. -B/tmp -Btools -specs=x
    --specs=x -specs -wrapper -wrapper=gdb @flags.txt -Xclang -Xlinker -Xassembler -Xpreprocessor --sysroot=/x --sysroot
    -isysroot -T -Tscript -include -includex.h -imacros -fuse-ld=/tmp/ld -fuse-ld=./ld -Wa,-x -Wp,-x -Wa -mllvm -cc1
    -cc1as -nostdinc -nostdlib -ivfsoverlay --gcc-toolchain=/x -target --target=arm -fprofile-use=/x -fmodule-file=x
    -fmodules -fmodule-map-file=x -lfoo/bar -l:libx.a -l/etc/x -I=/x -D9 -D--x -O9x -march=../x -f/x --param=x=/y -###
    -dumpspecs -fsanitize-ignorelist=/x -fauto-profile=x -fno-integrated-cc1 -print-prog-name=x -iplugindir=x -iprefix
    -iwithprefix -no-canonical-prefixes -resource-dir=x -fmodule-mapper=|prog -fprofile-list=x -frandom/x -x"""


@pytest.mark.parametrize("flag", REFUSED.split())
def test_refused(tmp_path: Path, flag: str) -> None:
    with pytest.raises(SettingsError) as caught:
        built(tmp_path, "-O2", flag)
    assert flag in str(caught.value)


def test_a_refused_flag_says_what_to_do_where_it_stands(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"not allowed\. Leave it out\.$"):
        built(tmp_path, "-fplugin=x.so")
    file = database(tmp_path, arguments=["g++", "-fplugin=x.so", "a.cpp"])
    with pytest.raises(SettingsError, match="Leave it out, or set flags"):
        build_command(file, Settings())


DROPPED = """-c -g -g3 -ggdb -pipe -v -pg --coverage -MD -MMD -MP -Wl,--as-needed -L/x -shared -rdynamic
    -save-temps -fprofile-generate -fprofile-arcs -fsanitize=address -fdiagnostics-color=always -fdump-tree-all
    -fuse-ld=gold a.cpp"""


@pytest.mark.parametrize("flag", DROPPED.split())
def test_dropped(tmp_path: Path, flag: str) -> None:
    command = built(tmp_path, "-O2", flag, "-Wall")
    assert command.flags == ("-O2", "-Wall") and command.dropped == (flag,)


def test_flags_with_values_apart(tmp_path: Path) -> None:
    command = built(
        tmp_path,
        "-D",
        "X=1",
        "-I",
        "inc",
        "-isystem../sys",
        "-o",
        "prog",
        "-MF",
        "d",
        "-x",
        "c++",
        "-iquote",
        "/q",
        "-O1",
    )
    here = tmp_path.resolve()
    places = (str(here / "inc"), str(here.parent / "sys"), "/q")
    assert command.flags == ("-DX=1", "-I", places[0], "-isystem", places[1], "-iquote", places[2], "-O1")
    assert command.include_dirs == places
    assert command.dropped == ("-o", "prog", "-MF", "d", "-x", "c++")
    for last in ("-D", "-I", "-o", "-x", "--param"):
        with pytest.raises(SettingsError, match="without its value"):
            built(tmp_path, last)
    for pair in (("-x", "c"), ("-x", "none/../x"), ("-D", "=1"), ("-l", "a/b"), ("--param", "x")):
        with pytest.raises(SettingsError):
            built(tmp_path, *pair)
    with pytest.raises(SettingsError, match="another file to build"):
        built(tmp_path, "b.cpp")


def test_a_refused_flag_has_its_place_in_the_settings(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("budget = 1\n\nflags = '-O2 -fplugin=x'\n")
    settings, problems = load(tmp_path / FILE)
    assert not problems
    with pytest.raises(SettingsError) as caught:
        build_command(tmp_path / "a.cpp", settings)
    assert (caught.value.path, caught.value.line) == (str(tmp_path / FILE), 3)


def test_flags_of_the_command_line_belong_to_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / FILE).write_text("flags = '-O1 -Iours'\n")
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    settings, _ = load(tmp_path / FILE)
    assert build_command(tmp_path / "a.cpp", settings).include_dirs == (str(tmp_path.resolve() / "ours"),)
    typed = build_command(tmp_path / "a.cpp", override(settings, flags="-O0 -Imine -isystem ../sys"))
    here = tmp_path.resolve()
    assert typed.include_dirs == (str(here / "sub" / "mine"), str(here / "sys"))
    assert "The flags from --flags" in typed.notes[0]
    for wrong in ("-fplugin=x", "-I", "b.cpp"):
        with pytest.raises(SettingsError) as caught:
            build_command(tmp_path / "a.cpp", override(settings, flags=wrong))
        assert (caught.value.path, caught.value.line) == ("", None)


@pytest.mark.parametrize("place", [".", "build"])
@pytest.mark.parametrize("deep", [False, True])
def test_compilation_database(tmp_path: Path, place: str, deep: bool) -> None:
    name = "src/deep/a.cpp" if deep else "a.cpp"
    database(tmp_path, place, name, command=f"/usr/bin/c++ -Iinc -O2 '-DS=\"a b\"' -o a.o -c {name}")
    command = build_command(tmp_path / name, Settings())
    assert command.source == "compile_commands.json"
    assert command.compiler == "c++"
    assert command.flags == ("-I", str(tmp_path.resolve() / "inc"), "-O2", '-DS="a b"')
    assert command.dropped == ("-o", "a.o", "-c", name)


def test_database_with_arguments_launcher_and_c_driver(tmp_path: Path) -> None:
    file = database(tmp_path, arguments=["/usr/bin/ccache", "gcc", "-O2", "a.cpp"])
    assert build_command(file, Settings()).compiler == "g++"
    assert build_command(file, Settings(compiler="clang++-16")).compiler == "clang++-16"
    assert build_command(file, Settings(flags=("-O1",))) == BuildCommand("g++", ("-O1",), (), "settings")


def test_another_compiler_of_the_same_name_is_noted(tmp_path: Path) -> None:
    command = build_command(database(tmp_path, arguments=["tools/g++", "a.cpp"]), Settings())
    assert command.compiler == "g++"
    assert "tools/g++" in command.notes[0] and "do not ask for optimisation" in command.notes[1]


def test_files_not_in_the_database_get_the_default(tmp_path: Path) -> None:
    database(tmp_path, command="g++ -O1 a.cpp")
    (tmp_path / "sub").mkdir()
    assert build_command(tmp_path / "sub" / "a.cpp", Settings()).source == "default"


@pytest.mark.parametrize("text", ["", "{}", "[{}]", "[1]", "nonsense", '[{"directory": 3, "file": "a.cpp"}]', "\x00"])
def test_damaged_database(tmp_path: Path, text: str) -> None:
    (tmp_path / "compile_commands.json").write_text(text)
    with pytest.raises(SettingsError, match=r"compile_commands\.json cannot be used") as caught:
        build_command(tmp_path / "a.cpp", Settings())
    assert caught.value.path.endswith("compile_commands.json")


@pytest.mark.parametrize("row", [{"command": "g++ 'x"}, {"command": ""}, {}, {"arguments": []}])
def test_damaged_row(tmp_path: Path, row: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=r"compile_commands\.json cannot be used"):
        build_command(database(tmp_path, **row), Settings())


def test_database_cannot_smuggle_flags(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="-fplugin=x"):
        build_command(database(tmp_path, command="g++ -fplugin=x -c a.cpp"), Settings())


@pytest.mark.parametrize(
    "name", ["./g++", "/usr/bin/g++", "evil", "g++ -v", "gcc", "nvcc", "g++-12;x", "g++-", "x-g++"]
)
def test_compilers_not_allowed(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match="cannot be used as a C\\+\\+ compiler"):
        built(tmp_path, "-O2", compiler=name)


def test_compiler_in_the_workspace_is_not_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "g++"
    fake.write_text("#!/bin/sh\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SettingsError, match="lies in the folder of the code"):
        build_command(tmp_path / "a.cpp", Settings())


def test_what_passes_really_builds(tmp_path: Path) -> None:
    file = tmp_path / "a.cpp"
    file.write_text('#include "x.h"\nint main() { return X - Y; }\n')
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "x.h").write_text("#define X 3\n")
    command = built(tmp_path, "-O2", "-Iinc", "-DY=3", "-fopenmp", "-pthread", "-lm", "-g", "-c", "-o", "x")
    program = tmp_path / "a.out"
    subprocess.run([command.compiler, *command.flags, str(file), "-o", str(program)], check=True, timeout=60)
    assert subprocess.run([program], check=False, timeout=10).returncode == 0


JOB_FLAGS = ("-O2", "-DX=1", "-I", "inc", "-isystem", "a/b c", "-iquote", ".", "-lm", "--param=x=1")


def test_flags_of_a_job_pass_as_they_are() -> None:
    check_job_flags("g++", JOB_FLAGS, "src/a.cpp")
    check_job_flags("g++", ("-I", "/usr/include/eigen3"), "a.cpp")
    check_job_flags("g++", ("-I", "/opt/gcc/include"), "a.cpp", (Path("/opt/gcc"),))
    check_job_flags("clang++-16", (), "a.cc")
    check_job_flags("gcc", ("-O2",), "a.c")


@pytest.mark.parametrize("flag", [*REFUSED.split(), *DROPPED.split(), "", "-\0", "a.cpp", "inc"])
def test_a_job_has_no_other_flags(flag: str) -> None:
    with pytest.raises(SettingsError):
        check_job_flags("g++", ("-O2", flag), "a.cpp")


@pytest.mark.parametrize("folder", ["/etc", "/usr/../etc", "/usrx", "..", "a/../../b", "", "=x", "$SYSROOT/x", "/"])
@pytest.mark.parametrize("name", ["-I", "-isystem", "-iquote", "-idirafter"])
def test_folders_of_a_job_stay_in_it(name: str, folder: str) -> None:
    with pytest.raises(SettingsError):
        check_job_flags("g++", (name, folder), "a.cpp")
    with pytest.raises(SettingsError):
        check_job_flags("g++", (f"{name}{folder}",), "a.cpp")


@pytest.mark.parametrize("compiler", ["gcc", "evil", "/usr/bin/g++", "./g++", "g++ -v", ""])
def test_a_job_has_a_known_compiler(compiler: str) -> None:
    with pytest.raises(SettingsError, match="cannot be used as a C"):
        check_job_flags(compiler, (), "a.cpp")


STARTS = st.sampled_from(["-f", "-m", "-W", "-l", "-D", "-x", "-", "--", "@"])
WORDS = st.one_of(
    st.text(max_size=12),
    st.sampled_from([*ALLOWED.split(), *REFUSED.split(), *DROPPED.split()]),
    st.tuples(STARTS, st.text(max_size=9)).map("".join),
)


@given(st.lists(WORDS, max_size=4))
def test_nothing_dangerous_ever_passes(flags: list[str]) -> None:
    passed: tuple[str, ...] = ()
    with suppress(SettingsError):
        passed = build_command(Path("/nowhere/a.cpp"), Settings(flags=tuple(flags))).flags
    for flag, before in zip(passed, ("", *passed), strict=False):
        if before in ("-I", "-isystem", "-iquote", "-idirafter"):
            assert flag.startswith("/")
            continue
        assert flag.startswith("-") and "\0" not in flag
        if not flag.startswith("-D"):
            assert "/" not in flag and "@" not in flag and "plugin" not in flag
            assert not flag.startswith(("-B", "-X", "-wrapper", "-specs", "--sysroot", "-o", "-Wl,", "-Wa,", "-Wp,"))


@given(st.lists(WORDS, max_size=4))
def test_a_job_takes_what_a_build_command_gives(flags: list[str]) -> None:
    kept: tuple[str, ...] = ()
    with suppress(SettingsError):
        kept = build_command(Path("/nowhere/a.cpp"), Settings(flags=tuple(flags))).flags
    job = tuple(flag.lstrip("/") or "." if flag.startswith("/") else flag for flag in kept)
    check_job_flags("g++", job, "a.cpp")


@given(st.lists(WORDS, max_size=4))
def test_a_job_takes_nothing_else(flags: list[str]) -> None:
    with suppress(SettingsError):
        check_job_flags("g++", flags, "a.cpp")
        kept = build_command(Path("/nowhere/a.cpp"), Settings(flags=tuple(flags))).flags
        assert [flag for flag in kept if not flag.startswith("/")] == [
            flag for flag, before in zip(flags, ["", *flags], strict=False) if before not in FOLDER_FLAGS
        ]
