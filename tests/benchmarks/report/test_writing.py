from __future__ import annotations

import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace
from rich.console import Console

from maxcode_lsp.benchmarks.report.curves import collect
from maxcode_lsp.benchmarks.report.figures import figures
from maxcode_lsp.benchmarks.report.overview import overview
from maxcode_lsp.benchmarks.report.writing import write_report
from maxcode_lsp.errors import ToolMissing
from tests.benchmarks.report.test_figures import ABOUT, EPISODES

ODD = replace(ABOUT, suite="<b>odd & “suite”</b>", command="maxcode bench search --only '<script>'")


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_everything_is_written(tmp_path: Path) -> None:
    curves = collect(EPISODES, ABOUT.methods)
    written = write_report(figures(ODD, curves), curves, tmp_path / "deep")
    names = {file.name for file in written}
    pictures = {"candidates.png", "pairs.png", "depth.png", "programs.png", "seconds.png", "tokens.png"}
    assert names == {"report.md", "report.html", "report.json", *pictures}
    for picture in pictures:
        assert (tmp_path / "deep" / picture).read_bytes().startswith(b"\x89PNG")
    found = json.loads((tmp_path / "deep" / "report.json").read_text())
    assert [one["method"] for one in found["methods"]] == ["beam", "beam+maxcode"]


def test_the_same_figures_give_the_same_bytes(tmp_path: Path) -> None:
    curves = collect(EPISODES, ABOUT.methods)
    for name in ("one", "other"):
        write_report(figures(ABOUT, curves), curves, tmp_path / name)
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "other" / file.name).read_bytes(), file.name


def test_the_page_is_whole_by_itself_and_escapes(tmp_path: Path) -> None:
    curves = collect(EPISODES, ABOUT.methods)
    write_report(figures(ODD, curves), curves, tmp_path)
    page = (tmp_path / "report.html").read_text()
    tags = Tags()
    tags.feed(page)
    assert not {"script", "b", "link", "iframe", "img"} & {tag for tag, _ in tags.found}
    outside = [
        value
        for _, attributes in tags.found
        for name, value in attributes.items()
        if name in {"src", "href", "xlink:href"} and value is not None and not value.startswith(("#", "data:"))
    ]
    assert outside == []
    assert sum(tag == "svg" for tag, _ in tags.found) == 6
    assert "default-src 'none'" in page


def test_the_tables_of_the_markdown_are_tables(tmp_path: Path) -> None:
    curves = collect(EPISODES, ABOUT.methods)
    write_report(figures(ABOUT, curves), curves, tmp_path)
    text = (tmp_path / "report.md").read_text()
    html = MarkdownIt("commonmark").enable("table").render(text)
    assert html.count("<table>") == 5
    assert "|" not in re.sub(r"<code>.*?</code>", "", html, flags=re.DOTALL), "every row belongs to a table"
    assert "<td>beam+maxcode</td>" in html


def test_the_terminal_shows_it() -> None:
    curves = collect(EPISODES, ABOUT.methods)
    out = Console(width=160, record=True, file=io.StringIO())
    out.print(overview(figures(ABOUT, curves)))
    said = out.export_text()
    assert "beam+maxcode" in said and "2.75×" in said


def test_without_matplotlib_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    curves = collect(EPISODES, ABOUT.methods)
    with pytest.raises(ToolMissing, match=r"pip install 'maxcode-lsp\[bench\]'"):
        write_report(figures(ABOUT, curves), curves, tmp_path)
