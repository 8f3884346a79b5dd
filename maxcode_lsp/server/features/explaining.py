"""``maxcode.explain``: why a run brought nothing, what the time goes to, and what could be allowed."""

from __future__ import annotations

import re

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from maxcode_lsp.engine import wording
from maxcode_lsp.engine.events import RunResult
from maxcode_lsp.messages import editors, phrases, refusals
from maxcode_lsp.records import RunStatus
from maxcode_lsp.server.custom import EXPLAIN, ExplainArguments
from maxcode_lsp.server.runs import journals
from maxcode_lsp.server.runs.runs import Applied
from maxcode_lsp.server.session import Feature, Session
from maxcode_lsp.server.workspace.documents import Document
from maxcode_lsp.settings.schema import RewriteSettings

MOST_FINDINGS = 3
_MAIN = re.compile(rb"\bmain\b")


class Explaining(Feature):
    """Says it in one message."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def explain(self, arguments: ExplainArguments) -> None:
        """Show why; also for runs of earlier sessions, from their journals. Raises JsonRpcInvalidParams."""
        if arguments.run is not None:
            await self._run(arguments.run)
        elif arguments.uri is not None:
            document = self._session.documents.get(arguments.uri)
            nothing = editors.not_open(phrases.printable(arguments.uri)[:200])
            self._session.editor.say(nothing if document is None else hindrance(document) or editors.ready_to_start())
        else:
            raise JsonRpcInvalidParams(editors.run_or_uri(EXPLAIN))

    async def _run(self, run_id: str) -> None:
        run = self._session.runs.get(run_id)
        if run is not None and run.result is None:
            self._session.editor.say(editors.still_running(phrases.printable(run.target)))
        elif run is not None and run.result is not None:
            told = _after_apply(run.applied) or explanation(run.result, run.board.tally, run.settings.rewrites)
            failed = run.status is RunStatus.FAILED
            self._session.editor.say(told, types.MessageType.Warning if failed else types.MessageType.Info)
        else:
            found = await journals.recorded(run_id)
            if found is None or found.result is None:
                self._session.editor.say(editors.unknown_run(run_id))
            else:
                self._session.editor.say(explanation(found.result, {}, found.opened.settings.rewrites))


def hindrance(document: Document) -> str:
    """Why nothing can be optimised here, one sentence; empty: nothing is in the way. Trust is not looked at."""
    if document.inactive:
        return document.inactive
    if document.main() is None and not _MAIN.search(document.source.data):  # one may be hidden by a macro
        return refusals.no_main(phrases.printable(document.name))
    return ""


def explanation(result: RunResult, tally: dict[str, int], rewrites: RewriteSettings) -> str:
    """The reason, what became of what was tried, where the time goes, and what may be allowed."""
    parts = [wording.verdict_line(result)]
    if result.status is RunStatus.NO_IMPROVEMENT:
        if tried := wording.tally(tally):
            parts.append(editors.tried(tried))
        costly = [finding.message for finding in result.critique.findings if finding.message not in result.reason]
        parts += costly[:MOST_FINDINGS]
        parts += [wording.advice(result, rewrites), *result.unasked]
    return " ".join(phrases.printable(part) for part in parts if part)


def _after_apply(applied: Applied | None) -> str:
    if applied is None:
        return ""
    return wording.judgement(applied.judgement) if applied.judgement is not None else applied.trouble
