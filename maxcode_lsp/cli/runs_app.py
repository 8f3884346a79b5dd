"""``maxcode runs`` and its arguments: what was tried before, and going on with it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from maxcode_lsp.cli.failure import told
from maxcode_lsp.messages.phrases import printable

app = typer.Typer(help="List the runs of before; show, resume, apply or remove one.", invoke_without_command=True)

Run = Annotated[str, typer.Argument(metavar="ID", help="Of a run, as listed; its last six digits are enough.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output, and nothing else.")]


@app.callback()
def _list(
    context: typer.Context,
    json: Json = False,
    limit: Annotated[int, typer.Option(min=1, help="List at most so many.")] = 50,
) -> None:
    if context.invoked_subcommand is not None:
        return
    from maxcode_lsp.cli.runs import list_runs

    with told():
        list_runs(limit, json=json)


@app.command()
def show(run: Run, json: Json = False) -> None:
    """Show what a run tried and found."""
    from maxcode_lsp.cli.runs import show as work

    with told():
        work(run, json=json)


@app.command()
def resume(
    run: Run,
    apply: Annotated[bool, typer.Option("--apply", help="Change the file, if a faster version was proven.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the faster version to this file.", dir_okay=False)
    ] = None,
    json: Json = False,
    unsafe: Annotated[bool, typer.Option("--unsafe", help="Run even where this machine offers no sandbox.")] = False,
) -> None:
    """Go on with a run that was stopped or killed; what was judged is not judged again."""
    from maxcode_lsp.cli.optimize import Wishes
    from maxcode_lsp.cli.runs import resume as work

    with told():
        if apply and output:
            raise typer.BadParameter("--apply and --output exclude each other.")
        if output and not output.resolve().parent.is_dir():
            raise typer.BadParameter(f"The folder of {printable(output)} does not exist.", param_hint="--output")
        code = work(run, Wishes(apply=apply, output=output, json=json, unsafe=unsafe))
    raise typer.Exit(code)


@app.command()
def apply(run: Run) -> None:
    """Put the proven result of a run into its file, if that still is what was measured."""
    from maxcode_lsp.cli.runs import apply as work

    with told():
        work(run)


@app.command()
def remove(
    run: Annotated[str | None, typer.Argument(metavar="[ID]", help="The run whose journal is removed.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Remove all that are not going on.")] = False,
) -> None:
    """Remove the journal of a run, or all of them."""
    from maxcode_lsp.cli.runs import remove as work

    if (run is None) != everything:
        raise typer.BadParameter("Give either an ID or --all.")
    with told():
        work(run)
