"""The user's own file, and what a workspace's may not set."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from maxcode_lsp.settings import FILE, ModelSettings, Settings, lay, load, own_file
from maxcode_lsp.settings.schema import USERS_OWN

VALUES = {
    "api_base": "'http://evil.example/v1'",
    "models.api_base": "'http://evil.example/v1'",
    "models.key_env": "'AWS_SECRET_ACCESS_KEY'",
    "llm.max_tokens": "1000000000",
    "llm.max_cost_usd": "1000",
    "llm.proxy": "'http://evil.example:3128'",
    "llm.ca": "'/w/evil.pem'",
}


@pytest.fixture
def own() -> Path:
    own_file().parent.mkdir(parents=True)
    return own_file()


def text_of(key: str) -> tuple[str, int]:
    """A file that sets a key, and the line on which it does."""
    table, _, name = key.rpartition(".")
    if table == "models":
        return f"budget = 7\n[[models]]\nname = 'openai/x'\n{name} = {VALUES[key]}\n[[models]]\nname = 'local'\n", 4
    return f"budget = 7\n{f'[{table}]' if table else ''}\n{name} = {VALUES[key]}\n", 3


def test_it_lies_in_the_users_config_folder() -> None:
    assert own_file() == Path(os.environ["XDG_CONFIG_HOME"], "maxcode", "maxcode.toml")


def test_all_of_them_are_looked_at() -> None:
    assert set(VALUES) == USERS_OWN


@pytest.mark.parametrize("key", VALUES)
def test_a_workspace_cannot_say_where_keys_and_money_go(tmp_path: Path, key: str) -> None:
    text, line = text_of(key)
    (tmp_path / FILE).write_text(text)
    settings, (problem,) = load(tmp_path / FILE, tmp_path / "a.cpp", own_file())
    assert problem.line == line
    assert problem.message.startswith(f"{key} is ignored in a workspace's file, since your key or your money would go")
    assert str(own_file()) in problem.message and "the editor's settings" in problem.message
    assert ("--api-base" in problem.message) == (key == "api_base")
    assert ("--max-cost" in problem.message) == (key == "llm.max_cost_usd")
    assert "evil" not in str(settings) and "AWS" not in str(settings)
    # What is beside it holds; but a model is not asked elsewhere than its author meant.
    assert settings.budget == 7
    assert settings.models == ((ModelSettings("local"),) if key.startswith("models.") else ())
    assert settings.llm == Settings().llm


@pytest.mark.parametrize("key", VALUES)
def test_nor_for_one_target(tmp_path: Path, key: str) -> None:
    table, _, name = key.rpartition(".")
    values = f"models = [{{name = 'x/y', {name} = {VALUES[key]}}}]" if table == "models" else f"{key} = {VALUES[key]}"
    (tmp_path / FILE).write_text(f"[target.'*.cpp']\n{values}\n")
    settings, (problem,) = load(tmp_path / FILE, tmp_path / "a.cpp")
    assert problem.line == 2 and problem.message.startswith(f"{key} is ignored")
    assert settings == Settings(file=str(tmp_path / FILE))


@pytest.mark.parametrize("key", VALUES)
def test_the_user_can(own: Path, key: str) -> None:
    own.write_text(text_of(key)[0])
    settings, problems = load(None, own=own)
    assert problems == ()
    value = settings.models[0] if key.startswith("models.") else settings
    for name in key.removeprefix("models.").split("."):
        value = getattr(value, name)
    assert str(value) in {VALUES[key].strip("'"), "1000.0"}


@pytest.mark.parametrize("key", VALUES)
def test_and_so_can_the_editor(key: str) -> None:
    value = VALUES[key].strip("'") if "'" in VALUES[key] else int(VALUES[key])
    name = key.removeprefix("models.")
    given = {"models": [{"name": "x/y", name: value}]} if key != name else {f"maxcode.{key}": value}
    settings, problems = lay(Settings(), given)
    assert problems == () and settings != Settings()


def test_a_workspaces_file_comes_over_it(tmp_path: Path, own: Path) -> None:
    own.write_text("budget = 1\nseconds = 1\nllm.max_cost_usd = 3\n[output]\nfloat_tolerance = 0.5\n")
    (tmp_path / FILE).write_text("budget = 2\nbudgte = 3\n[output]\nwhite_space = 'exact'\n")
    settings, (problem,) = load(tmp_path / FILE, own=own)
    assert (settings.budget, settings.seconds, settings.llm.max_cost_usd) == (2, 1.0, 3.0)
    assert (settings.output.float_tolerance, settings.output.white_space) == (0.5, "exact")
    assert settings.file == problem.path == str(tmp_path / FILE)


def test_mistakes_in_both_are_told_with_their_files(tmp_path: Path, own: Path) -> None:
    own.write_text("\nbudget = 0\n")
    (tmp_path / FILE).write_text("seconds = 0\n")
    _, problems = load(tmp_path / FILE, own=own)
    assert [(problem.path, problem.line) for problem in problems] == [(str(own), 2), (str(tmp_path / FILE), 1)]


def test_it_has_no_tables_for_targets(own: Path) -> None:
    own.write_text("budget = 2\n[target.'*.cpp']\nbudget = 3\n")
    settings, (problem,) = load(None, Path("a.cpp"), own)
    assert settings == Settings(budget=2)
    assert problem.message == "The table target is read from a workspace's maxcode.toml only; here it is ignored."


def test_flags_start_from_the_folder_of_their_file(tmp_path: Path, own: Path) -> None:
    own.write_text("flags = '-Iown'\n")
    (tmp_path / FILE).write_text("budget = 2\n")
    assert load(tmp_path / FILE, own=own)[0].flags_from == str(own.parent)
    (tmp_path / FILE).write_text("flags = '-Iwork'\n")
    settings, _ = load(tmp_path / FILE, own=own)
    assert (settings.flags, settings.flags_from) == (("-Iwork",), "")


@pytest.mark.parametrize("link", [False, True])
def test_a_program_beside_it_does_not_make_it_a_workspaces(tmp_path: Path, own: Path, link: bool) -> None:
    own.write_text("llm.max_cost_usd = 3\n")
    named = own
    if link:
        named = tmp_path / FILE
        named.symlink_to(own)
    settings, problems = load(named, own=own)
    assert (settings, problems) == load(None, own=own)
    assert settings.llm.max_cost_usd == 3.0 and problems == ()


def test_none_and_odd_ones(tmp_path: Path, own: Path) -> None:
    assert load(None, own=own) == (Settings(), ())
    os.mkfifo(own)
    assert load(None, own=own) == (Settings(), ())
    own.unlink()
    own.mkdir()
    assert load(None, own=own) == (Settings(), ())
