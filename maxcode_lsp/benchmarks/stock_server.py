"""A server as pygls' own guide shows it, with the same kinds of features as ours and nothing in them."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("stock", "1")
OPTIONS = types.CodeActionOptions(code_action_kinds=["refactor.rewrite.stock"], resolve_provider=True)


@server.feature(types.TEXT_DOCUMENT_CODE_ACTION, OPTIONS)
async def _actions(_params: types.CodeActionParams) -> list[types.CodeAction]:
    return []


@server.feature(types.CODE_ACTION_RESOLVE)
async def _resolve(action: types.CodeAction) -> types.CodeAction:
    return action


@server.feature(types.TEXT_DOCUMENT_CODE_LENS)
async def _lenses(_params: types.CodeLensParams) -> list[types.CodeLens]:
    return []


@server.feature(types.TEXT_DOCUMENT_HOVER)
async def _hover(_params: types.HoverParams) -> None: ...


@server.command("stock.start")
async def _start(_argument: Any) -> None: ...


if __name__ == "__main__":
    server.start_io()
