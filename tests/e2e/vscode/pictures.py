"""Takes the pictures of VS Code in the docs: ``python -m tests.e2e.vscode.pictures docs/images``."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from tests.e2e.vscode.code_server import CLIENT, install, running, vsix

THEMES = {"light": "Light Modern", "dark": "Dark Modern"}


def main(target: Path) -> None:
    """All surfaces in both themes."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        folder = Path(made)
        install(folder / "installed", vsix())
        for theme, name in THEMES.items():
            workspace = folder / theme / "words"
            shutil.copytree(CLIENT / "example", workspace)
            settings = {"workbench.colorTheme": name, "editor.fontSize": 13, "window.commandCenter": False}
            with running(folder / theme / "vscode", folder / "installed", settings) as code:
                sys.stdout.write(code.story("pictures", workspace, target, theme=theme))
            (target / "pictures.txt").unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
