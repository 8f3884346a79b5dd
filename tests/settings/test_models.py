"""Models in settings: lists of tables, one choice for all layers, and no secret anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from maxcode_lsp.errors import SettingsError
from maxcode_lsp.settings import (
    FILE,
    LlmSettings,
    ModelSettings,
    Problem,
    Settings,
    lay,
    lay_environment,
    load,
    override,
)

LOCAL = (ModelSettings("local"),)
KEY = "sk-abcdefghijklmnopqrstuvwxyz012345"


def read(tmp_path: Path, text: str, target: str | None = None) -> tuple[Settings, tuple[Problem, ...]]:
    (tmp_path / FILE).write_text(text)
    return load(tmp_path / FILE, tmp_path / target if target else None)


def own(tmp_path: Path, text: str) -> tuple[Settings, tuple[Problem, ...]]:
    (tmp_path / FILE).write_text(text)
    return load(None, own=tmp_path / FILE)


class TestLists:
    def test_tables_in_a_file(self, tmp_path: Path) -> None:
        settings, problems = own(
            tmp_path,
            """
            model = "local"
            [[models]]
            name = "openai/big"   # the dear one
            weight = 0.5
            api_base = "http://127.0.0.1:8000/v1"
            [[models]]
            name = "anthropic/x"
            key_env = "MY_KEY"
            context_tokens = 8192
            [llm]
            max_cost_usd = 0.25
            ca = "~/ca.pem"
            """,
        )
        assert problems == ()
        assert settings.model == "local"
        assert settings.models == (
            ModelSettings("openai/big", 0.5, "http://127.0.0.1:8000/v1"),
            ModelSettings("anthropic/x", key_env="MY_KEY", context_tokens=8192),
        )
        assert settings.llm == LlmSettings(max_cost_usd=0.25, ca=str(Path.home() / "ca.pem"))

    @pytest.mark.parametrize(
        ("text", "mistakes", "names"),
        [
            (
                "[[models]]\nname = 'a'\nweight = -1\n[[models]]\nname = 'b'\nwieght = 2\n",
                [
                    (3, "models[0].weight should be a number above 0 and up to 1000, not -1; it is ignored."),
                    (6, "There is no setting models[1].wieght. Did you mean models.weight?"),
                ],
                ["a", "b"],
            ),
            ("[[models]]\nweight = 2\n[[models]]\nname = 'b'\n", [(1, "A model without a name is left out.")], ["b"]),
            ("models = [{name = 'a'}, 'b', {name = ''}]", [(1, "models[1] should be a table"), (1, "A model")], ["a"]),
            ("[models]\nname = 'a'\n", [(1, "models should be a list of tables; write [[models]] above each.")], []),
            ("models = 'local'", [(1, "models should be a list of tables")], []),
            ("models = []", [], []),
            ("[[models]]\nname = 3\n", [(2, "models[0].name should be a text, not 3"), (1, "A model without")], []),
            ("budget = 1\n\n[[models]]\n[models.x]\ny = 1\n", [(3, "There is no setting"), (3, "A model")], []),
            ("[[models]]\nname = 'a'\n" * 101, [(1, "models has more than 100 elements")], []),
        ],
    )
    def test_mistakes_have_their_line_and_the_rest_holds(
        self, tmp_path: Path, text: str, mistakes: list[tuple[int, str]], names: list[str]
    ) -> None:
        settings, problems = read(tmp_path, f"{text}\n")
        assert [model.name for model in settings.models] == names
        for problem, (line, said) in zip(problems, mistakes, strict=True):
            assert problem.message.startswith(said)
            assert problem.line == line

    def test_a_list_for_one_target(self, tmp_path: Path) -> None:
        text = "model = 'local'\n[target.'a.cpp']\n[[target.'a.cpp'.models]]\nname = 'x/y'\nweight = 0\n"
        settings, (problem,) = read(tmp_path, text, "a.cpp")
        assert (settings.model, [model.name for model in settings.models]) == ("", ["x/y"])
        assert problem.line == 5 and problem.message.startswith("models[0].weight")
        assert read(tmp_path, text, "b.cpp")[0].model == "local"

    def test_objects_from_an_editor(self) -> None:
        given = {"maxcode.models": [{"name": "local", "weight": None}, {"name": "x/y", "context_tokens": 1}]}
        settings, (problem,) = lay(Settings(), given)
        assert settings.models == (ModelSettings("local"), ModelSettings("x/y"))
        assert problem.message.startswith("models[1].context_tokens should be")

    def test_they_reach_the_engine(self) -> None:
        settings, _ = lay(Settings(), {"models": [{"name": "local"}]})
        assert msgspec.json.decode(msgspec.json.encode(settings), type=Settings) == settings


class TestOneChoice:
    @pytest.mark.parametrize(
        ("below", "given", "model", "models"),
        [
            (Settings(model="a/b"), {}, "a/b", ()),
            (Settings(model="a/b"), {"model": "c/d"}, "c/d", ()),
            (Settings(models=LOCAL), {"model": "c/d"}, "c/d", ()),
            (Settings(model="a/b"), {"models": [{"name": "local"}]}, "", LOCAL),
            (Settings(model="a/b"), {"model": "c/d", "models": [{"name": "local"}]}, "c/d", LOCAL),
            (Settings(model="a/b", models=LOCAL), {"model": "none"}, "", ()),
            (Settings(model="a/b", models=LOCAL), {"model": ""}, "", ()),
            (Settings(model="a/b", models=LOCAL), {"models": []}, "", ()),
            (Settings(model="a/b", models=LOCAL), {"model": None, "models": None}, "a/b", LOCAL),
            (Settings(model="a/b", models=LOCAL), {"model": 3, "models": 3}, "a/b", LOCAL),
            (Settings(model="a/b", models=LOCAL), {"models": [{"weight": 1}]}, "a/b", LOCAL),
        ],
    )
    def test_who_chooses_leaves_nothing_of_the_choice_below(
        self, below: Settings, given: dict[str, Any], model: str, models: tuple[ModelSettings, ...]
    ) -> None:
        settings, _ = lay(below, given)
        assert (settings.model, settings.models) == (model, models)

    def test_files_and_arguments_too(self, tmp_path: Path) -> None:
        (tmp_path / "own.toml").write_text("model = 'a/b'\napi_base = 'http://h/v1'\n[[models]]\nname = 'local'\n")
        (tmp_path / FILE).write_text("[[models]]\nname = 'x/y'\n")
        both, _ = load(tmp_path / FILE, own=tmp_path / "own.toml")
        assert (both.model, [model.name for model in both.models], both.api_base) == ("", ["x/y"], "http://h/v1")
        argument = override(both, model="local")
        assert (argument.model, argument.models, argument.api_base) == ("local", (), "http://h/v1")
        none = override(both, model="none", **{"llm.max_cost_usd": 2})
        assert (none.model, none.models, none.llm) == ("", (), LlmSettings(max_cost_usd=2.0))
        assert override(both, model=None, api_base=None, **{"llm.max_cost_usd": None}) == both


class TestAddresses:
    @pytest.mark.parametrize(
        "value", ["", "http://127.0.0.1:8080/v1", "https://[::1]:1/", "https://x.openai.azure.com", "http://host"]
    )
    def test_right(self, value: str) -> None:
        assert override(Settings(), api_base=value).api_base == value

    @pytest.mark.parametrize(
        ("value", "said"),
        [
            ("127.0.0.1:8080", "api_base should be an address that begins with http:// or https://."),
            ("ftp://host/", "begins with http"),
            ("file:///etc/passwd", "begins with http"),
            ("http://", "begins with http"),
            ("http://host:port/", "begins with http"),
            ("http://host:99999/", "begins with http"),
            ("http://[::1/", "begins with http"),
            ("http://ho st/", "begins with http"),
            ("http://host/\r\nX-Key: 1", "begins with http"),
            ("http://hö.de/", "begins with http"),
            (f"http://user:{KEY}@host/v1", "no user name, password or query"),
            (f"http://{KEY}@host/v1", "no user name, password or query"),
            (f"{KEY}@host", "begins with http"),
            (f"https://host/v1?api-key={KEY}", "no user name, password or query"),
            (f"https://host/v1#{KEY}", "no user name, password or query"),
        ],
    )
    def test_wrong_ones_are_told_without_what_they_hold(self, value: str, said: str) -> None:
        with pytest.raises(SettingsError) as argument:
            override(Settings(), api_base=value)
        editor, (problem,) = lay(Settings(), {"models": [{"name": "x/y", "api_base": value}]})
        variable, (other,) = lay_environment(Settings(), {"MAXCODE_API_BASE": value})
        assert editor.models == (ModelSettings("x/y"),) and variable == Settings()
        for sentence in (str(argument.value), problem.message, other.message):
            assert said in sentence or said.startswith("api_base")
            assert KEY not in sentence and "user:" not in sentence
        assert problem.message.endswith("it is ignored.") and other.message.startswith("From MAXCODE_API_BASE in")

    def test_a_proxy_with_a_password_belongs_into_the_environment(self) -> None:
        settings, (problem,) = lay(Settings(), {"llm.proxy": "http://me:hunter22@proxy:3128"})
        assert settings == Settings()
        assert "HTTPS_PROXY" in problem.message and "hunter22" not in problem.message
        assert lay(Settings(), {"llm.proxy": "socks5://proxy:1080"})[0].llm.proxy == "socks5://proxy:1080"

    @pytest.mark.parametrize("value", [KEY, "gsk_abcdefgh", "AIzaSyAbc", "MY KEY", "1KEY", "MY-KEY", "my_key", "=x"])
    def test_a_key_in_place_of_its_variable(self, value: str) -> None:
        settings, (problem,) = lay(Settings(), {"models": [{"name": "x/y", "key_env": value}]})
        assert settings.models == (ModelSettings("x/y"),)
        assert "in capitals" in problem.message and value not in problem.message

    @pytest.mark.parametrize("key", ["api_key", "key", "llm.api_key", "llm.password", "API_KEY", "models"])
    def test_a_key_as_a_setting(self, key: str) -> None:
        given: dict[str, Any] = {key: KEY} if key != "models" else {key: [{"name": "x/y", "api_key": KEY}]}
        settings, (problem,) = lay(Settings(), given)
        assert KEY not in str(settings) + problem.message
        assert "a key never belongs into settings" in problem.message

    @pytest.mark.parametrize("value", ["ca.pem", "./ca.pem", "~nobody-has-this-name/ca.pem"])
    def test_a_certificate_somewhere(self, value: str) -> None:
        settings, (problem,) = lay(Settings(), {"llm.ca": value})
        assert settings == Settings() and "an absolute path" in problem.message


class TestEnvironment:
    def test_variables_set_settings(self) -> None:
        below = Settings(models=LOCAL, budget=3)
        variables = {"MAXCODE_MODEL": "openai/x", "MAXCODE_API_BASE": "http://h:1/v1", "HOME": "/"}
        settings, problems = lay_environment(below, variables)
        assert problems == ()
        assert settings == Settings(model="openai/x", api_base="http://h:1/v1", budget=3)

    def test_empty_ones_say_nothing(self) -> None:
        below = Settings(model="a/b", models=LOCAL)
        assert lay_environment(below, {"MAXCODE_MODEL": "", "MAXCODE_API_BASE": ""}) == (below, ())
        assert lay_environment(below, {"MAXCODE_MODEL": "none"})[0] == Settings()


TEXTS = st.text(max_size=6) | st.sampled_from(
    ["local", "x/y", "none", "", "http://h/v1", f"http://u:{KEY}@h", "MY_KEY"]
)
ROWS = st.dictionaries(
    st.sampled_from([*ModelSettings.__struct_fields__, "api_key", "x", "[0]"]),
    TEXTS | st.none() | st.integers(-1, 5000) | st.lists(TEXTS, max_size=1),
    max_size=4,
)


@examples(deadline=None)
@given(st.lists(ROWS | TEXTS, max_size=3) | ROWS, st.none() | TEXTS)
def test_any_models_are_taken_and_no_secret_is_kept(models: Any, model: str | None) -> None:
    settings, problems = lay(Settings(), {"models": models, "model": model})
    assert all(made.name and made.weight > 0 for made in settings.models)
    assert settings.model != "none"
    assert msgspec.json.decode(msgspec.json.encode(settings), type=Settings) == settings
    kept = [*(made.api_base for made in settings.models), *(made.key_env for made in settings.models)]
    assert not any(KEY in text for text in kept)
    assert all(problem.message.endswith((".", "?", "”")) for problem in problems)
