"""Whether a result fits: told at once from what is known, looked at when the text stands still."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from maxcode_lsp.server.runs.fits import QUIET_S
from maxcode_lsp.server.runs.runs import Run
from maxcode_lsp.server.workspace.documents import Document
from tests.server.scene import COPY, MAIN, PREPARED, Scene, improved
from tests.server.skipping import skipping


def told(folder: Path, story: Callable[[Scene, Run, Document], Coroutine[Any, Any, None]]) -> None:
    async def whole() -> None:
        scene = Scene(folder)
        document = scene.open()
        run = scene.begin()
        scene.tell(run, PREPARED, improved())
        await story(scene, run, document)

    skipping(whole())


def test_the_measured_text_fits_without_a_look(tmp_path: Path) -> None:
    async def story(scene: Scene, run: Run, document: Document) -> None:
        assert scene.session.fits.known(run, document) is True
        assert not scene.session.fits._looking

    told(tmp_path, story)


def test_while_it_is_edited_the_last_known_holds_and_nothing_is_looked_at(tmp_path: Path) -> None:
    async def story(scene: Scene, run: Run, document: Document) -> None:
        fits = scene.session.fits
        scene.edit(COPY - 1, 20, "x")
        assert fits.known(run, document) is None
        for _ in range(20):
            await asyncio.sleep(QUIET_S / 2)
            scene.edit(MAIN, 4, "x")
            assert fits.known(run, document) is None
        await asyncio.sleep(QUIET_S * 3)
        assert fits.known(run, document) is False
        scene.edit(COPY - 1, 20, "", erased=1)  # right again, but nobody has looked
        assert fits.known(run, document) is False
        assert await fits.soon(run, document, 9.0) is True
        assert fits.known(run, document) is True

    told(tmp_path, story)


def test_soon_is_not_for_ever(tmp_path: Path) -> None:
    async def story(scene: Scene, run: Run, document: Document) -> None:
        async def typing() -> None:
            while True:
                scene.edit(0, 0, "//\n")
                await asyncio.sleep(QUIET_S / 2)

        scene.edit(0, 0, "//\n")
        typist = asyncio.ensure_future(typing())
        assert await scene.session.fits.soon(run, document, 1.0) is None
        typist.cancel()
        assert await scene.session.fits.soon(run, document, 1.0) is True

    told(tmp_path, story)


def test_an_edit_is_made_of_the_text_that_is_there_however_it_is_typed(tmp_path: Path) -> None:
    async def story(scene: Scene, run: Run, document: Document) -> None:
        scene.edit(0, 0, "// new\n")
        fitted = await scene.session.fits.fit(run, document)
        assert fitted is not None and fitted.before is document.source
        scene.edit(COPY, 20, "x")
        assert await scene.session.fits.fit(run, document) is None

    told(tmp_path, story)
