from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from maxcode_lsp.errors import SettingsError
from maxcode_lsp.settings import FILE, JournalSettings, Problem, Settings, find, json_schema, load, mistake, override


def read(tmp_path: Path, text: str | bytes, target: str | None = None) -> tuple[Settings, tuple[Problem, ...]]:
    file = tmp_path / FILE
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load(file, tmp_path / target if target else None)


def test_defaults_without_a_file() -> None:
    assert load(None) == (Settings(), ())


def test_every_kind_of_value(tmp_path: Path) -> None:
    settings, problems = read(
        tmp_path,
        """
        budget = 10
        seconds = 20
        flags = "-O2 -DNAME='a b'"
        goal = 3
        search = "best-of-n"
        output.ignore = ["^took"]
        [workload]
        inputs = "data/*.txt"
        size = 1_000
        [rewrites]
        disabled = ["stream-sync"]
        [journal]
        keep_days = 0.5
        keep_mb = 100
        """,
    )
    assert problems == ()
    assert (settings.budget, settings.seconds, settings.goal) == (10, 20.0, 3.0)
    assert settings.flags == ("-O2", "-DNAME=a b")
    assert settings.search == "best-of-n"
    assert settings.output.ignore == ("^took",) and settings.output.float_tolerance == 1e-9
    assert settings.workload.inputs == ("data/*.txt",) and settings.workload.size == 1000
    assert settings.rewrites.disabled == ("stream-sync",)
    assert settings.journal == JournalSettings(keep_days=0.5, keep_mb=100)
    assert settings.file == str(tmp_path / FILE)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("budget = 0", 1, "budget should be a whole number of at least 1, not 0; it is ignored."),
        ("\nbudget = 'many'", 2, "budget should be a whole number of at least 1, not “many”; it is ignored."),
        ("threshold = nan", 1, "threshold should be a number of at least 1 and up to 100, not nan; it is ignored."),
        ("seconds = inf", 1, "seconds should be a number above 0, not inf; it is ignored."),
        ("budget = true", 1, "budget should be a whole number of at least 1, not True; it is ignored."),
        ("machine_is_target = true", 1, "There is no setting machine_is_target. docs/settings.md lists them all."),
        (
            "search = 'x'",
            1,
            (
                "search should be one of “annealing”, “beam”, “best-of-n”, “cuda-llm”, “effi-learner”, “greedy”, "
                "not “x”; it is ignored."
            ),
        ),
        ("flags = '-D\"'", 1, "flags has a quotation mark that is not closed; it is ignored."),
        ("[output]\nignore = [1]", 2, "output.ignore should be a list of texts, not [1]; it is ignored."),
        (
            "[output]\nfloat_tolerence = 1",
            2,
            "There is no setting output.float_tolerence. Did you mean output.float_tolerance?",
        ),
        ("float_tolerance = 0.1", 1, "There is no setting float_tolerance. Did you mean output.float_tolerance?"),
        ("file = 'x'", 1, "There is no setting file. docs/settings.md lists them all."),
        ("flags_from = '/'", 1, "There is no setting flags_from. docs/settings.md lists them all."),
        ("output = 3", 1, "output should be a table, not 3; it is ignored."),
        ("output = { ignore = 3 }", 1, "output.ignore should be a list of texts, not 3; it is ignored."),
        ("target = 3", 1, "target should be a table, not 3; it is ignored."),
        ("[target]\n'a.cpp' = 3", 2, "target.a.cpp should be a table, not 3; it is ignored."),
        ("[target.'a.cpp']\nbudget = 0", 2, "budget should be a whole number of at least 1, not 0; it is ignored."),
        (
            '[target."a.cpp".limits]\n\nrun_s = 0',
            3,
            "limits.run_s should be a number above 0 and up to 3600, not 0; it is ignored.",
        ),
    ],
)
def test_a_mistake_is_named_with_its_line_and_the_rest_holds(tmp_path: Path, text: str, line: int, said: str) -> None:
    table = "[cache]\nsize_mb = 99\n"
    settings, problems = read(tmp_path, f"{text}\n{table}")
    assert [(p.line, p.message) for p in problems] == [(line, said)]
    assert problems[0].path == str(tmp_path / FILE)
    assert settings.cache.size_mb == 99
    assert settings.budget is None and settings.candidates == 64


def test_a_bad_pattern(tmp_path: Path) -> None:
    settings, (problem,) = read(tmp_path, "output.ignore = ['(']\nbudget = 3\n")
    assert problem.line == 1 and "is not a regular expression" in problem.message
    assert settings.budget == 3 and settings.output.ignore == ()


def test_the_sandbox_is_not_loosened_by_a_file(tmp_path: Path) -> None:
    _, (problem,) = read(tmp_path, "[sandbox]\nallow_unsafe = true\n")
    assert "--unsafe" in problem.message


def test_a_broken_line_is_left_out(tmp_path: Path) -> None:
    settings, problems = read(tmp_path, "budget = 3\nthreshold = = 4\nseconds = 5\n")
    assert [p.line for p in problems] == [2]
    assert "not TOML" in problems[0].message
    assert (settings.budget, settings.seconds, settings.threshold) == (3, 5, 1.05)


def test_hopeless_files_give_the_defaults(tmp_path: Path) -> None:
    for text in (b"\x00\x01\x02" * 50 + b"\n" * 3 + b"= = =\n" * 30, b"#" * (2 << 20)):
        settings, problems = read(tmp_path, text)
        assert problems and settings == Settings(file=str(tmp_path / FILE))
    (tmp_path / "folder").mkdir()
    settings, (problem,) = load(tmp_path / "folder")
    assert "cannot be read" in problem.message and settings.budget is None


def test_crlf_and_byte_order_mark(tmp_path: Path) -> None:
    settings, problems = read(tmp_path, b"\xef\xbb\xbfbudget = 3\r\n[cache]\r\nsize_mb = 1\r\n")
    assert settings.budget == 3
    assert [p.line for p in problems] == [3]


def test_target_tables_come_over_the_rest(tmp_path: Path) -> None:
    text = """
        budget = 1
        [output]
        white_space = "exact"
        [target."sub/*.cpp"]
        budget = 2
        output.float_tolerance = 0.5
        [target."sub/a.cpp"]
        budget = 3
        """
    a, problems = read(tmp_path, text, "sub/a.cpp")
    assert problems == ()
    assert (a.budget, a.output.float_tolerance, a.output.white_space) == (3, 0.5, "exact")
    assert read(tmp_path, text, "sub/b.cpp")[0].budget == 2
    assert read(tmp_path, text, "a.cpp")[0].budget == 1


def test_find_goes_up(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / FILE).touch()
    assert find(deep / "x.cpp") == tmp_path / FILE
    (deep / FILE).touch()
    assert find(deep / "x.cpp") == deep / FILE == find(deep)


def test_override(tmp_path: Path) -> None:
    settings = override(Settings(budget=5), seconds=9, flags="-O1 -g", goal=None, search="best-of-n")
    assert (settings.budget, settings.seconds, settings.flags, settings.goal) == (5, 9.0, ("-O1", "-g"), None)
    assert settings.flags_from == str(Path.cwd())
    assert override(Settings(), seconds=9).flags_from == ""
    with pytest.raises(SettingsError, match="search should be one of"):
        override(settings, search="magic")


def test_mistake_knows_the_line(tmp_path: Path) -> None:
    settings, _ = read(tmp_path, "budget = 1\nflags = ['-fplugin=x']\n")
    error = mistake(settings, "flags", "No.")
    assert (error.path, error.line, str(error)) == (settings.file, 2, "No.")
    assert mistake(Settings(), "flags", "No.").path == ""
    typed = mistake(override(settings, flags="-fplugin=y"), "flags", "No.")
    assert (typed.path, typed.line) == ("", None)


def test_the_docs_describe_every_key() -> None:
    docs = (Path(__file__).parents[2] / "docs" / "settings.md").read_text()
    schema: dict[str, Any] = json_schema()
    for key, what in schema["properties"].items():
        inner = [f"{key}.{name}" for name in what.get("properties", what.get("items", {}).get("properties", ()))]
        for name in inner or ([key] if key != "target" else []):
            assert f"`{name}`" in docs


VALUES = st.recursive(
    st.one_of(st.booleans(), st.integers(-5, 200), st.sampled_from(["'x'", "1.5", "nan", "1979-05-27", "'('"])),
    lambda inner: st.lists(inner, max_size=2).map(lambda items: "[" + ", ".join(map(str, items)) + "]"),
    max_leaves=3,
).map(lambda value: str(value).lower() if isinstance(value, bool) else str(value))
KEYS = st.sampled_from(["budget", "seconds", "flags", "output.ignore", "output", "nonsense", "limits.run_s", "target"])


@examples(deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=5), st.lists(st.text(max_size=8), max_size=2))
def test_any_file_is_read(values: dict[str, str], junk: list[str]) -> None:
    import tempfile

    text = "\n".join([*(f"{key} = {value}" for key, value in values.items()), *junk])
    with tempfile.NamedTemporaryFile(suffix=".toml") as file:
        file.write(text.encode(errors="replace"))
        file.flush()
        settings, problems = load(Path(file.name), Path("x.cpp"))
    assert settings.candidates >= 1 and settings.limits.run_s > 0
    assert all(p.message.endswith((".", "?")) and (p.line is None or p.line >= 1) for p in problems)


@pytest.mark.parametrize("text", ["a." * 50000 + "b = 1\n", "x = " + "[" * 100000, "x = [\n" * 50000])
def test_deep_nesting_is_a_problem_not_a_hang(tmp_path: Path, text: str) -> None:
    file = tmp_path / "maxcode.toml"
    file.write_text("budget = 7\n" + text)
    settings, problems = load(file)
    assert problems
    assert settings.budget in {7, Settings().budget}


@pytest.mark.parametrize("key", ["run_s", "build_s", "build_memory_mb", "run_memory_mb", "output_mb"])
def test_limits_have_bounds(tmp_path: Path, key: str) -> None:
    file = tmp_path / "maxcode.toml"
    file.write_text(f"[limits]\n{key} = 99999999999999\n")
    settings, problems = load(file)
    assert [problem.line for problem in problems] == [2]
    assert settings.limits == Settings().limits
