"""The house rules that a machine can check."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "maxcode_lsp"
FILES = sorted(file for file in PACKAGE.rglob("*.py") if "programs" not in file.relative_to(PACKAGE).parts)
TESTS = sorted((ROOT / "tests").rglob("*.py"))
MOST_LINES = 400

HOUSE: tuple[frozenset[str], ...] = tuple(
    frozenset(floor.split())
    for floor in (
        "cli",
        "benchmarks testing",
        "server.start",
        "server.app",
        "server.serving",
        "server.features",
        "server.session",
        "server.runs",
        "server.workspace",
        "server.connection server.custom",
        "engine",
        "search",
        "policy critique value",
        "model",
        "executor",
        "target",
        "text settings",
        "messages records log clock extras",
        "errors redaction",
    )
)
"""From the top down: who stands higher may import who stands lower, never the other way, and never a neighbour."""
OUTSIDE = frozenset({"", "__main__", "server"})
"""What only names the packages, or starts the program."""
NOWHERE = frozenset({"utils", "util", "helpers", "helper", "common", "misc", "manager", "managers", "shared"})


def _module(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _owner(module: str) -> str:
    """The room of a module: its package; in the server, which has many, the one below."""
    parts = module.split(".")[1:]
    return ".".join(parts[:2] if parts[:1] == ["server"] else parts[:1])


def _imports(file: Path) -> Iterator[str]:
    """Modules of ours that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("maxcode_lsp."))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "maxcode_lsp":
            assert node.module is not None
            folder = ROOT.joinpath(*node.module.split("."))
            for alias in node.names:
                inside = (folder / alias.name).is_dir() or (folder / f"{alias.name}.py").is_file()
                yield f"{node.module}.{alias.name}" if inside else node.module


def _floor(owner: str) -> int:
    return next(floor for floor, rooms in enumerate(HOUSE) if owner in rooms)


def test_every_room_is_in_the_house() -> None:
    rooms = {_owner(_module(file)) for file in FILES} - OUTSIDE
    assert rooms == frozenset[str]().union(*HOUSE)


def test_arrows_go_down() -> None:
    upward = [
        f"{module} → {target}"
        for file in FILES
        if (owner := _owner(module := _module(file))) not in OUTSIDE
        for target in _imports(file)
        if _owner(target) not in {"", owner} and _floor(_owner(target)) <= _floor(owner)
    ]
    assert upward == []


def test_what_is_public_says_what_it_means() -> None:
    bare: list[str] = []
    for file in FILES:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        if tree.body and not ast.get_docstring(tree):
            bare.append(_module(file))
        if "messages" not in file.parts:  # a sentence says itself what it is for
            bare += [
                f"{_module(file)}.{node.name}"
                for node in tree.body
                if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
                and not node.name.startswith("_")
                and not ast.get_docstring(node)
                and not _says_itself(node)
            ]
    assert bare == []


def _says_itself(node: ast.AST) -> bool:
    """A rewrite rule has a sentence for people about what it does."""
    named = (part.targets[0] for part in ast.walk(node) if isinstance(part, ast.Assign))
    return any(isinstance(name, ast.Name) and name.id == "rationale" for name in named)


def test_files_are_short() -> None:
    lengths = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in [*FILES, *TESTS]}
    assert {str(file): lines for file, lines in lengths.items() if lines > MOST_LINES} == {}


def test_files_are_named_for_what_is_in_them() -> None:
    names = {file: {*file.relative_to(ROOT).with_suffix("").parts} for file in [*FILES, *TESTS]}
    assert [str(file) for file, parts in names.items() if parts & NOWHERE] == []
