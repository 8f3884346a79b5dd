from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from typer.testing import CliRunner

from maxcode_lsp.cli.app import app
from tests.cli.conftest import Standin


def test_figures_for_people_and_programs(stand_in: Standin) -> None:
    asked: list[bool] = []

    async def run(quick: bool, report: Callable[[str], None]) -> dict[str, Any]:
        asked.append(quick)
        report("100 of 1,000")
        return {"aa_claims_pct": 0.25, "same_verdicts": True, "by_metric": {"cpu": 3}}

    stand_in("maxcode_lsp.benchmarks.timing", run=run)
    ended = CliRunner().invoke(app, ["bench", "timing", "--json", "--quick"])
    assert ended.exit_code == 0
    assert json.loads(ended.stdout) == {"aa_claims_pct": 0.25, "same_verdicts": True, "by_metric": {"cpu": 3}}
    assert "100 of 1,000" in ended.stderr
    ended = CliRunner().invoke(app, ["bench", "timing"])
    assert [line.split() for line in ended.stdout.splitlines()] == [
        ["aa_claims_pct", "0.25"],
        ["same_verdicts", "True"],
        ["by_metric.cpu", "3"],
    ]
    assert asked == [True, False]


def test_an_unknown_benchmark_is_wrong_usage() -> None:
    assert CliRunner().invoke(app, ["bench", "luck"]).exit_code == 2
