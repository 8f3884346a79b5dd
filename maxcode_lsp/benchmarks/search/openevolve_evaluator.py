"""The evaluation file that OpenEvolve is given: a version is handed over to MaxCode, which judges it in its sandbox.

A copy of it runs in OpenEvolve's process, beside the socket that MaxCode listens at. Nothing is run there.
"""

from __future__ import annotations

import json
import socket
from importlib import import_module
from pathlib import Path
from typing import Any

JUDGE = "judge.sock"


def evaluate(program_path: str) -> Any:
    """What MaxCode says about a version, as OpenEvolve's ``EvaluationResult``. Waits for it as long as it takes."""
    with socket.socket(socket.AF_UNIX) as judge:
        judge.connect(str(Path(__file__).with_name(JUDGE)))
        judge.sendall(Path(program_path).read_bytes())
        judge.shutdown(socket.SHUT_WR)
        with judge.makefile("rb") as answer:
            said = json.loads(answer.read())
    return import_module("openevolve.evaluation_result").EvaluationResult(**said)
