"""A report on disk: Markdown, JSON, pictures, and one page that holds all of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup

from maxcode_lsp.benchmarks.report.curves import Curves
from maxcode_lsp.benchmarks.report.figures import Figures
from maxcode_lsp.benchmarks.report.plots import picture, plots
from maxcode_lsp.benchmarks.report.resampling import Estimate

if TYPE_CHECKING:
    from jinja2 import Environment

CAPTIONS = {
    "candidates": "What a search would hand over, after so many candidates",
    "seconds": "… after so long",
    "tokens": "… after so many tokens",
    "pairs": "Each method against its control, on the same programs with the same seeds",
    "depth": "What is reached with so many actions",
    "programs": "Program by program; darker: nearer to the best that is known",
}


def write_report(found: Figures, curves: Mapping[str, Curves], folder: Path) -> list[Path]:
    """Write everything; the files. Raises OSError, and ToolMissing without matplotlib."""
    folder.mkdir(parents=True, exist_ok=True)
    made = plots(found, curves)
    names = [name for name in CAPTIONS if name in made]
    written = {
        "report.md": render("report.md.j2", found, {name: f"{name}.png" for name in names}).encode(),
        "report.html": render(
            "report.html.j2", found, {name: _inline(picture(made[name], "svg")) for name in names}
        ).encode(),
        "report.json": msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n",
        **{f"{name}.png": picture(made[name], "png") for name in names},
    }
    for name, data in written.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in written]


def render(template: str, found: Figures, pictures: Mapping[str, str]) -> str:
    """A page of the report. ``pictures``: what stands for each, by name."""
    return _templates().get_template(template).render(found=found, pictures=pictures, captions=CAPTIONS)


def _inline(svg: bytes) -> Markup:
    """The picture itself, without what only a file needs."""
    text = svg.decode()
    return Markup(text[text.index("<svg") :])  # noqa: S704 - matplotlib drew it, and escapes what it writes


def _signed(estimate: Estimate, digits: int = 3) -> str:
    return f"{estimate.value:+.{digits}f} ({estimate.low:+.{digits}f} to {estimate.high:+.{digits}f})"


def _interval(estimate: Estimate, digits: int = 2) -> str:
    return f"{estimate.value:.{digits}f} ({estimate.low:.{digits}f}–{estimate.high:.{digits}f})"


def _templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    made = Environment(
        loader=PackageLoader("maxcode_lsp.benchmarks.report"),
        undefined=StrictUndefined,
        autoescape=select_autoescape(("html.j2",), default=False),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(signed=_signed, interval=_interval)
    return made
