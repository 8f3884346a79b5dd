from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    missing = [link for link in links if not (page.parent / link).exists()]
    assert missing == []


def test_the_commands_of_the_readme_exist() -> None:
    from typer.testing import CliRunner

    from maxcode_lsp.cli.app import app

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"`maxcode (\w+)", readme))
    assert commands == {"optimize", "verify", "doctor", "bench", "lsp", "model", "runs", "schema"}
    for command in commands:
        shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"})
        assert shown.exit_code == 0
    for command in ("optimize", "lsp"):
        (row,) = [line for line in readme.splitlines() if line.startswith(f"| `maxcode {command}")]
        shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"}).stdout
        options = set(re.findall(r"`(--[a-z]+)", row))
        assert options
        assert all(option in shown for option in options)


def test_the_targets_of_the_makefile_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in ("demo", "test", "check", "bench", "setup", "clean"):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
