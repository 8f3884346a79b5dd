from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.settings import (
    FILE,
    ModelSettings,
    OutputSettings,
    Settings,
    editor_properties,
    find,
    json_schema,
    lay,
    load,
    schema_text,
)
from maxcode_lsp.settings.file import Problem
from maxcode_lsp.settings.layers import MOST_PROBLEMS
from maxcode_lsp.settings.patterns import pattern
from maxcode_lsp.settings.schema import STRATEGIES, USERS_OWN

ROOT = Path(__file__).parents[2]


def said(problems: tuple[Problem, ...]) -> list[str]:
    assert all(problem.path == "" and problem.line is None for problem in problems)
    return [problem.message for problem in problems]


@pytest.mark.parametrize(
    "given",
    [
        {"budget": 3, "output": {"ignore": ["^t"], "white_space": "exact"}, "editor": {"lens": False}},
        {"budget": 3, "output.ignore": "^t", "output.white_space": "exact", "editor.lens": False},
        {"maxcode.budget": 3, "maxcode.output": {"ignore": "^t", "white_space": "exact"}, "maxcode.editor.lens": False},
        {"budget": 3, "output": {"ignore": "x"}, "output.ignore": ["^t"], "output.white_space": "exact"}
        | {"editor": {"lens": False, "diagnostics": None}, "goal": None, "limits": None, "search": None},
    ],
)
def test_nested_and_dotted_are_the_same(given: Any) -> None:
    below = Settings(seconds=7.0, goal=2.0, output=OutputSettings(float_tolerance=0.5))
    settings, problems = lay(below, given)
    assert problems == ()
    assert (settings.budget, settings.seconds, settings.goal) == (3, 7.0, 2.0)
    assert settings.output == OutputSettings(0.5, ("^t",), "exact")
    assert (settings.editor.lens, settings.editor.diagnostics) == (False, True)


@pytest.mark.parametrize(
    ("given", "sentences"),
    [
        (None, []),
        ({}, []),
        ({"trace": {"server": "verbose"}, "trace.server": "off", "server": {"path": "x"}}, []),
        ([], ["settings should be a table, not []; it is ignored."]),
        ("budget", ["settings should be a table, not “budget”; it is ignored."]),
        ({"budget": "3"}, ["budget should be a whole number of at least 1, not “3”; it is ignored."]),
        (
            {"budget": [1] * 999},
            ["budget should be a whole number of at least 1, not [1, 1, 1, 1, 1, 1, ...]; it is ig"],
        ),
        ({"output": 3}, ["output should be a table, not 3; it is ignored."]),
        ({"output.": 3}, ["There is no setting output.. Did you mean output?"]),
        ({"": 3}, ["There is no setting . docs/settings.md lists them all."]),
        ({"output.ignore.x": 3}, ["There is no setting output.ignore.x. Did you mean output.ignore?"]),
        ({"limits": {"run_s": -1}}, ["limits.run_s should be a number above 0 and up to 3600, not -1; it is ignored."]),
        ({"trusted": True}, ["There is no setting trusted. docs/settings.md lists them all."]),
        ({"file": "/etc/passwd"}, ["There is no setting file. docs/settings.md lists them all."]),
        (
            {"target": {"a.cpp": {"budget": 3}}},
            ["The table target is read from a workspace's maxcode.toml only; here it is ignored."],
        ),
        ({"editor.lens": 1}, ["editor.lens should be true or false, not 1; it is ignored."]),
        ({"compiler": "g++\0"}, ["compiler should be a text, not “g++\0”; it is ignored."]),
        ({"flags": ["-O2", "\ud800"]}, ["flags should be a list of texts, not ['-O2', '\\ud800']; it is ignored."]),
        ({"budget": 1 << 70}, ["budget should be a whole number of at least 1, not 1180591620717411303424; it is ig"]),
        ({"seconds": float("inf")}, ["seconds should be a number above 0, not inf; it is ignored."]),
        ({"output.ignore": ["a"] * 101}, ["output.ignore has more than 100 elements; it is ignored."]),
        ({"output.ignore": "(a)\\1"}, ["output.ignore: “(a)\\1” is not a regular expression (invalid escape sequence"]),
    ],
)
def test_what_is_wrong_is_said(given: Any, sentences: list[str]) -> None:
    settings, problems = lay(Settings(), given)
    assert settings == Settings()
    assert len(problems) == len(sentences)
    assert [s[: len(t)] for s, t in zip(said(problems), sentences, strict=True)] == sentences


@pytest.mark.parametrize("given", [{"sandbox": True}, {"sandbox.unsafe": True}, {"sandbox": {"level": "none"}}])
def test_the_sandbox_is_not_loosened(given: Any) -> None:
    settings, problems = lay(Settings(), given)
    assert settings == Settings()
    assert ["--unsafe" in sentence for sentence in said(problems)] == [True]


def test_relative_flags_start_from_the_folder(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("flags = '-O2'\n")
    below, _ = load(tmp_path / FILE)
    assert lay(below, {"flags": "-O1 -Iinc"}, Path("/w"))[0].flags_from == "/w"
    assert lay(below, {"budget": 1}, Path("/w"))[0].flags_from == ""
    assert lay(below, {"flags": ["-O1"]}, Path("/w"))[0].flags == ("-O1",)


def test_layers_come_over_each_other(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(
        "budget = 1\nseconds = 1\n[output]\nwhite_space = 'exact'\n[target.'a.cpp']\ngoal = 9\n"
    )
    file, _ = load(tmp_path / FILE, tmp_path / "a.cpp")
    editor, _ = lay(file, {"budget": 2, "output": {"float_tolerance": 0.1}})
    command, _ = lay(editor, {"budget": 3})
    assert (command.budget, command.seconds, command.goal) == (3, 1.0, 9.0)
    assert command.output == OutputSettings(0.1, (), "exact")
    assert command.file == str(tmp_path / FILE)


def test_many_mistakes_are_quick_and_bounded() -> None:
    given: dict[str, Any] = {f"budge{i}": i for i in range(20_000)} | {f"output.k{i}": i for i in range(20_000)}
    _, problems = lay(Settings(), given)
    assert len(problems) == MOST_PROBLEMS


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
HEADS = ["budget", "goal", "flags", "output", "limits", "target", "sandbox", "trusted", "editor", "file", "x"]
KEYS = st.builds(
    ".".join,
    st.lists(st.sampled_from([*HEADS, "maxcode", "run_s", "ignore", "lens"]) | st.text(max_size=4), max_size=3),
)
RIGHT = {"seconds": 9.0, "cache.size_mb": 99, "workload": {"inputs": ["a/*.txt"]}, "rewrites.disabled": "one"}


@given(JSON | st.dictionaries(KEYS, JSON, max_size=6))
def test_any_json_is_taken(given: Any) -> None:
    settings, problems = lay(Settings(), given)
    assert settings.candidates >= 1 and settings.limits.run_s > 0
    assert (settings.file, settings.flags_from) == ("", "")
    assert all(sentence.endswith((".", "?")) for sentence in said(problems))
    # What holds can be sent to the engine.
    assert msgspec.json.decode(msgspec.json.encode(settings), type=Settings) == settings


@given(st.dictionaries(KEYS, JSON, max_size=6))
def test_right_keys_hold_beside_wrong_ones(wrong: dict[str, Any]) -> None:
    ours = {"seconds", "cache", "workload", "rewrites"}
    beside = {key: value for key, value in wrong.items() if key.removeprefix("maxcode.").partition(".")[0] not in ours}
    settings, _ = lay(Settings(), {**beside, **RIGHT})
    assert (settings.seconds, settings.cache.size_mb) == (9.0, 99)
    assert (settings.workload.inputs, settings.rewrites.disabled) == (("a/*.txt",), ("one",))


def test_find_does_not_go_above_the_top(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / FILE).touch()
    assert find(deep / "x.cpp", tmp_path) == tmp_path / FILE
    assert find(deep / "x.cpp", tmp_path / "a") is None
    assert find(deep / "x.cpp", deep) is None
    (tmp_path / "a" / FILE).touch()
    assert find(deep / "x.cpp", tmp_path / "a") == tmp_path / "a" / FILE


@pytest.mark.parametrize(
    ("text", "said"),
    [("budget = " + "9" * 5000, "a number that long"), ("budget = 0x" + "f" * 5000, "not a number that long")],
)
def test_endless_numbers_in_a_file(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / FILE).write_text(f"goal = 2\n{text}\n")
    settings, (problem,) = load(tmp_path / FILE)
    assert said in problem.message and problem.line == 2
    assert (settings.goal, settings.budget) == (2.0, None)


class TestPatterns:
    def test_they_are_found_in_bytes(self) -> None:
        assert pattern("^took [0-9]+ ms").search(b"took 12 ms\r")
        assert pattern("(?i)DEBUG").search(b"\xff debug") and not pattern("DEBUG").search(b"debug")
        assert pattern("é").search("né".encode()) and pattern("^$").search(b"")

    def test_time_is_linear(self) -> None:
        # Python's own engine would not be done with these in years.
        text = b"a" * (1 << 20)
        assert pattern("(a+a+)+b").search(text) is None
        assert pattern("(a|aa)+$").search(text + b"b") is None

    @pytest.mark.parametrize("text", ["(", "a{1001}", "x" * 1001, "(?<=a)b", ".{900}[a-w].{900}", "\ud800", "(?#c)"])
    def test_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match=r"\w"):
            pattern(text)


def leaves(table: dict[str, Any], path: str = "") -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for key, what in cast("dict[str, dict[str, Any]]", table["properties"]).items():
        assert what["description"], f"{path}{key}"
        found |= leaves(what, f"{path}{key}.") if "properties" in what else {f"{path}{key}": what}
    return found


class TestSchema:
    def test_the_page_in_the_docs_is_up_to_date(self) -> None:
        printed = subprocess.run(
            [sys.executable, "-c", "from maxcode_lsp.cli.app import main; main()", "schema"],
            capture_output=True,
            check=True,
            cwd=ROOT,
        )
        assert printed.stdout.decode() == schema_text()
        assert (ROOT / "docs" / "maxcode.schema.json").read_text(encoding="utf-8") == schema_text(), (
            "write it anew: maxcode schema > docs/maxcode.schema.json"
        )

    def test_every_key_has_a_description_and_its_default(self) -> None:
        keys = leaves(json_schema())
        target = keys.pop("target")
        assert set(leaves(target["additionalProperties"])) == set(keys)
        assert not {"file", "flags_from"} & set(keys)
        for key, what in keys.items():
            value: Any = Settings()
            for name in key.split("."):
                value = getattr(value, name)
            assert ("default" in what) == (value is not None), key
            assert what.get("default") == msgspec.to_builtins(value), key

    def test_a_list_of_tables_has_their_keys(self) -> None:
        rows = json_schema()["properties"]["models"]
        assert rows["type"] == "array" and rows["items"]["required"] == ["name"]
        assert rows["items"]["additionalProperties"] is False
        found = leaves(rows["items"])
        assert set(found) == set(ModelSettings.__struct_fields__)
        for key, what in found.items():
            assert what.get("default") == getattr(ModelSettings(), key)

    def test_what_only_the_user_may_set_says_so(self) -> None:
        schema = json_schema()
        found = leaves(schema) | leaves(schema["properties"]["models"]["items"], "models.")
        said = {key for key, what in found.items() if "Not in a workspace's file." in what["description"]}
        assert said == USERS_OWN

    def test_unknown_keys_are_mistakes_at_every_level(self) -> None:
        schema = json_schema()
        tables = [schema, schema["properties"]["target"]["additionalProperties"]]
        while tables:
            table = tables.pop()
            assert table["additionalProperties"] is False
            tables += [inner for inner in table["properties"].values() if "properties" in inner]

    def test_a_list_may_be_one_text(self) -> None:
        flags = json_schema()["properties"]["flags"]
        assert [option["type"] for option in flags["anyOf"]] == ["array", "string"]

    def test_the_settings_of_an_extension_set_nothing_by_themselves(self) -> None:
        properties = editor_properties()
        schema = json_schema()
        del schema["properties"]["target"]
        assert set(properties) == {f"maxcode.{key}" for key in leaves(schema)}
        for key, what in properties.items():
            assert what["default"] is None and "null" in what["type"], key
            own = {f"maxcode.{one}" for one in (*USERS_OWN, "models")}
            assert what["scope"] == ("machine" if key in own else "resource"), key
        assert properties["maxcode.effort"]["description"].endswith('Default: "high".')
        assert properties["maxcode.search"]["enum"] == [*sorted(STRATEGIES), None]
        assert properties["maxcode.flags"]["items"] == {"type": "string"}
        assert properties["maxcode.models"]["type"] == ["array", "null"]
        assert properties["maxcode.models"]["items"]["type"] == "object"
        settings, problems = lay(Settings(budget=7), {key: what["default"] for key, what in properties.items()})
        assert (settings, problems) == (Settings(budget=7), ())
        assert json.loads(json.dumps(properties)) == properties
