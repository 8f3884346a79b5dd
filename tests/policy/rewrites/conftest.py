"""Rewritten snippets must compile and print what they printed before."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from maxcode_lsp.policy.rewrites.combine import Combination, apply
from maxcode_lsp.policy.rewrites.families import RULES
from maxcode_lsp.policy.rewrites.rule import Rewrite
from maxcode_lsp.policy.rewrites.unit import Unit

BehavesAlike = Callable[[Mapping[str, str]], None]


def rewrites_of(rule: str, text: str, flags: tuple[str, ...] = ()) -> list[Rewrite]:
    return list(RULES[rule].find(Unit(text.encode(), flags)))


def _joined(programs: Mapping[str, str]) -> str:
    """Many small programs as one: each in a namespace of its own, so that one build serves all."""
    heads: dict[str, None] = {}
    parts: list[str] = []
    calls: list[str] = []
    for number, (name, text) in enumerate(programs.items()):
        body: list[str] = []
        for line in text.splitlines():
            if line.startswith("#include") or line == "using namespace std;":
                heads[line] = None
            else:
                body.append(line)
        inner = re.sub(r"\bint main\(", "int run(", "\n".join(body)).rstrip()
        # Only main may end without a return.
        inner = inner.removesuffix("}") + "return 0; }"
        parts.append(f"namespace case_{number} {{\n{inner}\n}}")
        calls.append(f'std::cout << "=== {name}\\n"; case_{number}::run(); std::cout << std::endl;')
    heads.setdefault("#include <iostream>")
    top = sorted(heads, key=lambda line: not line.startswith("#"))
    return "\n".join([*top, *parts, "int main() {", *calls, "}"]) + "\n"


def _output(folder: Path, name: str, text: str, flags: tuple[str, ...]) -> dict[str, str]:
    source, program = folder / f"{name}.cpp", folder / name
    source.write_text(text)
    subprocess.run(
        ["g++", "-std=c++20", "-O1", *flags, "-o", str(program), str(source)],
        check=True, timeout=110, capture_output=True, text=True,
    )  # fmt: skip
    told = subprocess.run([str(program)], check=True, timeout=60, capture_output=True, text=True).stdout
    parts = re.split(r"^=== (.*)\n", told, flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.fixture
def behaves_alike(tmp_path: Path, request: pytest.FixtureRequest) -> BehavesAlike:
    """Given snippets (``rule`` or ``rule: what`` to a whole program), every rewrite that each rule finds
    in its snippet, one at a time and all of them together, must build and keep the output."""
    flags: tuple[str, ...] = getattr(request, "param", ())

    def check(snippets: Mapping[str, str]) -> None:
        changed: dict[str, str] = {}
        for name, text in snippets.items():
            rule = name.split(":", 1)[0]
            found = rewrites_of(rule, text, flags)
            assert found, f"{name} does not apply"
            for number, rewrite in enumerate(found):
                assert rewrite.hunks, f"{name} has an empty rewrite"
                assert rewrite.lines
                assert all(a.end <= b.start for a, b in zip(rewrite.hunks, rewrite.hunks[1:], strict=False))
                result = apply(text.encode(), rewrite.hunks).decode()
                assert result != text
                assert not Unit(result.encode()).root.has_error, result
                changed[f"{name} #{number}"] = result
        try:
            before = _output(tmp_path, "before", _joined(snippets), flags)
            after = _output(tmp_path, "after", _joined(changed), flags)
        except subprocess.CalledProcessError as error:
            pytest.fail(f"does not build: {error.stderr[-6000:]}\n" + "\n".join(changed.values())[-9000:])
        for name, told in after.items():
            expected = before[name.rsplit(" #", 1)[0]]
            assert expected.strip(), f"{name} prints nothing"
            assert told == expected, f"{name}:\n{changed[name]}"

    return check


@pytest.fixture
def holds_back() -> Callable[[str, str], None]:
    """The rule must find nothing in the text."""

    def check(rule: str, text: str) -> None:
        assert rewrites_of(rule, text) == []

    return check


def _build(folder: Path, name: str, text: str, flags: tuple[str, ...] = ()) -> Path:
    source, program = folder / f"{name}.cpp", folder / name
    source.write_text(text)
    command = ["g++", "-std=c++17", "-O0", "-w", *flags, "-o", str(program), str(source)]
    built = subprocess.run(command, timeout=110, capture_output=True, text=True)
    if built.returncode != 0:
        pytest.fail(f"does not build: {built.stderr[-3000:]}\n{text}")
    return program


@pytest.fixture
def program_alike(tmp_path: Path) -> Callable[..., str]:
    """Given a rule, a whole program and inputs: all rewrites together must build and keep each output.

    Returns the changed text.
    """

    def check(rule: str, text: str, *inputs: str) -> str:
        found = rewrites_of(rule, text)
        assert found, f"{rule} does not apply"
        combination = Combination()
        assert all(combination.add(rewrite.hunks) for rewrite in found)
        changed = apply(text.encode(), combination.hunks).decode()
        assert not Unit(changed.encode()).root.has_error, changed
        programs = _build(tmp_path, "before", text), _build(tmp_path, "after", changed)
        for stdin in inputs or ("",):
            before, after = (
                subprocess.run([program], timeout=60, input=stdin, stdout=subprocess.PIPE, text=True, check=True).stdout
                for program in programs
            )
            assert before
            assert after == before, changed
        return changed

    return check
