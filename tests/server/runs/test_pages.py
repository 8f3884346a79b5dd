"""The pages that findings link to: in a checkout, and in what is installed from a wheel."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.server.runs.findings import docs_page
from maxcode_lsp.server.workspace.uris import path_of

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("kind", list(Kind), ids=lambda kind: kind.value)
def test_a_checkout_has_its_own(kind: Kind) -> None:
    page = docs_page(kind.value)
    assert page is not None
    assert path_of(page) == ROOT / "docs" / "findings" / f"{kind.value}.md"


@pytest.mark.parametrize("kind", ["", "README", "../../README", "no-such-kind", "a\0b"])
def test_what_is_no_kind_has_none(kind: str) -> None:
    assert docs_page(kind) is None


def test_an_installed_version_brings_them(tmp_path: Path) -> None:
    """Also where no checkout is beside it."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(installed)
    code = (
        "from maxcode_lsp.critique.kinds import Kind\n"
        "from maxcode_lsp.server.runs.findings import docs_page\n"
        "print(*(docs_page(kind.value) for kind in Kind), sep='\\n')"
    )
    said = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed)},
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    folder = installed / "maxcode_lsp" / "pages" / "findings"
    assert [path_of(uri) for uri in said.stdout.split()] == [folder / f"{kind.value}.md" for kind in Kind]
