"""The ``maxcode`` command's first step: a language server is started without the costly imports of the others."""

from __future__ import annotations

import sys
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
    from maxcode_lsp.server.start import run

    run(port)
