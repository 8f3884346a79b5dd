"""Times a cold VS Code from opening a file to its code action: ``python -m tests.e2e.vscode.opening [COUNT]``."""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

from tests.e2e.programs import SLOW
from tests.e2e.vscode.code_server import install, running, vsix


def main(count: int) -> None:
    """Each time another VS Code, with folders of its own."""
    listed: list[int] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        folder = Path(made)
        install(folder / "installed", vsix())
        workspace, shots = folder / "project", folder / "shots"
        workspace.mkdir()
        shots.mkdir()
        (workspace / "slow.cpp").write_text(SLOW)
        for number in range(count):
            with running(folder / str(number), folder / "installed", {}) as code:
                said = code.story("opening", workspace, shots)
            figures = json.loads(said.split("OPENING ", 1)[1].splitlines()[0])
            listed.append(figures["listed_ms"])
            sys.stdout.write(f"{number + 1}: {figures}, load {os.getloadavg()[0]:.1f}\n")
            sys.stdout.flush()
    median = statistics.median(listed) / 1000
    sys.stdout.write(
        f"file open to action listed: median {median:.2f} s of {count} (longest {max(listed) / 1000:.2f} s)\n"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
