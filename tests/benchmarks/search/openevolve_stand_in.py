"""Stands in for ``openevolve.cli``: it reads what OpenEvolve reads, evaluates as it does, in a process of its own, and
writes the record that it writes. What it makes stands in ``script.json`` beside it.

Each iteration is ``{"make": TEXT, "of": ITERATION}`` (0: the original), ``{"error": WHY}``, or ``{"end": CODE}``;
``{"wait": SECONDS}`` waits with a child that does.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any


def evaluated(evaluator: str, text: str) -> Any:
    """What the evaluation file says, asked in a child as OpenEvolve's workers are."""
    ends = multiprocessing.get_context("fork").Pipe()
    child = multiprocessing.get_context("fork").Process(target=_evaluate, args=(ends[1], evaluator, text))
    child.start()
    said = ends[0].recv()
    child.join()
    return said


def _evaluate(end: Any, evaluator: str, text: str) -> None:
    sys.path.insert(0, os.path.dirname(evaluator))  # noqa: PTH120 (as it does it)
    spec = importlib.util.spec_from_file_location("evaluation_module", evaluator)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with tempfile.NamedTemporaryFile(suffix=".cpp") as file:
        file.write(text.encode())
        file.flush()
        said = module.evaluate(file.name)
    end.send((said.metrics, said.artifacts))


def main() -> None:
    """Search."""
    parser = argparse.ArgumentParser()
    for name in ("initial", "evaluator", "--config", "--output"):
        parser.add_argument(name)
    given = parser.parse_args()
    config = json.loads(Path(given.config).read_bytes())
    traced = Path(config["evolution_trace"]["output_path"])
    script = json.loads(Path(__file__).with_name("script.json").read_bytes())
    said: list[Any] = [evaluated(given.evaluator, Path(given.initial).read_text(encoding="utf-8"))]
    for number, step in enumerate(script[: config["max_iterations"]], 1):
        if "end" in step:
            print(f"cannot go on with {config['llm']['primary_model']}")  # noqa: T201 (what is told of it)
            sys.exit(step["end"])
        if "wait" in step:
            subprocess.run(["sleep", str(step["wait"])], check=True)
        usage = {"prompt_tokens": 100, "completion_tokens": number}
        line: dict[str, Any] = {"iteration": number, "parent_id": f"program {step.get('of', 0)}"}
        if "make" in step:
            said.append(evaluated(given.evaluator, step["make"]))
            line |= {"child_id": f"program {number}", "metadata": {"token_usage": usage}}
        else:
            line |= {"error": step["error"], "token_usage": usage}
        file = traced if "make" in step else traced.with_name(f"{traced.stem}_failures.jsonl")
        with file.open("a") as out:
            out.write(json.dumps(line) + "\n")
    Path(__file__).with_name("seen.json").write_text(
        json.dumps({"config": config, "said": said, "environment": dict(os.environ), "isolated": sys.flags.isolated})
    )


if __name__ == "__main__":
    main()
