"""Writes the first part of ``maxcode_lsp/policy/llm/standard_names.txt``: what g++ itself suggests to include.

Run it when the table should follow a newer g++ (under a minute): ``python tests/policy/llm/ask_compiler.py``.
What stands behind ``BY_HAND`` in the file is kept, without the names that g++ has learnt in the meantime.
"""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

TABLE = Path(__file__).parents[3] / "maxcode_lsp" / "policy" / "llm" / "standard_names.txt"
BY_HAND = "# By hand:"
EVERYTHING = "#include <bits/stdc++.h>\n#include <cinttypes>\n"

_SUGGESTION = re.compile(r"'(?:std::)?(\w+)' is defined in header '(<[\w.]+>)'")


def complaints(text: str, *options: str) -> str:
    """What g++ says about a C++20 text."""
    command = ["g++", "-x", "c++", "-std=c++20", "-fsyntax-only", "-fmax-errors=0", *options, "-"]
    environment = {"LC_ALL": "C", "PATH": "/usr/local/bin:/usr/bin:/bin"}
    return subprocess.run(command, input=text, capture_output=True, text=True, env=environment, check=False).stderr


def probe(form: str, names: Iterable[str]) -> str:
    """One line of ``form`` for each name, so that the line of a complaint says which one it is about."""
    return "".join(
        f'#line {number} "probe"\n{form.format(name=name, number=number)}\n' for number, name in enumerate(names, 1)
    )


def accepted(form: str, names: Sequence[str]) -> set[str]:
    """Names whose line compiles when everything is included."""
    said = complaints(EVERYTHING + probe(form, names), "-w")
    bad = {int(number) for number in re.findall(r"^probe:(\d+):\d+: error", said, re.MULTILINE)}
    return {name for number, name in enumerate(names, 1) if number not in bad}


def suggestions(form: str, names: Iterable[str]) -> dict[str, str]:
    """What g++ says to include for names in a text without any."""
    return dict(_SUGGESTION.findall(complaints("int first;\n" + probe(form, names))))


def standard_names() -> tuple[set[str], set[str]]:
    """The names in ``std`` that this g++ has, and all macros."""
    command = ["g++", "-x", "c++", "-std=c++20", "-E", "-P", "-"]
    text = subprocess.run(command, input=EVERYTHING, capture_output=True, text=True, check=True).stdout
    words = sorted(set(re.findall(r"\b[A-Za-z]\w*", text)))
    command[-3:-1] = ["-E", "-dM"]
    macros = subprocess.run(command, input=EVERYTHING, capture_output=True, text=True, check=True).stdout
    found = accepted("namespace probe_{number} {{ using std::{name}; }}", words)
    return found, set(re.findall(r"^#define ([A-Za-z]\w*)", macros, re.MULTILINE))


def kinds(headers: dict[str, str], macros: set[str]) -> dict[str, str]:
    """How each name may be used, in the words of the table."""
    names = sorted(headers)
    spaces = accepted("namespace probe_{number} = std::{name};", names)
    types = accepted("typedef std::{name} probe_{number};", names)
    values = accepted("static_assert(!std::is_function_v<std::remove_reference_t<decltype(std::{name})>>);", names)
    moods = accepted("auto probe_{number} = static_cast<std::ostream& (*)(std::ostream&)>(std::{name});", names)
    said = complaints(EVERYTHING + probe("typedef std::{name} probe_{number};", names))
    no_types = {
        int(number) for number in re.findall(r"^probe:(\d+):\d+: error: .* does not name a type", said, re.MULTILINE)
    }
    found: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        if name in macros:
            found[name] = "macro"
        elif name in spaces:
            found[name] = "namespace"
        elif name in types:
            found[name] = "type"
        elif name in values:
            found[name] = "object"
        elif name in moods and headers[name] == "<ostream>":
            found[name] = "manipulator"
        else:
            found[name] = "function" if number in no_types and not name.endswith("_v") else "template"
    return found


def main() -> None:
    """Ask, and write the table."""
    names, macros = standard_names()
    known = suggestions("std::{name} probe_{number};", sorted(names))
    known = suggestions("auto probe_{number} = {name};", sorted(names | macros)) | known
    kind = kinds(known, macros)
    asked = defaultdict[tuple[str, str], list[str]](list)
    for name, header in sorted(known.items()):
        asked[header, kind[name]].append(name)
    version = subprocess.run(["g++", "-dumpfullversion"], capture_output=True, text=True, check=True).stdout.strip()
    lines = [f"# Suggested by g++ {version} itself (tests/policy/llm/ask_compiler.py writes this part)."]
    lines += [f"{header} {what} {' '.join(found)}" for (header, what), found in sorted(asked.items())]
    by_hand = TABLE.read_text(encoding="utf-8").partition(BY_HAND)
    for line in "".join(by_hand[1:]).splitlines():
        header, what, *others = line.split(" ") if line.startswith("<") else ("", line)
        lines.append(" ".join([header, what, *(name for name in others if name not in known)]).strip())
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
