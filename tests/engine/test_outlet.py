"""The engine's end of the pipe, where nobody reads any more."""

from __future__ import annotations

import os

from maxcode_lsp.engine.outlet import Outlet
from maxcode_lsp.engine.wire import Ready
from tests.engine.processes import until


async def test_one_that_lost_its_reader_can_be_closed_all_the_same() -> None:
    lost: list[str] = []
    reader, writer = os.pipe()
    outlet = await Outlet.open(writer, lost.append)
    os.close(reader)
    await until(lambda: bool(lost))
    outlet.send(Ready(1))
    outlet.close()
    outlet.close()
    assert lost == ["the server is gone"]
