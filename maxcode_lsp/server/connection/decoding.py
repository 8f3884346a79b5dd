"""From plain JSON to lsprotocol's types. What does not fit is told in a sentence; foreign faults are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union, cast

from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from maxcode_lsp.messages import editors

if TYPE_CHECKING:
    from cattrs import Converter

_JSON = dict[str, Any]
_LONGEST = 200


def strict_converter() -> Converter:
    """lsprotocol's, which lets numbers pass where the standard has names; this one does not."""
    made = get_converter()
    for kind in (types.LanguageKind, types.CodeActionKind):
        made.register_structure_hook(cast("Any", Union[kind, str]), _name)  # noqa: UP007 (the form that is looked up)
    return made


def _name(given: Any, _kind: Any) -> str:
    if not isinstance(given, str):
        raise TypeError("invalid type, expected str")
    return given


def params(converter: Converter, method: str, given: Any) -> Any:
    """The params of a request or notification. Raises JsonRpcInvalidParams with a sentence."""
    if method == types.INITIALIZE:
        # Read by hand: what a client sends wrong, or is newer than lsprotocol, must not keep it from being served.
        if not isinstance(given, dict):
            raise JsonRpcInvalidParams(editors.undecodable(method, "they are no object"))
        return cast("_JSON", given)
    known = types.METHOD_TO_TYPES.get(method)
    kind = known[2] if known is not None else None
    if kind is None:
        return given
    try:
        return converter.structure(_without_foreign(converter, method, given), kind)
    except Exception as error:  # noqa: BLE001 (cattrs raises what its hooks raise)
        raise JsonRpcInvalidParams(editors.undecodable(method, _why(error))) from None


def result(converter: Converter, answer: Any, given: Any) -> Any:
    """The result in an answer of the client; ``answer``: the class of the whole answer; None: plain JSON."""
    if answer is None:
        return given
    return converter.structure({"jsonrpc": "2.0", "id": 0, "result": given}, answer).result


def error(given: Any) -> JsonRpcException:
    """An error that the client answered with."""
    told = cast("_JSON", given) if isinstance(given, dict) else {}
    code = told.get("code")
    return JsonRpcException(str(told.get("message", "no reason"))[:_LONGEST], code if isinstance(code, int) else None)


def _without_foreign(converter: Converter, method: str, given: Any) -> Any:
    """Other servers' diagnostics come with code actions; those that break the standard are left out."""
    if not isinstance(given, dict):
        return given
    outer = cast("_JSON", given)
    if method == types.CODE_ACTION_RESOLVE and "diagnostics" in outer:
        return {**outer, "diagnostics": _sound(converter, outer["diagnostics"])}
    context = outer.get("context")
    if method != types.TEXT_DOCUMENT_CODE_ACTION or not isinstance(context, dict):
        return outer
    inner = {**cast("_JSON", context), "diagnostics": _sound(converter, cast("_JSON", context).get("diagnostics"))}
    if not _fits(converter, inner.get("triggerKind"), types.CodeActionTriggerKind):
        inner.pop("triggerKind", None)
    return {**outer, "context": inner}


def _sound(converter: Converter, diagnostics: Any) -> list[Any]:
    found = cast("list[Any]", diagnostics) if isinstance(diagnostics, list) else []
    return [one for one in found if _fits(converter, one, types.Diagnostic)]


def _fits(converter: Converter, value: Any, kind: Any) -> bool:
    try:
        converter.structure(value, kind)
    except Exception:  # noqa: BLE001 (as in `params`)
        return False
    return True


def _why(error: BaseException) -> str:
    """The first fault and where it is, without what stands there."""
    if isinstance(error, RecursionError):
        return "they are nested too deeply"
    from cattrs import transform_error

    try:
        told = transform_error(error)
    except Exception:  # noqa: BLE001 (it is only for a better sentence)
        told = []
    return (told[0] if told else type(error).__name__)[:_LONGEST].rstrip(". ")
