"""The ``maxcode`` command and its arguments. Each command's work is in a module of its own, imported when called."""

from __future__ import annotations

import io
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Annotated, NoReturn

import typer

from maxcode_lsp import __version__, log
from maxcode_lsp.cli import bench_app, model_app, runs_app
from maxcode_lsp.cli.failure import told
from maxcode_lsp.messages.phrases import printable

app = typer.Typer(
    name="maxcode",
    help="Makes C++ programs measurably faster, each claim proven on this machine.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

app.add_typer(bench_app.app, name="bench")
app.add_typer(model_app.app, name="model")
app.add_typer(runs_app.app, name="runs")

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output, and nothing else.")]
Unsafe = Annotated[bool, typer.Option("--unsafe", help="Run even where this machine offers no sandbox.")]
ApiBase = Annotated[
    str | None,
    typer.Option(
        "--api-base",
        metavar="URL",
        help="Where the model is, if not at its provider's. Environment: MAXCODE_API_BASE.",
    ),
]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"maxcode {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    del version


@app.command()
def optimize(
    file: Annotated[Path, typer.Argument(help="A C++ file with a main function.", exists=True, dir_okay=False)],
    apply: Annotated[bool, typer.Option("--apply", help="Change the file, if a faster version was proven.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the faster version to this file.", dir_okay=False)
    ] = None,
    effort: Annotated[str | None, typer.Option(help="low, medium or high: try 8, 32 or 64 candidates.")] = None,
    budget: Annotated[
        int | None, typer.Option(min=1, help="Try at most so many candidates, whatever the effort is.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(min=1, help="Search at most so long.")] = None,
    json: Json = False,
    unsafe: Unsafe = False,
    flags: Annotated[str | None, typer.Option(help='Compiler flags, as in a shell: "-O2 -std=c++17".')] = None,
    threshold: Annotated[
        float | None, typer.Option(min=1, help="Call faster only what surely is faster than so many times.")
    ] = None,
    search: Annotated[
        str | None,
        typer.Option(help="How to search: greedy, best-of-n, effi-learner, cuda-llm, beam or annealing."),
    ] = None,
    plain: Annotated[
        bool | None, typer.Option("--plain", help="Search as the strategy's source does, without MaxCode's parts.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of the strategy's own choices.")] = None,
    goal: Annotated[float | None, typer.Option(min=1, help="Stop once so many times faster.")] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Ask this language model for versions, too: provider/name, or local (after “maxcode model pull”); "
            "none: no model. Environment: MAXCODE_MODEL.",
        ),
    ] = None,
    api_base: ApiBase = None,
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", min=0, metavar="USD", help="Spend at most so many dollars on models.")
    ] = None,
    record: Annotated[Path | None, typer.Option(hidden=True, help="Save the report as an SVG picture.")] = None,
) -> None:
    """Search for faster versions of FILE, prove the best one and show it."""
    from maxcode_lsp.cli.choices import settings_for
    from maxcode_lsp.cli.optimize import Wishes
    from maxcode_lsp.cli.optimize import optimize as run

    with told():
        if not file.is_file():
            raise typer.BadParameter(f"{printable(file)} is not a regular file.", param_hint="FILE")
        if apply and output:
            raise typer.BadParameter("--apply and --output exclude each other.")
        if output and not output.resolve().parent.is_dir():
            raise typer.BadParameter(f"The folder of {printable(output)} does not exist.", param_hint="--output")
        if output and output.exists() and output.samefile(file):
            raise typer.BadParameter("It is the file itself; use --apply to change it.", param_hint="--output")
        settings = settings_for(
            file,
            effort=effort,
            budget=budget,
            seconds=seconds,
            flags=flags,
            threshold=threshold,
            search=search,
            seed=seed,
            goal=goal,
            model=model,
            api_base=api_base,
            **{"llm.max_cost_usd": max_cost, "strategy.plain": plain},
        )
        wishes = Wishes(apply=apply, output=output, json=json, unsafe=unsafe, picture=record)
        code = run(file, settings, wishes)
    raise typer.Exit(code)


@app.command()
def verify(
    result: Annotated[
        Path | None, typer.Argument(help="A saved proof, as named at the end of a run.", exists=True)
    ] = None,
    original: Annotated[Path | None, typer.Option(help="The original C++ file.", exists=True, dir_okay=False)] = None,
    candidate: Annotated[
        Path | None, typer.Option(help="A changed version of it.", exists=True, dir_okay=False)
    ] = None,
    json: Json = False,
    unsafe: Unsafe = False,
    flags: Annotated[str | None, typer.Option(help="Compiler flags, as in a shell.")] = None,
) -> None:
    """Prove and time again: a saved RESULT, or a version written by hand against its original.

    Ends with 0 where RESULT is correct and again faster, or where the version written by hand is correct, whatever
    its speed; else with 1.
    """
    from maxcode_lsp.cli.verify import verify as run

    by_hand = original is not None and candidate is not None
    if (result is not None) == by_hand or (original is None) != (candidate is None):
        raise typer.BadParameter("Give either RESULT, or both --original and --candidate.")
    if result is not None and flags is not None:
        raise typer.BadParameter("A proof carries its own flags.", param_hint="--flags")
    with told():
        code = run(result, original, candidate, flags=flags, json=json, unsafe=unsafe)
    raise typer.Exit(code)


@app.command()
def doctor(
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Test this language model, with one small question; default: those that the settings of the current "
            "folder name.",
        ),
    ] = None,
    api_base: ApiBase = None,
    json: Json = False,
) -> None:
    """Say what this machine offers, what is missing and how to get it, and whether the language models answer."""
    from maxcode_lsp.cli.choices import settings_for
    from maxcode_lsp.cli.doctor import doctor as run

    with told():
        code = run(settings_for(Path(), model=model, api_base=api_base), json=json)
    raise typer.Exit(code)


@app.command()
def schema(
    editor: Annotated[
        bool, typer.Option("--editor", help="Instead: the same settings as an extension of VS Code has them.")
    ] = False,
) -> None:
    """Print the JSON Schema of maxcode.toml, for editors."""
    from maxcode_lsp.settings import editor_text, schema_text

    with told():
        sys.stdout.buffer.write((editor_text() if editor else schema_text()).encode())
        sys.stdout.buffer.flush()


@app.command()
def lsp(
    stdio: Annotated[bool, typer.Option("--stdio", help="On standard input and output; the default.")] = False,
    socket: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            metavar="PORT",
            help="Listen on 127.0.0.1:PORT for one client instead of standard input and output (0: any free port, "
            "printed).",
        ),
    ] = None,
) -> None:
    """Serve an editor: the language server. Editors start it by themselves."""
    from maxcode_lsp.server.start import run

    if stdio and socket is not None:
        raise typer.BadParameter("--stdio and --socket exclude each other.")
    with told():
        run(socket)


@app.command(hidden=True)
def demo(
    folder: Annotated[Path, typer.Argument(exists=True, file_okay=False)] = Path("examples"),
    minutes: Annotated[float, typer.Option(min=0.1, help="For all programs together.")] = 5.5,
    record: Annotated[Path | None, typer.Option(help="Save the closing table as an SVG picture.")] = None,
) -> None:
    """Optimise every program in a folder and print a table."""
    from maxcode_lsp.cli.demo import demo as run

    with told():
        code = run(folder, minutes * 60, record)
    raise typer.Exit(code)


def _terminated(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def main() -> None:
    """Entry point. Always ends by SystemExit with the exit code."""
    log.configure()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show “×” gets “?” instead of a fault.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    signal.signal(signal.SIGTERM, _terminated)
    app(prog_name="maxcode")
