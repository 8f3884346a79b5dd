"""The ``maxcode`` command's first step: a language server is started without the costly imports of the others."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn


def main() -> None:
    """Entry point. Ends by SystemExit with the exit code, or, of a server, with the process."""
    match sys.argv[1:]:
        case ["lsp"] | ["lsp", "--stdio"]:
            _serve(None)
        case ["lsp", "--socket", port] if port.isascii() and port.isdecimal() and int(port) < 1 << 16:
            _serve(int(port))
        case _:  # help and mistakes too
            from maxcode_lsp.cli.app import main as others

            others()


def _serve(port: int | None) -> NoReturn:
    _forget_modules_of_the_workspace()
    from maxcode_lsp.server.start import run

    run(port)


def _forget_modules_of_the_workspace() -> None:
    """Editors start servers in the workspace, where somebody's ``random.py`` must not stand in for Python's. Python
    looks there when ``PYTHONPATH`` has an empty entry (``:/some/folder``), which is common, or with ``-m``.
    """
    import maxcode_lsp

    ours = Path(maxcode_lsp.__file__).absolute().parent.parent
    try:
        here = Path.cwd()
    except OSError:  # it was removed
        return
    sys.path[:] = [place for place in sys.path if Path(place).absolute() != here or here == ours]
