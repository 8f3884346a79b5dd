from __future__ import annotations

from pathlib import Path

from maxcode_lsp.server.workspace.uris import uri_of
from tests.server.model_editor import opened


async def test_mistakes_in_the_settings_are_told_when_a_program_is_opened(folder: Path) -> None:
    file = folder / "maxcode.toml"
    file.write_text("budgte = 3\n")
    async with opened(folder) as (editor, _):
        (mistake,) = await editor.until(lambda: editor.published.get(uri_of(file)))
        assert "budgte" in mistake["message"] and mistake["code"] == "settings"
        assert editor.engine.started == []
