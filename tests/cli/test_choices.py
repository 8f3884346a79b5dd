from __future__ import annotations

from pathlib import Path

import pytest

from maxcode_lsp.cli.choices import settings_for
from maxcode_lsp.errors import SettingsError
from maxcode_lsp.settings import ModelSettings, Settings, own_file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "w").mkdir()
    own_file().parent.mkdir(parents=True)
    return tmp_path / "w" / "a.cpp"


def test_each_place_comes_over_the_one_before(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_file().write_text("model = 'a/own'\napi_base = 'http://own/v1'\nbudget = 1\nllm.max_cost_usd = 0.1\n")
    assert settings_for(file).model == "a/own"
    (file.parent / "maxcode.toml").write_text("model = 'a/work'\nbudget = 2\n")
    settings = settings_for(file)
    assert (settings.model, settings.api_base, settings.budget) == ("a/work", "http://own/v1", 2)
    monkeypatch.setenv("MAXCODE_MODEL", "a/environment")
    monkeypatch.setenv("MAXCODE_API_BASE", "http://environment/v1")
    settings = settings_for(file)
    assert (settings.model, settings.api_base, settings.budget) == ("a/environment", "http://environment/v1", 2)
    settings = settings_for(file, model="a/argument", api_base="http://argument/v1", **{"llm.max_cost_usd": 0.2})
    assert (settings.model, settings.api_base) == ("a/argument", "http://argument/v1")
    assert settings.llm.max_cost_usd == 0.2


@pytest.mark.parametrize("none", ["none", ""])
def test_none_is_no_model_whatever_files_say(file: Path, none: str) -> None:
    own_file().write_text("model = 'a/b'\n[[models]]\nname = 'local'\n")
    assert settings_for(file).models == (ModelSettings("local"),)
    assert settings_for(file, model=none) == Settings()


def test_mistakes_are_told_with_their_places(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own_file().write_text("budget = 0\n")
    (file.parent / "maxcode.toml").write_text("\napi_base = 'http://evil.example'\n")
    monkeypatch.setenv("MAXCODE_API_BASE", "http://me:hunter22@host")
    assert settings_for(file) == Settings(file=str(file.parent / "maxcode.toml"))
    said = capsys.readouterr().err
    assert f"{own_file()}:1: budget should be" in said
    assert f"{file.parent / 'maxcode.toml'}:2: api_base is ignored in a workspace's file" in said
    assert "From MAXCODE_API_BASE in the environment: api_base should hold no user name" in said
    assert "hunter22" not in said and "evil" not in said


@pytest.mark.parametrize(
    "arguments",
    [{"api_base": "http://me:hunter22@host"}, {"llm.max_cost_usd": float("nan")}, {"llm.max_cost_usd": -1.0}],
)
def test_a_wrong_argument_ends_the_command(file: Path, arguments: dict[str, object]) -> None:
    with pytest.raises(SettingsError, match=r"api_base|llm\.max_cost_usd") as error:
        settings_for(file, **arguments)
    assert "hunter22" not in str(error.value)
