"""How a script is played in a headless Neovim."""

from __future__ import annotations

import shutil
from pathlib import Path

from msgspec import Struct

from tests.e2e.playing import Played, environment, play

HERE = Path(__file__).parent
PLUGIN = HERE.parents[2] / "editors" / "nvim"


class Neovim(Struct, frozen=True):
    """One Neovim, with folders of its own for all that it keeps."""

    program: Path
    folder: Path
    """Nothing outside is written. The plugin is copied there: ``:helptags`` writes beside its help."""

    def play(self, script: str, file: Path, **more: str) -> Played:
        """Play a script about a file."""
        plugin = self.folder / "plugin"
        shutil.copytree(PLUGIN, plugin, dirs_exist_ok=True)
        stage = {"MAXCODE_PLUGIN": str(plugin), "MAXCODE_STAGE": str(HERE / "stage.lua"), "MAXCODE_FILE": str(file)}
        command = [self.program, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", HERE / script]
        return play(command, environment(self.folder, stage | more), file.parent)
