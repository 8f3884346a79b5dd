from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from typer.testing import CliRunner, Result

from maxcode_lsp.cli.app import app
from maxcode_lsp.errors import BundleError, Refused, SettingsError
from maxcode_lsp.records import Outcome, Verdict
from tests.cli.conftest import Standin


class Judgement(Struct, frozen=True):
    """As the engine's."""

    outcome: Outcome
    verdict: Verdict | None
    speedup: float | None
    ci95: tuple[float, float] | None
    reason: str
    pairs: int


SLOWER = Judgement(Outcome.CORRECT, Verdict.SLOWER, 0.9, (0.85, 0.95), "The same output on 12 inputs.", 24)
SAME = Judgement(Outcome.CORRECT, Verdict.NO_DIFFERENCE, 1.0, (0.99, 1.01), "The same output on 12 inputs.", 24)
UNTIMED = Judgement(Outcome.CORRECT, None, None, None, "It is too short to be timed.", 0)
IDENTICAL = Judgement(Outcome.IDENTICAL, None, None, None, "The same machine code.", 0)
FASTER = Judgement(Outcome.CORRECT, Verdict.FASTER, 1.5, (1.45, 1.55), "The same output on 12 inputs.", 24)
WRONG = Judgement(Outcome.WRONG_OUTPUT, None, None, None, "Different output on input 2: 3 is not 4.", 0)


@pytest.fixture
def judged(stand_in: Standin) -> Callable[[Judgement | Exception], list[dict[str, Any]]]:
    """Makes the engine judge so; gives what it was asked."""

    def put(said: Judgement | Exception) -> list[dict[str, Any]]:
        asked: list[dict[str, Any]] = []

        async def judge(original: Path, candidate: Path, **options: Any) -> Judgement:
            asked.append({"original": original, "candidate": candidate, **options})
            if isinstance(said, Exception):
                raise said
            return said

        async def verify_bundle(path: Path, **options: Any) -> Judgement:
            return await judge(path, path, **options)

        stand_in("maxcode_lsp.engine.judge", judge=judge, verify_bundle=verify_bundle)
        return asked

    return put


@pytest.fixture
def pair(tmp_path: Path) -> tuple[str, ...]:
    for name in ("a.cpp", "b.cpp"):
        (tmp_path / name).write_text("int main() {}\n")
    return ("--original", str(tmp_path / "a.cpp"), "--candidate", str(tmp_path / "b.cpp"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["verify", *arguments])


@pytest.mark.parametrize(("said", "code"), [(FASTER, 0), (WRONG, 1)])
def test_json_says_what_the_judge_says(
    judged: Callable[[Judgement | Exception], object], pair: tuple[str, ...], said: Judgement, code: int
) -> None:
    judged(said)
    ended = run(*pair, "--json")
    assert ended.exit_code == code
    assert json.loads(ended.stdout) == {
        "outcome": said.outcome.value,
        "verdict": said.verdict.value if said.verdict else None,
        "speedup": said.speedup,
        "ci95": list(said.ci95) if said.ci95 else None,
        "reason": said.reason,
    }


def test_people_get_a_sentence(judged: Callable[[Judgement | Exception], object], pair: tuple[str, ...]) -> None:
    judged(FASTER)
    said = "faster (1.50×, 95 % CI 1.45–1.55, 24 pairs): The same output on 12 inputs.\n"
    assert run(*pair).stdout == said
    judged(WRONG)
    assert run(*pair).stdout == "wrong output: Different output on input 2: 3 is not 4.\n"


def test_arguments_reach_the_judge(
    judged: Callable[[Judgement | Exception], list[dict[str, Any]]], pair: tuple[str, ...]
) -> None:
    asked = judged(FASTER)
    assert run(*pair, "--unsafe").exit_code == 0
    assert asked[0]["allow_unsafe"] is True
    assert asked[0]["original"].name == "a.cpp"
    assert asked[0]["candidate"].name == "b.cpp"


def test_what_cannot_be_judged_is_said(
    judged: Callable[[Judgement | Exception], object], pair: tuple[str, ...]
) -> None:
    judged(Refused("It has no main."))
    ended = run(*pair, "--json")
    assert ended.exit_code == 1
    assert json.loads(ended.stdout)["outcome"] is None
    assert json.loads(ended.stdout)["reason"] == "It has no main."
    judged(Refused("It has no main."))
    ended = run(*pair)
    assert ended.exit_code == 1
    assert ended.stdout == ""
    assert "It has no main." in ended.stderr


def test_a_refused_flag_is_wrong_usage(
    judged: Callable[[Judgement | Exception], object], pair: tuple[str, ...]
) -> None:
    judged(SettingsError("The flag @x is refused."))
    assert run(*pair).exit_code == 2


def test_a_proof_is_judged_again(judged: Callable[[Judgement | Exception], object], tmp_path: Path) -> None:
    proof = tmp_path / "p.maxcode"
    proof.write_bytes(b"zip")
    judged(FASTER)
    assert run(str(proof)).exit_code == 0
    judged(BundleError("It is damaged."))
    ended = run(str(proof))
    assert ended.exit_code == 1
    assert "It is damaged." in ended.stderr


@pytest.mark.parametrize(
    ("said", "proof", "by_hand"),
    [(FASTER, 0, 0), (SLOWER, 1, 0), (SAME, 1, 0), (UNTIMED, 1, 0), (IDENTICAL, 1, 0), (WRONG, 1, 1)],
)
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_proof_holds_only_where_it_is_again_faster(
    judged: Callable[[Judgement | Exception], object],
    pair: tuple[str, ...],
    tmp_path: Path,
    said: Judgement,
    proof: int,
    by_hand: int,
    more: tuple[str, ...],
) -> None:
    (tmp_path / "p.maxcode").write_bytes(b"zip")
    judged(said)
    assert run(str(tmp_path / "p.maxcode"), *more).exit_code == proof
    assert run(*pair, *more).exit_code == by_hand


def test_the_help_says_when_it_ends_with_0() -> None:
    help_text = " ".join(run("--help").stdout.split())
    assert "Ends with 0 where RESULT is correct and again faster" in help_text


def test_wrong_usage(pair: tuple[str, ...], tmp_path: Path) -> None:
    proof = str(tmp_path / "a.cpp")
    for arguments in (
        (),
        pair[:2],
        (proof, *pair),
        ("missing",),
        (proof, "--flags", "-O2"),
        (proof, "--original", proof),
    ):
        ended = run(*arguments)
        assert ended.exit_code == 2
        assert ended.stdout == ""
