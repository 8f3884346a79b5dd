from __future__ import annotations

from pathlib import Path

from maxcode_lsp.executor.noise import noise_floor


async def test_a_program_differs_from_itself_by_a_small_share(tmp_path: Path) -> None:
    floor = await noise_floor(tmp_path)
    assert 0 < floor < 1
