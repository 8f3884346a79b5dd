"""``maxcode model`` and its arguments: local language models, fetched, served and removed."""

from __future__ import annotations

from typing import Annotated

import typer

from maxcode_lsp.cli.failure import told

app = typer.Typer(help="Local language models: list them, get one, serve it, remove it.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output, and nothing else.")]


@app.command(name="list")
def list_(
    check: Annotated[bool, typer.Option("--check", help="Read the weights and compare their checksums.")] = False,
    json: Json = False,
) -> None:
    """List the local models and which of them are here."""
    from maxcode_lsp.cli.model import list_models

    with told():
        list_models(check=check, json=json)


@app.command()
def pull(name: Annotated[str, typer.Argument(help="Which one, as listed.")] = "1.5b") -> None:
    """Get the weights of a local model, once. A pull that was broken off goes on where it ended."""
    from maxcode_lsp.cli.model import pull as work

    with told():
        work(name)


@app.command()
def remove(name: Annotated[str, typer.Argument(help="Which one, as listed.")]) -> None:
    """Remove the weights of a local model."""
    from maxcode_lsp.cli.model import remove as work

    with told():
        work(name)


@app.command()
def serve(
    name: Annotated[str, typer.Argument(help="Which one, as listed; the best that is here.", show_default=False)] = "",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Of 127.0.0.1; 0: any that is free.")] = 0,
    context: Annotated[int, typer.Option(min=1024, max=1 << 20, help="Tokens of question and answer together.")] = 8192,
) -> None:
    """Keep a local model running until Ctrl-C: runs start at once then, and other programs may ask it, too."""
    from maxcode_lsp.cli.serving import serve as work

    with told():
        code = work(name, port=port, context_tokens=context)
    raise typer.Exit(code)
