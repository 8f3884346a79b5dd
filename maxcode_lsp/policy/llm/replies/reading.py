"""How a reply is read: what came wrapped is unwrapped, then a whole program is looked for, then edits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markdown_it.token import Token
from msgspec import Struct
from msgspec.structs import replace

from maxcode_lsp.messages import replies as complaints
from maxcode_lsp.model.model import Answer, Ending
from maxcode_lsp.policy.llm.replies.blocks import Block, bare, blocks, is_fence, longer, misplaced, parsed, starts
from maxcode_lsp.policy.llm.replies.edits import (
    MOST_EDITS,
    Edits,
    begins_hunk,
    is_mark,
    looks_like_diff,
    marks_changes,
    pairs,
    search_and_replace,
    unified_diff,
    with_changes_made,
)
from maxcode_lsp.policy.llm.replies.fitting import fit, keeping
from maxcode_lsp.policy.llm.replies.program import Flaw, Program, flaw, program_of
from maxcode_lsp.policy.llm.replies.rationale import bounded, rationale
from maxcode_lsp.policy.llm.replies.refusal import declines
from maxcode_lsp.policy.llm.replies.region import check_region
from maxcode_lsp.policy.llm.replies.reply import Reply, ReplyEnd
from maxcode_lsp.policy.llm.replies.spoken import spoken
from maxcode_lsp.policy.llm.replies.wrappings import Wrapped, from_json, is_json_begun, unwrapped

LONGEST = 1_000_000
"""Ours: characters of a reply. No model writes more at once."""
_MOST_TRIED = 30
"""Ours: blocks that are looked at as programs, from the last one on."""
_OTHER_LANGUAGES = frozenset(
    """
    bash sh shell console zsh powershell cmd makefile make cmake python py rust rs go golang java kotlin swift
    javascript js typescript ts csharp cs ruby perl lua scala d zig asm nasm yaml toml ini xml html css sql
    """.split()  # noqa: SIM905 - a list of so many quoted words cannot be read
)
_BEFORE = "\ufeff\n"
"""What may stand before a program and is no part of it."""
_ENDS_OF_CODE = (";", "{", "}", "&gt;")
_CPP = frozenset({"c", "cpp", "c++", "cc", "cxx", "h", "hpp", "cuda", "cu", "c++17", "c++20", "cpp17", "cpp20"})


class _Found(Struct, frozen=True):
    """What was found in one way to read a reply."""

    code: bytes | None = None
    flaw: Flaw | None = None
    """Of the block that is most like a program."""
    same: bool = False
    """The last whole program is the one that was shown."""


def read(answer: Answer, shown: bytes) -> Reply:
    """See :func:`maxcode_lsp.policy.llm.replies.reply.read_reply`."""
    if answer.ending is Ending.REFUSED:
        return Reply(ReplyEnd.REFUSED, complaint=complaints.refused())
    said = spoken(answer.text, shown)
    if not said.text.strip():
        if said.thought or answer.ending is Ending.THINKING_ONLY:
            return Reply(ReplyEnd.THINKING_ONLY, complaint=complaints.thought_only())
        if answer.ending is Ending.LENGTH:
            return Reply(ReplyEnd.TRUNCATED, complaint=complaints.cut_off())
        return Reply(ReplyEnd.EMPTY, complaint=complaints.empty())
    if answer.ending is Ending.LENGTH:
        return Reply(ReplyEnd.TRUNCATED, complaint=complaints.cut_off())
    if len(said.text) > LONGEST:
        return Reply(ReplyEnd.NOT_A_PROGRAM, complaint=complaints.too_long(LONGEST))
    return _read(said.text, program_of(shown))


def _read(text: str, shown: Program) -> Reply:
    tokens = parsed(text)
    fenced = blocks(tokens, text)
    wrapped = from_json(text) or next(
        (held for block in fenced if block.fenced for held in [from_json(block.code)] if held is not None), None
    )
    if wrapped is not None:
        return _read_wrapped(wrapped, tokens, shown)
    lines = text.split("\n")
    sought = _edits(lines, fenced, shown)
    ways = [fenced, misplaced(text), bare(text) if not sought else []]
    found: list[_Found] = []
    for way in ways:
        one = _programs([block for block in way if not _within(block, sought.lines)], text, shown)
        if one.code is not None:
            words = tokens if way is fenced else parsed(_without(lines, [(b.first, b.end) for b in way]))
            return _judged(ReplyEnd.PROGRAM, keeping(shown.data, one.code), rationale(words), shown)
        found.append(one)
    if sought:
        return _edited(sought, rationale(parsed(_without(lines, sought.lines)) if sought.lines else tokens), shown)
    taken = [(block.first, block.end) for block in ways[-1]] if not fenced else []
    return _failed(found, text, rationale(parsed(_without(lines, taken)) if taken else tokens))


def _read_wrapped(wrapped: Wrapped, tokens: Sequence[Token], shown: Program) -> Reply:
    """A reply in JSON: its texts may be programs, or replies as any other."""
    words = bounded(wrapped.rationale) or rationale(tokens if len(wrapped.codes) == 0 else [])
    if wrapped.edits:
        return _edited(pairs(wrapped.edits), words, shown)
    found = _programs([Block(code, fenced=False) for code in wrapped.codes], "", shown)
    if found.code is not None:
        return _judged(ReplyEnd.PROGRAM, keeping(shown.data, found.code), words, shown)
    inner = [code for code in wrapped.codes if from_json(code) is None]
    reply = _read(inner[-1], shown) if inner else Reply(ReplyEnd.NO_CODE, complaint=complaints.no_code())
    return Reply(reply.end, reply.text, reply.rationale or words, reply.complaint)


def _programs(way: Sequence[Block], text: str, shown: Program) -> _Found:
    """The last whole program among blocks that is not the one that was shown; else what is wrong with them."""
    worst: Flaw | None = None
    same = False
    lines_shown = _stripped(shown)
    candidates = [block for block in way if _may_be_code(block)]
    cut = any(not block.closed for block in way)
    for block in reversed(candidates[-_MOST_TRIED:]):
        if looks_like_diff(block.code, block.language):
            continue
        marked = marks_changes(block.code, lines_shown)
        read = replace(block, code=with_changes_made(block.code)) if marked else block
        code, wrong = _whole(read, text, shown, cut=cut)
        if code is not None:
            if program_of(code).essence != shown.essence:
                return _Found(code)
            same = same or worst is None
        elif wrong is not None and (worst is None or worst.part) and not (worst is not None and wrong.part):
            worst = wrong
    return _Found(flaw=worst, same=same)


def _whole(block: Block, text: str, shown: Program, *, cut: bool) -> tuple[bytes | None, Flaw | None]:
    """The program in a block, or what is wrong with it."""
    wrong: Flaw | None = None
    for code in _codes(block, text, shown):
        program = program_of(code)
        found = flaw(program, shown)
        if found is None:
            return code, None
        if wrong is None:
            unended = (found.open and cut) or (found.part and block.fenced and not block.closed)
            wrong = Flaw(ReplyEnd.TRUNCATED, complaints.cut_off()) if unended else found
    return None, wrong


def _codes(block: Block, text: str, shown: Program) -> Iterator[bytes]:
    """What a block may hold: itself, a reply within (a fence in a fence), itself up to a later end of its fence."""
    whole = _normalised(block.code)
    marks = starts(whole, begins_hunk)
    if marks and program_of(whole).stray(marks):
        return  # hunks, not a program
    pieces = [*unwrapped(block.code, shown.data)]
    if block.fenced and any(is_fence(line) for line in block.code.split("\n")):
        for inner in (blocks(parsed(block.code), block.code), misplaced(block.code)):
            pieces += [one.code for one in inner[: -_MOST_TRIED - 1 : -1]]
    if block.fenced and block.closed:
        pieces += [further.code for further in longer(block, text)]
    for piece in pieces:
        code = _normalised(piece)
        fences = starts(code, is_fence)
        # A fence that is a part of the program stands in a literal or a comment.
        if not fences or not program_of(code).stray(fences):
            yield code


def _edits(lines: Sequence[str], fenced: Sequence[Block], shown: Program) -> Edits:
    """Hunks wherever they stand; else those of diffs."""
    found = search_and_replace(lines)
    if not found:
        found = search_and_replace([line for block in fenced for line in block.code.split("\n")])
    if found:
        return found
    said = _stripped(shown)
    diffs = [
        block.code.split("\n")
        for block in fenced
        if looks_like_diff(block.code, block.language) or marks_changes(block.code, said)
    ]
    if not fenced and looks_like_diff("\n".join(lines), ""):
        diffs = [_bare_diff(lines)]
    edits = [edit for diff in diffs for edit in unified_diff(diff)]
    if len(edits) > MOST_EDITS:
        return Edits(complaint=complaints.too_many_hunks(MOST_EDITS))
    return Edits(tuple(replace(edit, number=number) for number, edit in enumerate(edits, 1)))


def _bare_diff(lines: Sequence[str]) -> list[str]:
    first = next((at for at, line in enumerate(lines) if line.startswith(("--- ", "@@", "diff --git"))), 0)
    return [
        line for line in lines[first:] if line.startswith((" ", "+", "-", "@", "\\", "diff ", "index ")) or not line
    ]


def _edited(edits: Edits, words: str, shown: Program) -> Reply:
    if edits.cut:
        return Reply(ReplyEnd.TRUNCATED, rationale=words, complaint=complaints.cut_off())
    if edits.complaint:
        return Reply(ReplyEnd.HUNK_FAILED, rationale=words, complaint=edits.complaint)
    fitted = fit(edits.edits, shown.data)
    if fitted.text is None:
        return Reply(ReplyEnd.HUNK_FAILED, rationale=words, complaint=fitted.complaint)
    edited = program_of(fitted.text)
    left = starts(fitted.text, is_mark)
    if left and edited.stray(left):
        return Reply(ReplyEnd.HUNK_FAILED, rationale=words, complaint=complaints.marks_left())
    wrong = flaw(edited, shown)
    if wrong is not None:
        return Reply(ReplyEnd.NOT_A_PROGRAM, rationale=words, complaint=wrong.complaint)
    return _judged(ReplyEnd.HUNKS, fitted.text, words, shown)


def _judged(end: ReplyEnd, text: bytes, words: str, shown: Program) -> Reply:
    """A whole program, held against what a model may change."""
    if program_of(text).essence == shown.essence:
        return Reply(ReplyEnd.UNCHANGED, rationale=words, complaint=complaints.unchanged())
    trouble = check_region(shown.data, text)
    if trouble is not None:
        return Reply(ReplyEnd.OUT_OF_REGION, rationale=words, complaint=trouble)
    return Reply(end, text, rationale=words)


def _failed(found: Sequence[_Found], text: str, words: str) -> Reply:
    """A reply without a program and without edits."""
    flaws = [one.flaw for one in found if one.flaw is not None]
    cut = next((one for one in flaws if one.end is ReplyEnd.TRUNCATED), None)
    if cut is None and is_json_begun(text):
        cut = Flaw(ReplyEnd.TRUNCATED, complaints.cut_off())
    if cut is None and any(one.same for one in found):
        return Reply(ReplyEnd.UNCHANGED, rationale=words, complaint=complaints.unchanged())
    wrong = cut or next((one for one in flaws if not one.part), None) or next(iter(flaws), None)
    if wrong is not None:
        return Reply(wrong.end, rationale=words, complaint=wrong.complaint)
    if declines(text):
        return Reply(ReplyEnd.REFUSED, complaint=complaints.refused())
    return Reply(ReplyEnd.NO_CODE, rationale=words, complaint=complaints.no_code())


def _may_be_code(block: Block) -> bool:
    if block.language in _OTHER_LANGUAGES or not block.code.strip():
        return False
    return block.language in _CPP or any(line.rstrip().endswith(_ENDS_OF_CODE) for line in block.code.split("\n"))


def _within(block: Block, hunks: Sequence[tuple[int, int]]) -> bool:
    """Whether a block is a part of a hunk: the half that is sought is no proposal."""
    return any(first < block.first and block.end <= end for first, end in hunks)


def _stripped(shown: Program) -> set[str]:
    return {line.strip() for line in shown.data.decode(errors="replace").split("\n")}


def _normalised(code: str) -> bytes:
    """LF, one line end at its end, none at its start."""
    return f"{code.lstrip(_BEFORE).rstrip()}\n".encode(errors="replace")


def _without(lines: Sequence[str], taken: Sequence[tuple[int, int]]) -> str:
    """The reply without some lines."""
    kept = list(lines)
    for first, end in taken:
        kept[first:end] = [""] * (end - first)
    return "\n".join(kept)
