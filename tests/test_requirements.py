"""``requirements/llm.txt`` has all that comes with the extra ``llm``, each in one version and with its hashes."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LINES = (ROOT / "requirements" / "llm.txt").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
PINNED = [line.split("--hash=")[0].strip() for line in LINES if line and line[0] != "#"]
HASHES = {line.split("==")[0]: re.findall(r"--hash=(\S+)", line) for line in LINES if line and line[0] != "#"}
REQUIREMENTS = {canonicalize_name(one.name): one for one in map(Requirement, PINNED)}
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
LITELLM = "sha256:c12450b5947d160ab2f88cd5c320b0404b4dbdabaf96abd40b182a62f1ee9526"
"""Of the wheel that was read before it was chosen."""


def test_each_has_one_exact_version_and_its_hashes() -> None:
    assert len(REQUIREMENTS) == len(PINNED) == len(HASHES) > 50
    for one in REQUIREMENTS.values():
        (version,) = one.specifier
        assert version.operator == "==" and "*" not in version.version
        assert HASHES[one.name] and all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in HASHES[one.name])


def test_each_requirement_of_the_extra_is_among_them() -> None:
    for wanted in map(Requirement, EXTRAS["llm"]):
        (version,) = REQUIREMENTS[canonicalize_name(wanted.name)].specifier
        assert wanted.specifier.contains(version.version), wanted


def test_litellm_is_the_one_that_was_chosen() -> None:
    assert "litellm==1.98.1" in EXTRAS["llm"]
    assert LITELLM in HASHES["litellm"]


def test_it_names_no_place() -> None:
    text = "\n".join(LINES)
    assert not re.search(r"https?:|file:|--index|--find|@ ", text)


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_nothing_that_it_depends_on_is_missing(python: str, machine: str) -> None:
    """As far as what is installed here tells: pip refuses a file with hashes for only a part of the packages."""
    here = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "platform_machine": machine,
        "sys_platform": "linux",
        "platform_system": "Linux",
        "os_name": "posix",
        "platform_python_implementation": "CPython",
        "implementation_name": "cpython",
    }
    looked_at = 0
    for one in REQUIREMENTS.values():
        try:
            needed = [Requirement(text) for text in requires(one.name) or ()]
        except PackageNotFoundError:
            continue
        looked_at += 1
        for dependency in needed:
            if dependency.marker is None or dependency.marker.evaluate({**here, "extra": ""}):
                pinned = REQUIREMENTS.get(canonicalize_name(dependency.name))
                assert pinned is not None, f"{one.name} needs {dependency}"
                assert pinned.marker is None or pinned.marker.evaluate(here)
    assert looked_at > 40


def test_the_extras_build_on_each_other() -> None:
    assert "maxcode-lsp[llm]" in EXTRAS["local"] and "maxcode-lsp[local]" in EXTRAS["dev"]
