"""``python -m maxcode_lsp``: the ``maxcode`` command."""

from maxcode_lsp.cli.entry import main

main()
