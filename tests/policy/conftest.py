"""Rewritten whole programs must build and print what they printed before, for each input."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Protocol

import pytest

from maxcode_lsp.policy.rewrites.combine import Combination, apply
from maxcode_lsp.policy.rewrites.families import RULES
from maxcode_lsp.policy.rewrites.unit import Unit


class ProgramAlike(Protocol):
    def __call__(self, rule: str, text: str, *inputs: str) -> str: ...


def _build(folder: Path, name: str, text: str) -> Path:
    source, program = folder / f"{name}.cpp", folder / name
    source.write_text(text)
    command = ["g++", "-std=c++17", "-O0", "-w", "-o", str(program), str(source)]
    built = subprocess.run(command, timeout=110, capture_output=True, text=True, check=False)
    if built.returncode != 0:
        pytest.fail(f"does not build: {built.stderr[-3000:]}\n{text}")
    return program


def _output(program: Path, stdin: str) -> str:
    return subprocess.run([program], timeout=60, input=stdin, stdout=subprocess.PIPE, text=True, check=True).stdout


@pytest.fixture
def program_alike(tmp_path: Path) -> ProgramAlike:
    """Given a rule, a whole program and inputs: all rewrites together must build and keep each output.

    Returns the changed text.
    """

    def check(rule: str, text: str, *inputs: str) -> str:
        found = list(RULES[rule].find(Unit(text.encode())))
        assert found, f"{rule} does not apply"
        combination = Combination()
        assert all(combination.add(rewrite.hunks) for rewrite in found)
        changed = apply(text.encode(), combination.hunks).decode()
        assert not Unit(changed.encode()).root.has_error, changed
        before, after = _build(tmp_path, "before", text), _build(tmp_path, "after", changed)
        for stdin in inputs or ("",):
            expected = _output(before, stdin)
            assert expected
            assert _output(after, stdin) == expected, changed
        return changed

    return check
