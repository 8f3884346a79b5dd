"""Takes the pictures of Neovim in the docs: ``python -m tests.e2e.nvim.pictures docs/images``."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.e2e.nvim.conftest import NEWEST, PLACES
from tests.e2e.nvim.neovim import PLUGIN
from tests.e2e.nvim.screen import Terminal, page, size_px
from tests.e2e.playing import environment

EXAMPLES = PLUGIN.parents[1] / "examples"
SIZE = (126, 36)
GROUNDS = {"dark": "14161b", "light": "e0e2ea"}
"""Neovim's own."""
BROWSERS = ("chromium", "google-chrome")
LIMIT_S = 60.0
CONFIGURATION = """
vim.opt.runtimepath:append('{plugin}')
vim.cmd('syntax on | filetype plugin indent on')
vim.o.termguicolors, vim.o.number, vim.o.signcolumn, vim.o.laststatus, vim.o.swapfile = true, true, 'yes', 2, false
vim.o.statusline = " %f%m%= %{{v:lua.require('maxcode').status()}}  %l:%c "
vim.o.wrap, vim.o.hlsearch = false, false
vim.diagnostic.config({{ virtual_text = true }})
require('maxcode').setup({{ cmd = {{ '{python}', '-m', 'maxcode_lsp', 'lsp' }}, trusted = true }})
"""


def main(target: Path) -> None:
    """The end of a run, its comparison, and the question before it is applied, in both colours."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        workspace = folder / "heat"
        workspace.mkdir()
        for file in EXAMPLES.glob("heat*"):
            shutil.copy(file, workspace)
        (workspace / "maxcode.toml").write_text('effort = "low"\n')
        configuration = folder / "init.lua"
        configuration.write_text(CONFIGURATION.format(plugin=PLUGIN, python=sys.executable))
        command = [PLACES[NEWEST], "-u", configuration, "-i", "NONE", "heat.cpp"]
        terminal = Terminal(command, environment(folder, {}), workspace, SIZE)
        try:
            _take(terminal, target, folder)
        finally:
            terminal.type("\x1b:qa!\r")
            terminal.settle()
            terminal.close()


def _take(terminal: Terminal, target: Path, folder: Path) -> None:
    terminal.until("the file", lambda shown: "Spreads heat" in shown)
    terminal.type("/int main\r")
    terminal.until("the lens", lambda shown: "MaxCode: Optimize" in shown, LIMIT_S)
    terminal.type(":MaxCode optimize\r")
    terminal.until("the end of the run", lambda shown: "ready" in shown and "· Apply" in shown)
    for theme in GROUNDS:
        terminal.type(f":set background={theme}\r/int main\rzb:\x1b")
        _save(terminal, target / f"neovim-{theme}.png", folder, theme)
        terminal.type(":MaxCode compare\r")
        terminal.until("the comparison", lambda shown: "q closes" in shown, LIMIT_S)
        terminal.type(":\x1b")
        _save(terminal, target / f"neovim-compare-{theme}.png", folder, theme)
        terminal.type(":MaxCode apply\r")
        terminal.until("the question", lambda shown: "(Y)es" in shown, LIMIT_S)
        _save(terminal, target / f"neovim-apply-{theme}.png", folder, theme)
        terminal.type("nq")
        terminal.until("the comparison closed", lambda shown: "q closes" not in shown, LIMIT_S)


def _save(terminal: Terminal, picture: Path, folder: Path, theme: str) -> None:
    """By a browser, which draws text as people know it."""
    terminal.settle()
    shown = folder / "screen.html"
    shown.write_text(page(terminal.screen, GROUNDS[theme]))
    browser = next(filter(None, map(shutil.which, BROWSERS)))
    width, height = size_px(terminal.screen)
    subprocess.run(
        [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--user-data-dir={folder / 'browser'}",
            f"--window-size={width},{height}",
            f"--screenshot={picture}",
            shown.as_uri(),
        ],
        check=True,
        capture_output=True,
        timeout=LIMIT_S,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
