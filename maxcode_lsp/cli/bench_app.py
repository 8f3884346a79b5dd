"""``maxcode bench`` and its arguments: figures of the judge and the server, replay tables, and searches compared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from maxcode_lsp.cli.failure import told

app = typer.Typer(help="Take figures on this machine: of the judge, the server, and of searches.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output, and nothing else.")]
Quick = Annotated[bool, typer.Option("--quick", help="A rough look: a part of the samples.")]
Suite = Annotated[
    str,
    typer.Option(help="“dev” or “test” of the checkout, a folder of programs with inputs, or a file of PIE's pairs."),
]


@app.command()
def timing(json: Json = False, quick: Quick = False) -> None:
    """How often equal programs are called different, and how surely real gains are found."""
    _figures("timing", quick=quick, json=json)


@app.command()
def evaluator(json: Json = False, quick: Quick = False) -> None:
    """Candidates a minute against the plain serial way, and whether the verdicts agree."""
    _figures("evaluator", quick=quick, json=json)


@app.command()
def lsp(json: Json = False, quick: Quick = False) -> None:
    """Start, answers and memory of the language server."""
    _figures("lsp", quick=quick, json=json)


def _figures(what: str, *, quick: bool, json: bool) -> None:
    from maxcode_lsp.cli.bench import bench

    with told():
        code = bench(what, quick=quick, json=json)
    raise typer.Exit(code)


@app.command()
def table(
    suite: Suite = "dev",
    only: Annotated[list[str] | None, typer.Option(help="Only this program; may be given several times.")] = None,
    output: Annotated[Path | None, typer.Option(help="The table's file. Default: in the suite's folder.")] = None,
) -> None:
    """Make a replay table: evaluate every version that rules lead to, to depth 3, once and for real.

    It goes on where an earlier one ended: programs whose text is unchanged are not done again.
    """
    from maxcode_lsp.cli.comparing import make_table

    with told():
        code = make_table(suite, tuple(only or ()), output)
    raise typer.Exit(code)


@app.command()
def search(
    suite: Suite = "dev",
    methods: Annotated[
        str,
        typer.Option(
            help="With commas between: STRATEGY, STRATEGY+maxcode, STRATEGY+maxcode-PART (without a part), openevolve."
        ),
    ] = "best-of-n,effi-learner,effi-learner+maxcode,cuda-llm,cuda-llm+maxcode,beam,beam+maxcode,greedy",
    budget: Annotated[int, typer.Option(min=1, max=1024, help="Candidates of one search.")] = 32,
    seeds: Annotated[int, typer.Option(min=1, max=10_000, help="Searches of each method on each program.")] = 3,
    replay: Annotated[bool, typer.Option("--replay", help="On the suite's replay table instead of for real.")] = False,
    model: Annotated[
        str | None, typer.Option(metavar="MODEL", help="A language model proposes instead of the rules.")
    ] = None,
    api_base: Annotated[str | None, typer.Option(metavar="URL", help="Where the model is.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="Only this program; may be given several times.")] = None,
    seconds: Annotated[float, typer.Option(min=1.0, help="A search that is for real ends after so long.")] = 3600.0,
    journal: Annotated[
        Path | None, typer.Option(help="Where episodes are written down; the same file again goes on where it ended.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Folder for the report: Markdown, JSON, HTML, pictures.")] = None,
    openevolve: Annotated[
        Path | None, typer.Option(metavar="PYTHON", help="A Python that has openevolve, for the method of this name.")
    ] = None,
    json: Json = False,
) -> None:
    """Compare searches: the same programs, budgets and judge; plain strategies beside those with MaxCode's parts."""
    from maxcode_lsp.cli.comparing import Wishes, compare

    with told():
        code = compare(
            Wishes(
                suite=suite,
                methods=tuple(name.strip() for name in methods.split(",") if name.strip()),
                budget=budget,
                seeds=seeds,
                replay=replay,
                model=model,
                api_base=api_base,
                only=tuple(only or ()),
                seconds=seconds,
                journal=journal,
                report=report,
                openevolve=openevolve,
                json=json,
            )
        )
    raise typer.Exit(code)
