"""Rewritten snippets must compile and print what they printed before."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import pytest

from maxcode_lsp.policy.rewrites.combine import Combination, apply
from maxcode_lsp.policy.rewrites.edits import insert
from maxcode_lsp.policy.rewrites.families import RULES
from maxcode_lsp.policy.rewrites.rule import Rewrite
from maxcode_lsp.policy.rewrites.unit import Unit

BehavesAlike = Callable[[str], None]
Rewritten = Callable[[str, str], list[str]]
PROGRAMS = Path(__file__).parent / "programs"


class HoldsBack(Protocol):
    def __call__(self, rule: str, text: str, flags: tuple[str, ...] = ()) -> None: ...


def rewrites_of(rule: str, text: str, flags: tuple[str, ...] = ()) -> list[Rewrite]:
    return list(RULES[rule].find(Unit(text.encode(), flags)))


def _returning(text: str) -> str:
    """``main`` made to end in a return: under another name it must not run off its end."""
    (main,) = Unit(text.encode()).functions["main"]
    return apply(text.encode(), [insert(main.end_byte - 1, "return 0;\n")]).decode()


def _joined(programs: Mapping[str, str]) -> str:
    """Many small programs as one: each in a namespace of its own, so that one build serves all."""
    heads: dict[str, None] = {}
    parts: list[str] = []
    calls: list[str] = []
    for number, (name, text) in enumerate(programs.items()):
        body: list[str] = []
        for line in _returning(text).splitlines():
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
        ["g++", "-std=c++20", "-O0", *flags, "-o", str(program), str(source)],
        check=True, timeout=110, capture_output=True, text=True,
    )  # fmt: skip
    told = subprocess.run([str(program)], check=True, timeout=60, capture_output=True, text=True).stdout
    parts = re.split(r"^=== (.*)\n", told, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _checked(name: str, text: str, rewrite: Rewrite) -> str:
    """The rewritten text, which must be sound as an edit."""
    assert rewrite.hunks, f"{name} has an empty rewrite"
    assert rewrite.lines
    assert all(a.end <= b.start for a, b in zip(rewrite.hunks, rewrite.hunks[1:], strict=False))
    result = apply(text.encode(), rewrite.hunks).decode()
    assert result != text
    assert not Unit(result.encode()).root.has_error, result
    return result


@pytest.fixture
def behaves_alike(tmp_path: Path, request: pytest.FixtureRequest) -> BehavesAlike:
    """Every rewrite that a rule finds in its programs (``programs/FAMILY/RULE.cpp``, ``RULE.what.cpp``) must
    build and keep the output: one at a time, and all of the rule together.

    Parametrise it indirectly by flags.
    """
    flags: tuple[str, ...] = getattr(request, "param", ())

    def check(family: str) -> None:
        programs = {path.stem: path.read_text() for path in sorted((PROGRAMS / family).glob("*.cpp"))}
        rules = {rule.id for rule in RULES.values() if rule.family == family}
        assert rules == {name.split(".")[0] for name in programs}, "each rule has a program"
        changed: dict[str, str] = {}
        for name, text in programs.items():
            found = rewrites_of(name.split(".")[0], text, flags)
            assert found, f"{name} does not apply"
            for number, rewrite in enumerate(found):
                changed[f"{name} #{number}"] = _checked(name, text, rewrite)
            together = Combination()
            if sum(together.add(rewrite.hunks) for rewrite in found) > 1:
                changed[f"{name} #all"] = apply(text.encode(), together.hunks).decode()
        try:
            before = _output(tmp_path, "before", _joined(programs), flags)
            after = _output(tmp_path, "after", _joined(changed), flags)
        except subprocess.CalledProcessError as error:
            texts = "\n".join(f"// {name}\n{text}" for name, text in changed.items())
            pytest.fail(f"{error}: {error.stderr[-6000:]}\n{texts[-9000:]}")
        for name, told in after.items():
            expected = before[name.rsplit(" #", 1)[0]]
            assert expected.strip(), f"{name} prints nothing"
            assert told == expected, f"{name}:\n{changed[name]}"

    return check


@pytest.fixture
def holds_back() -> HoldsBack:
    """The rule must find nothing in the text (built with the flags)."""

    def check(rule: str, text: str, flags: tuple[str, ...] = ()) -> None:
        assert rewrites_of(rule, text, flags) == []

    return check


@pytest.fixture
def rewritten() -> Rewritten:
    """The texts that a rule makes of a text, one for each rewrite."""

    def texts(rule: str, text: str) -> list[str]:
        return [apply(text.encode(), rewrite.hunks).decode() for rewrite in rewrites_of(rule, text)]

    return texts
