"""What the user does not want any more: a result that is not offered again, or a whole run."""

from __future__ import annotations

import asyncio
import contextlib

from maxcode_lsp.engine.journal.discarding import discard
from maxcode_lsp.engine.journal.files import remove_unless_live
from maxcode_lsp.engine.journal.places import is_id, journal_file, runs_folder
from maxcode_lsp.errors import MaxcodeError
from maxcode_lsp.messages import editors
from maxcode_lsp.server.custom import ForgetResult
from maxcode_lsp.server.session import Feature, Session

LIMIT_S = 10.0


class Forgetting(Feature):
    """Both hold for later sessions, too: the journal says so, or is gone."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def discard(self, run_id: str) -> None:
        """Do not offer the result of a run any more; one without a result stays as it is."""
        run = self._session.runs.get(run_id)
        if run is not None and run.result is not None and not run.discarded:
            run.discarded = True
            self._session.tell_run(run)
        if is_id(run_id):
            with contextlib.suppress(MaxcodeError, TimeoutError):  # then it holds for this session
                async with asyncio.timeout(LIMIT_S):
                    await asyncio.to_thread(discard, runs_folder(), run_id)

    async def forget(self, run_id: str) -> ForgetResult:
        """Remove a run and its journal; not while it goes on."""
        run = self._session.runs.get(run_id)
        if run is not None and run.running:
            return ForgetResult(forgotten=False, reason=editors.forget_running(run.target))
        if not is_id(run_id):
            return ForgetResult(forgotten=False, reason=editors.unknown_run(run_id))
        file = journal_file(runs_folder(), run_id)
        try:
            async with asyncio.timeout(LIMIT_S):
                gone = not await asyncio.to_thread(file.exists) or await asyncio.to_thread(remove_unless_live, file)
        except TimeoutError:
            gone = False
        if not gone:
            return ForgetResult(forgotten=False, reason=editors.forget_failed(run_id))
        if run is not None:
            run.discarded = True
            self._session.runs.forget(run)
            self._session.tell_run(run)
        return ForgetResult(forgotten=True)
