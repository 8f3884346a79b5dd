"""A file that an editor has changed but not saved, for tools that know only what is on disk."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct


class View(Struct, frozen=True):
    """A folder that looks like a project's, but for one file. The project's own folder is the plainest view."""

    root: Path
    """The project's folder."""
    top: Path
    """The folder that stands for it."""

    def seen(self, path: Path) -> Path:
        """Where a path of the project is in the view."""
        return self.top / path.relative_to(self.root)

    def meant(self, path: Path) -> Path:
        """The path in the project for one in the view; any other stays as it is."""
        return self.root / path.relative_to(self.top) if path.is_relative_to(self.top) else path


def view_with(file: Path, text: bytes, root: Path, top: Path) -> View:
    """A view of ``root`` in the empty folder ``top``: ``text`` in the place of ``file``, links to everything else.

    Unlike standard input, ``file`` then has a name, so that it may include itself; unlike a bind, this works where
    it is not on disk, and at every level of the sandbox.
    """
    top.chmod(0o700)  # nobody else's business
    here, real = top, root
    for part in file.relative_to(root).parts:
        if here != top:
            here.mkdir()
        if real.is_dir():
            for entry in os.scandir(real):
                if entry.name != part:
                    (here / entry.name).symlink_to(entry.path)
        here, real = here / part, real / part
    here.write_bytes(text)
    return View(root, top)
