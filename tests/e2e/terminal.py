"""The command in a terminal, for tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def optimize(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """``maxcode optimize`` with all its folders in ``folder``."""
    homes = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("DATA", "CACHE", "STATE", "CONFIG")}
    path = os.pathsep.join(path for path in sys.path if path)
    return subprocess.run(
        [sys.executable, "-m", "maxcode_lsp", "optimize", *arguments],
        cwd=folder,
        env={**os.environ, **homes, "PYTHONPATH": path, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
