"""What a model is told about a reply that could not be used, so that its next one can."""

from __future__ import annotations

from collections.abc import Sequence

from maxcode_lsp.messages.phrases import cut

_MOST_PLACES = 5
_MOST_CHARACTERS = 120
_HOW = "Send the whole program in one fenced block, or search/replace hunks."


def _quoted(line: str) -> str:
    return f"“{cut(line.strip(), _MOST_CHARACTERS)}”"


def cut_off() -> str:
    return "Your reply was cut off before its end, so nothing of it was used. Say less, and send only what changes, as search/replace hunks."


def empty() -> str:
    return f"Your reply was empty. {_HOW}"


def refused() -> str:
    return f"You declined, but this is the user's own program, and nothing is asked but to make it faster. {_HOW}"


def thought_only() -> str:
    return f"You thought, but did not answer. Think less. {_HOW}"


def no_code() -> str:
    return f"There was no code in your reply. {_HOW}"


def too_long(most: int) -> str:
    return f"Your reply has more than {most:,} characters, which is no program. {_HOW}"


def unchanged() -> str:
    return "You sent the program as it was, or with other comments and white space only. Change what it does to get its result."


def tried_before(rationale: str) -> str:
    idea = f" ({rationale})" if rationale else ""
    return f"This very program was tried before{idea}. Try something else."


def no_main() -> str:
    return f"The code in your reply is only a part of the program: it has no main. {_HOW}"


def no_longer_defined(name: str) -> str:
    return f"Your program uses {name[:80]}, but no longer defines it. Send the whole program, with nothing left out, or search/replace hunks."


def placeholder(line: str) -> str:
    return f"Your program leaves code out ({_quoted(line)}). Send the whole program, with nothing left out, or search/replace hunks."


def brackets_open(bracket: str) -> str:
    return f"Your program is not complete: there is a {bracket} that is never closed. {_HOW}"


def brackets_amiss(bracket: str) -> str:
    return f"Your program has a {bracket} that closes nothing. {_HOW}"


def broken_end(line: str) -> str:
    return f"Your program is broken at its end, near {_quoted(line)}. {_HOW}"


def too_deep() -> str:
    return f"The brackets in your program stand too deep inside each other. {_HOW}"


def hunk_without(number: int, mark: str) -> str:
    return f"Hunk {number} has no line “{mark}”. No hunk was applied; send all of them again, each as <<<<<<< SEARCH, =======, >>>>>>> REPLACE."


def hunk_not_found(number: int, first: str, line: int, nearest: Sequence[str]) -> str:
    said = f"Hunk {number} ({_quoted(first)}) was not found in the program, so no hunk was applied. Copy the lines to search for exactly."
    if not nearest:
        return said
    return f"{said} The nearest are, from line {line} on:\n" + "\n".join(one[:200] for one in nearest)


def hunk_fits_often(number: int, first: str, lines: Sequence[int], more: bool) -> str:
    shown = ", ".join(str(line) for line in lines[:_MOST_PLACES])
    many = f"more than {len(lines)}" if more else str(len(lines))
    dots = " …" if len(lines) > _MOST_PLACES else ""
    return f"Hunk {number} ({_quoted(first)}) was found {many} times (lines {shown}{dots}), so no hunk was applied. Add lines around it until it fits at only one place."


def hunk_says_nothing(number: int) -> str:
    return f"Hunk {number} does not say which lines it replaces, so no hunk was applied. Give the lines to search for, or those around what you add."


def hunks_overlap(number: int, other: int) -> str:
    return f"Hunks {other} and {number} change the same lines, so no hunk was applied. Make one hunk of them; all hunks are searched for in the program as it was shown."


def marks_left() -> str:
    return "Marks of hunks or of a fence would be left in the program, so no hunk was applied. Write each hunk as <<<<<<< SEARCH, =======, >>>>>>> REPLACE, each once."


def too_many_hunks(most: int) -> str:
    return f"There are more than {most} hunks in your reply. Send the whole program in one fenced block."


def foreign_include(path: str) -> str:
    return f"You included {path[:80]}; only headers of the standard library, and those that the program already includes, may be used."


def foreign_directive(line: str) -> str:
    return f"You added {_quoted(line)}, which changes how the program is built. Change its own code only."


def foreign_target(text: str) -> str:
    return f"You asked for instructions that other machines may not have ({_quoted(text)}). Use target_clones, or code that needs none."


def foreign_assembly() -> str:
    return "You changed inline assembly, which cannot be checked. Leave it as it was."
