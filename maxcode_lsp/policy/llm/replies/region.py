"""What a model may touch: the program's own code, not what surrounds it and how it is built.

What no candidate may bring in, whoever made it, is refused at admission; it is not looked at here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from maxcode_lsp.messages import replies as complaints
from maxcode_lsp.policy.llm.replies.program import program_of
from maxcode_lsp.text.tokens import Token

STANDARD_HEADERS = frozenset(
    """
    algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat charconv chrono
    cinttypes ciso646 climits clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp
    csignal cstdalign cstdarg cstdbool cstddef cstdint cstdio cstdlib cstring ctgmath ctime cuchar cwchar cwctype
    deque exception execution expected filesystem flat_map flat_set format forward_list fstream functional future
    generator initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map mdspan
    memory memory_resource mutex new numbers numeric optional ostream print queue random ranges ratio regex
    scoped_allocator semaphore set shared_mutex source_location span spanstream sstream stack stacktrace stdexcept
    stdfloat stop_token streambuf string string_view strstream syncstream system_error thread tuple type_traits
    typeindex typeinfo unordered_map unordered_set utility valarray variant vector version bits/stdc++.h assert.h
    complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h
    stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h strings.h tgmath.h
    threads.h time.h uchar.h unistd.h wchar.h wctype.h alloca.h malloc.h omp.h immintrin.h x86intrin.h xmmintrin.h
    emmintrin.h pmmintrin.h tmmintrin.h smmintrin.h nmmintrin.h arm_neon.h
    """.split()  # noqa: SIM905 - a list of so many quoted words cannot be read
)
"""Headers of the C++ and C standard libraries, and those of the compiler's own extensions to them."""
_EXTENSIONS = re.compile(r"<ext/[\w/]+(\.hpp)?>")
_PLAIN = frozenset({"define", "undef", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif", ""})
_PRAGMAS = re.compile(
    r"""once | omp\b.* | unroll\b.* | clang\ (loop|unroll)\b.*
    | GCC\ (ivdep|unroll|novector|optimize|push_options|pop_options|reset_options|diagnostic|warning)\b.*""",
    re.VERBOSE,
)
_TARGET = re.compile(r"\b(__)?target(__)?\s*\(")
_ASSEMBLY = frozenset({b"asm", b"__asm", b"__asm__"})


def check_region(shown: bytes, text: bytes) -> str | None:
    """What ``text`` changes that a model may not change, as it is to be told to the model; None: nothing."""
    before, after = program_of(shown).tokens, program_of(text).tokens
    known = set(_directives(before))
    for name, rest in _directives(after):
        if (name, rest) not in known and (said := _directive_trouble(name, rest)) is not None:
            return said
    new = _targets(after) - _targets(before)
    if new and b"__builtin_cpu_supports" not in text:
        return complaints.foreign_target(min(new))
    known_assembly = set(_assembly(before))
    if any(statement not in known_assembly for statement in _assembly(after)):
        return complaints.foreign_assembly()
    for odd in (b"%:", b"_Pragma", b"__pragma"):
        if sum(token.text == odd for token in after) > sum(token.text == odd for token in before):
            return complaints.foreign_directive(odd.decode())
    return None


def _directive_trouble(name: str, rest: str) -> str | None:
    if name == "include":
        standard = rest[1:-1] in STANDARD_HEADERS if rest.startswith("<") else False
        return None if standard or _EXTENSIONS.fullmatch(rest) else complaints.foreign_include(rest)
    if name == "pragma":
        if rest.startswith(("GCC target", "GCC push_target")):
            return complaints.foreign_target(f"#pragma {rest}")
        return None if _PRAGMAS.fullmatch(rest) else complaints.foreign_directive(f"#pragma {rest}")
    if name == "define" and re.search(r"\b(_Pragma|__pragma|asm|__asm|__asm__)\b", rest):
        return complaints.foreign_directive(f"#define {rest}")
    if name == "define" and _TARGET.search(rest):
        return complaints.foreign_target(f"#define {rest}")
    return None if name in _PLAIN or name in {"error", "warning"} else complaints.foreign_directive(f"#{name} {rest}")


def _directives(found: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Name and rest of each directive: without comments, on one line, with single spaces."""
    for token in found:
        if token.text.startswith(b"#"):
            said = re.sub(r"\\\n", "", token.text.decode(errors="replace"))
            said = re.sub(r'("(?:\\.|[^"\\])*")|/\*.*?\*/|//.*', lambda m: m.group(1) or " ", said, flags=re.DOTALL)
            match = re.match(r"#\s*(\w*)\s*(.*)", " ".join(said.split()), re.DOTALL)
            if match is not None:
                yield match.group(1), match.group(2)


def _targets(found: Sequence[Token]) -> set[str]:
    """What ``target("…")`` attributes ask for."""
    asked: set[str] = set()
    for at, token in enumerate(found[:-2]):
        if token.text in {b"target", b"__target__"} and found[at + 1].text == b"(" and found[at + 2].text[:1] == b'"':
            asked.add(f"target({found[at + 2].text.decode(errors='replace')})")
    return asked


def _assembly(found: Sequence[Token]) -> Iterator[bytes]:
    """Each statement of assembly, in its tokens."""
    for at, token in enumerate(found):
        if token.text in _ASSEMBLY:
            end = next((n for n in range(at, len(found)) if found[n].text == b";"), len(found))
            yield b" ".join(one.text for one in found[at:end])
