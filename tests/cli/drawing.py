"""What a renderable looks like on a terminal."""

from __future__ import annotations

import io

from rich.console import Console, RenderableType


def drawn(renderable: RenderableType, width: int = 100) -> list[str]:
    """The lines on a terminal of this width, without colours."""
    out = io.StringIO()
    Console(file=out, width=width, color_system=None, markup=False, emoji=False, highlight=False).print(renderable)
    return [line.rstrip() for line in out.getvalue().splitlines()]
