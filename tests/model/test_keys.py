"""Where keys are looked for; which variables providers use; a key is hidden before anybody can write it down."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from maxcode_lsp.model.keys import Keys, names_of
from maxcode_lsp.redaction import HIDDEN, redact


def test_the_editor_goes_before_the_environment() -> None:
    keys = Keys({"A_KEY": "from-the-editor-1"}, {"A_KEY": "from-environment-1", "B_KEY": "from-environment-2"})
    assert keys.find("A_KEY") == "from-the-editor-1"
    assert keys.find("B_KEY") == "from-environment-2"
    assert keys.find("C_KEY") is None
    assert keys.first(["C_KEY", "B_KEY", "A_KEY"]) == "from-environment-2"
    assert keys.first(["C_KEY"]) is None


@pytest.mark.parametrize("value", ["", " ", "\n"])
def test_an_empty_key_is_none(value: str) -> None:
    assert Keys({"A_KEY": value}, {"A_KEY": "from-environment-3"}).find("A_KEY") == "from-environment-3"


def test_white_space_around_a_key_goes() -> None:
    assert Keys({}, {"A_KEY": "  from-environment-4\r\n"}).find("A_KEY") == "from-environment-4"


def test_what_is_seen_is_hidden() -> None:
    Keys({"ODD_NAME": " given-value-51 "}, {"OTHER_API_KEY": "seen-value-52"})
    assert redact("given-value-51 seen-value-52") == f"{HIDDEN} {HIDDEN}"
    keys = Keys({}, {"VARIABLE_OF_MINE": "found-value-53"})
    assert keys.find("VARIABLE_OF_MINE") == "found-value-53"
    assert redact("found-value-53") == HIDDEN


def test_who_needs_a_key() -> None:
    assert Keys({}, {}).lacks("openai")
    assert not Keys({}, {"OPENAI_API_KEY": "some-value-61"}).lacks("openai")
    assert not Keys({}, {"GOOGLE_API_KEY": "some-value-62"}).lacks("gemini")
    assert not Keys({}, {"ANTHROPIC_AUTH_TOKEN": "some-value-63"}).lacks("anthropic")
    assert not Keys({}, {}).lacks("ollama")
    assert not Keys({}, {}).lacks("bedrock")


def test_names_of_a_provider() -> None:
    assert names_of("openai") == ("OPENAI_API_KEY",)
    assert names_of("text-completion-openai") == ("OPENAI_API_KEY",)
    assert names_of("nano-gpt") == ("NANO_GPT_API_KEY",)
    assert names_of("gemini") == ("GEMINI_API_KEY", "GOOGLE_API_KEY")


ASK_LITELLM = """
import json, os
os.environ |= {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "AZURE_API_BASE": "x", "AZURE_API_VERSION": "x"}
import litellm
from maxcode_lsp.model.keys import _NEEDED, names_of
for provider in sorted(_NEEDED - {"codestral"}):
    missing = litellm.validate_environment(f"{provider}/any")["missing_keys"]
    assert not missing or set(missing) & set(names_of(provider)), (provider, missing)
    for name in names_of(provider):
        os.environ[name] = "x"
    left = litellm.validate_environment(f"{provider}/any")["missing_keys"]
    assert not [name for name in left if name.endswith("KEY")], (provider, left)
print("agreed")
"""


def test_litellm_looks_in_the_same_variables() -> None:
    """In a process of its own, whose environment has no keys."""
    if importlib.util.find_spec("litellm") is None:
        pytest.skip("the extra “llm” is not installed")
    root = Path(__file__).parents[2]
    ended = subprocess.run(
        [sys.executable, "-c", ASK_LITELLM], cwd=root, env={"HOME": "/nonexistent"}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert ended.stdout.strip() == "agreed", ended.stderr[-2000:]
