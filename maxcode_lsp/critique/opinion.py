"""The ``llm`` critic: a model reads the code and the evidence, and says what it thinks costs the time.

It comes after the other critics and sees what they found. Each of its findings must name the evidence that it rests
on and lie in the code; any other is dropped.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Annotated

import msgspec
from markdown_it import MarkdownIt
from msgspec import Meta, Struct
from msgspec.structs import replace

from maxcode_lsp.critique.critic import finding
from maxcode_lsp.critique.critique import merge
from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.critique.source import Source
from maxcode_lsp.messages import models as said
from maxcode_lsp.messages import phrases
from maxcode_lsp.model.markers import Marker, marker
from maxcode_lsp.model.mixture import Mixture
from maxcode_lsp.model.model import Answer, Ending, Message, Question, Role
from maxcode_lsp.records import Critique, Finding

if TYPE_CHECKING:
    from jinja2 import Template

LEAST_ANSWER = 1024
MOST_ANSWER = 4096
"""Tokens: a model that thinks first needs more than its findings."""
ANSWER_SHARE = 1 / 8
"""Ours: of the context, within these bounds; the question needs the rest."""
TEMPERATURE = 0.2
"""Ours: a critic is to be sober."""
MOST_FINDINGS = 4
MOST_EVIDENCE = 12
MOST_LINES = 80
"""A finding of more lines says nothing about where."""
LONGEST_MESSAGE = 300
EXAMPLE = "WHAT COSTS THE TIME THERE, AND WHAT WOULD COST LESS"
"""Stands for a message where the form of a reply is shown. Small models copy an example as their own finding, so it
says nothing that could be one.
"""
LEAST_SHARE = 0.01
"""Hot lines with a smaller share (0..1) are no evidence."""


class OpinionEnd(str, Enum):
    """What became of a critic's reply."""

    FINDINGS = "findings"
    NOTHING = "nothing"
    """It is well formed and says nothing that holds."""
    MALFORMED = "malformed"
    FAILED = "failed"
    """It was cut off, empty or a refusal."""


class Opinion(Struct, frozen=True):
    """One reply of the critic, read."""

    answer: Answer
    prompt_sha256: str
    end: OpinionEnd
    findings: tuple[Finding, ...] = ()
    dropped: int = 0
    """Findings without evidence, outside of the code, or that only repeat what was shown."""


class _Evidence(Struct, frozen=True):
    """One item that a finding can rest on."""

    id: str
    first: int
    last: int
    words: str
    source: str
    """What a finding that rests on it says of where it comes from."""


class _Said(Struct, frozen=True):
    """A finding as the model writes it."""

    first: Annotated[int, Meta(ge=1)]
    last: Annotated[int, Meta(ge=1)]
    message: str
    evidence: tuple[str, ...]


class _Reply(Struct, frozen=True):
    """Its findings are read one by one: an odd one does not take the others along."""

    findings: list[msgspec.Raw]


async def opinion(
    models: Mixture, text: bytes, known: Critique, *, secret: bytes, on_opinion: Callable[[Opinion], None]
) -> Critique:
    """``known`` with what the model adds, merged. ``secret``: makes the markers around the code unguessable.

    A reply that cannot be used leaves ``known`` with a note; a program too long for the model, or of which nothing is
    known, is not shown to it. Raises ModelTrouble.
    """
    items = evidence_of(known)
    model = models.choose(hashlib.sha256(text).hexdigest())
    program = _numbered(text)
    mark = marker(secret, text, (program, _listed(items)))
    shown = {"program": program, "evidence": _listed(items), "most": MOST_FINDINGS, "example": EXAMPLE}
    prompt = _template().render(shown, marker=mark)
    max_tokens = min(max(int(model.context_tokens * ANSWER_SHARE), LEAST_ANSWER), MOST_ANSWER)
    if not items or model.count(prompt) + max_tokens > model.context_tokens:
        return known
    question = Question(
        messages=(Message(Role.USER, prompt),),
        max_tokens=max_tokens,
        temperature=TEMPERATURE,
        schema=_schema([item.id for item in items]),
    )
    answer = await models.ask(model, question)
    prompt_sha256 = hashlib.sha256(prompt.encode()).hexdigest()
    read = await asyncio.to_thread(read_opinion, answer, prompt_sha256, text, known, mark)
    on_opinion(read)
    if read.end in {OpinionEnd.MALFORMED, OpinionEnd.FAILED}:
        return replace(known, notes=(*known.notes, said.critic_not_understood(answer.model)))
    return replace(known, findings=merge(Source(text), (*known.findings, *read.findings)))


def read_opinion(answer: Answer, prompt_sha256: str, text: bytes, known: Critique, mark: Marker) -> Opinion:
    """What a reply is worth. Never raises. Takes long for a long reply: not for an event loop."""
    if answer.ending is not Ending.STOP:
        return Opinion(answer, prompt_sha256, OpinionEnd.FAILED)
    written = next((read for code in _codes(mark.without(answer.text)) if (read := _decoded(code)) is not None), None)
    if written is None:
        return Opinion(answer, prompt_sha256, OpinionEnd.MALFORMED)
    items = {item.id: item for item in evidence_of(known)}
    nothing_new = {"", EXAMPLE, *(_plain(item.words) for item in items.values())}
    nothing_new |= {_plain(one.message) for one in known.findings}
    lines = text.count(b"\n") + (not text.endswith(b"\n"))
    held = [
        _finding(one, rests, known, answer.model)
        for one in written
        if one is not None
        and one.first <= one.last <= min(lines, one.first + MOST_LINES - 1)
        and _plain(one.message) not in nothing_new
        and (rests := [items[item] for item in dict.fromkeys(one.evidence) if item in items])
    ]
    kept = tuple(held[:MOST_FINDINGS])
    end = OpinionEnd.FINDINGS if kept else OpinionEnd.NOTHING
    return Opinion(answer, prompt_sha256, end, kept, len(written) - len(kept))


def evidence_of(known: Critique) -> tuple[_Evidence, ...]:
    """What was measured or seen, most costly first: findings of the other critics, then the hottest lines."""
    facts = [
        (one.span.first, one.span.last, f"{one.message} ({one.evidence})", one.evidence)
        for one in known.findings
        if one.kind != Kind.MODEL_OPINION
    ]
    hot = sorted(known.hot_lines.items(), key=lambda item: (-item[1], item[0]))
    share = known.profile_source or "share of the run"
    facts += [
        (line, line, f"{phrases.percent(part)} of the run is spent on this line ({share})", f"{share}: line {line}")
        for line, part in hot
        if part >= LEAST_SHARE
    ]
    return tuple(_Evidence(f"E{number}", *fact) for number, fact in enumerate(facts[:MOST_EVIDENCE], 1))


def _finding(one: _Said, rests: Sequence[_Evidence], known: Critique, model: str) -> Finding:
    message = phrases.cut(phrases.unlinked(phrases.printable(" ".join(one.message.split()))), LONGEST_MESSAGE)
    share = sum(part for line, part in known.hot_lines.items() if one.first <= line <= one.last)
    source = "; ".join(dict.fromkeys(item.source for item in rests))
    return finding(
        Kind.MODEL_OPINION,
        (one.first, one.last),
        message,
        said.opinion_rests_on(model, source),
        min(1.0, share) if known.hot_lines else None,
    )


def _plain(message: str) -> str:
    """To compare messages by."""
    return " ".join(message.split()).strip(" .").upper()


def _codes(text: str) -> list[str]:
    """Where the JSON may be: the whole text, each fence, what stands between the outermost braces."""
    blocks = MarkdownIt("commonmark").disable("inline").parse(text)
    fences = [block.content for block in blocks if block.type == "fence"]
    start, end = text.find("{"), text.rfind("}")
    return [text, *fences, text[start : end + 1] if 0 <= start < end else ""]


def _decoded(code: str) -> list[_Said | None] | None:
    """The findings, None for one that is none; None: it is no list of findings."""
    try:
        found = msgspec.json.decode(code.encode(errors="replace"), type=_Reply).findings
    except (msgspec.DecodeError, RecursionError):
        return None
    return [_one(raw) for raw in found]


def _one(raw: msgspec.Raw) -> _Said | None:
    try:
        return msgspec.json.decode(raw, type=_Said, strict=False)
    except (msgspec.DecodeError, RecursionError):
        return None


def _schema(ids: Sequence[str]) -> bytes:
    """Of a reply, as strict as providers want it: nothing is optional, and nothing else may be there."""

    def table(**fields: object) -> dict[str, object]:
        return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}

    line, evidence = {"type": "integer"}, {"type": "string", "enum": list(ids)}
    one = table(first=line, last=line, message={"type": "string"}, evidence={"type": "array", "items": evidence})
    return msgspec.json.encode(table(findings={"type": "array", "items": one}))


def _numbered(text: bytes) -> str:
    rows = text.decode(errors="replace").removesuffix("\n").split("\n")
    return "\n".join(f"{number:4} {row}" for number, row in enumerate(rows, 1))


def _listed(items: Sequence[_Evidence]) -> str:
    return "\n".join(f"{item.id} lines {item.first}-{item.last}: {item.words}" for item in items)


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    # What is shown goes to a model, not to a browser.
    loaded = Environment(loader=PackageLoader("maxcode_lsp.critique"), undefined=StrictUndefined, autoescape=False)  # noqa: S701
    return loaded.get_template("critic.j2")
