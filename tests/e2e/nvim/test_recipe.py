"""What docs/editors.md says about Neovim, word for word."""

from __future__ import annotations

import re
from pathlib import Path

from tests.e2e.nvim.neovim import Neovim
from tests.e2e.nvim.test_plugin import assert_faster_and_right, server_in
from tests.e2e.playing import assert_nothing_runs

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "editors.md"
CHECKOUT = "/path/to/the/checkout"


def recipe(words: str, folder: Path) -> Path:
    """The one Lua snippet with these words, in a file."""
    (lua,) = (one for one in re.findall(r"```lua\n(.*?)```", PAGE.read_text(), re.DOTALL) if words in one)
    file = folder / "recipe.lua"
    file.write_text(lua.replace(CHECKOUT, str(folder / "checkout")))
    return file


def checkout(folder: Path) -> Path:
    """A checkout with an environment; returns the file that is there once its server was started."""
    (folder / "checkout").mkdir()
    (folder / "checkout" / "editors").symlink_to(ROOT / "editors")
    return server_in(folder / "checkout" / ".venv" / "bin")


async def test_without_the_plugin(newest: Neovim, file: Path, tmp_path: Path) -> None:
    played = newest.play("recipe.lua", file, MAXCODE_RECIPE=str(recipe("'LspProgress'", tmp_path)))
    assert_faster_and_right(file, tmp_path)
    await assert_nothing_runs(played, tmp_path)


def test_without_a_plugin_manager(nvim: Neovim, file: Path, tmp_path: Path) -> None:
    started = checkout(tmp_path)
    nvim.play("runtimepath.lua", file, MAXCODE_RECIPE=str(recipe("runtimepath:append", tmp_path)))
    assert started.exists()


def test_with_lazy(nvim: Neovim, file: Path, tmp_path: Path) -> None:
    """What lazy.nvim does with a plugin that has ``ft`` and ``opts``; itself it is not here."""
    started = checkout(tmp_path)
    nvim.play("lazy.lua", file, MAXCODE_RECIPE=str(recipe("ft = {", tmp_path)))
    assert started.exists()


def test_in_the_way_of_the_newest(newest: Neovim, file: Path) -> None:
    """``vim.lsp.config`` and ``vim.lsp.enable``, with the plugin's own lsp/maxcode.lua below."""
    newest.play("native.lua", file)
