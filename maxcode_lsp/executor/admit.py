"""Admission: what a candidate for a program may not bring in. Cheap, before anything is built.

This is the first gate, not the only one: whatever slips through runs in the sandbox, is compared on
inputs it has not seen, and is timed from outside. Only what the candidate *adds* is looked at; what
the original itself does is the user's own business.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from maxcode_lsp.messages import verdicts

FORBIDDEN_NAMES = frozenset(
    """
    fork vfork clone clone3 execl execle execlp execv execve execvp execvpe fexecve posix_spawn posix_spawnp
    system popen syscall ptrace dlopen dlsym kill tgkill raise setrlimit prlimit nice setpriority
    sched_setaffinity sched_setscheduler prctl personality unshare setns mount chroot shm_open shmget mq_open
    msgget semget memfd_create socket socketpair process_vm_readv process_vm_writev pthread_setaffinity_np
    setitimer timer_create signal sigaction clock_gettime clock_settime gettimeofday settimeofday times
    getrusage clock time getpid getppid gettid getenv secure_getenv environ __environ getauxval uname
    gethostname sleep usleep nanosleep clock_nanosleep sleep_for sleep_until this_thread chrono steady_clock
    system_clock high_resolution_clock random_device open open64 openat creat fopen freopen fdopen ifstream
    ofstream fstream filebuf filesystem opendir readdir mmap mmap64 pread pread64 pwrite lseek dup dup2 dup3
    sendfile splice inotify_init io_uring_setup __builtin_return_address __builtin_frame_address constructor
    destructor __DATE__ __TIME__ __TIMESTAMP__ __FILE__ __BASE_FILE__ __SANITIZE_ADDRESS__
    __SANITIZE_THREAD__ __SANITIZE_HWADDRESS__ __has_feature __has_include __has_embed __OPTIMIZE__
    """.split()  # noqa: SIM905 - a list of so many quoted words cannot be read
)
"""Names that the rewriting of a computation has no need of: processes, clocks, files, the machine."""

FORBIDDEN_PREFIXES = ("__asan_", "__ubsan_", "__lsan_", "__tsan_", "__sanitizer_", "no_sanitize", "no_address_safety")
"""Whatever talks to sanitizers, or turns them off."""
_FAST_MATH = re.compile(r"fast[-_]math|Ofast|unsafe[-_]math|finite[-_]math|associative[-_]math|reciprocal[-_]math")
_BAD_PATH = re.compile(r"^/(proc|dev|sys|etc|home|root|tmp|var|usr|in|src|out|run)\b|^\.\./")
_VARIABLES = ("init_declarator", "declaration", "parameter_declaration", "field_declaration", "for_range_loop")
"""Nodes that declare a variable under the name that is their declarator."""
_PARSER = Parser(Language(tree_sitter_cpp.language()))
ANSWER_BYTES = 4
"""Shorter tokens of an expected output are no evidence of a cached answer."""


class _Facts:
    """What a text brings along, as sets that can be subtracted."""

    def __init__(self, text: bytes) -> None:
        self.names: set[str] = set()
        """All identifiers but those that only name a variable of the text itself."""
        self.includes: set[str] = set()
        self.literals: set[str] = set()
        self.pragmas: set[str] = set()
        self.assembly = 0
        variables: set[str] = set()
        called: set[str] = set()
        stack: list[Node] = [_PARSER.parse(text).root_node]
        while stack:
            node = stack.pop()
            kind = node.type
            if kind in _VARIABLES and (name := node.child_by_field_name("declarator")) is not None:
                variables.add(_said(name, text).lstrip("&* "))
            elif kind == "call_expression" and (function := node.child_by_field_name("function")) is not None:
                called.add(_said(function, text).rsplit("::", 1)[-1])
            if kind in ("preproc_include", "preproc_call") or kind.startswith("gnu_asm"):
                self._directive(node, text)
            elif not node.children or kind in ("string_literal", "raw_string_literal", "concatenated_string"):
                self._leaf(node, text)
            if kind not in ("string_literal", "raw_string_literal"):
                stack.extend(node.children)
        self.names -= variables - called

    def _directive(self, node: Node, text: bytes) -> None:
        said = _said(node, text)
        if node.type == "preproc_include":
            path = node.child_by_field_name("path")
            self.includes.add(_said(path, text) if path is not None else said)
        elif node.type == "preproc_call":
            self.pragmas.add(" ".join(said.split()))
        else:
            self.assembly += 1

    def _leaf(self, node: Node, text: bytes) -> None:
        said = _said(node, text)
        if node.type in ("number_literal", "string_literal", "raw_string_literal", "char_literal"):
            self.literals.add(said)
        elif node.type.endswith("identifier"):
            self.names.add(said)
        elif node.type in ("preproc_arg", "ERROR") or said in ("asm", "__asm__", "__asm"):
            # Macro bodies are not parsed: take their words, so that a macro hides nothing.
            words = re.findall(r"[A-Za-z_]\w*", said)
            self.names.update(words)
            self.assembly += sum(word in ("asm", "__asm__", "__asm") for word in words)
            self.literals.update(re.findall(r'"[^"]*"|\d[\w.]*', said))


def _said(node: Node, text: bytes) -> str:
    return text[node.start_byte : node.end_byte].decode(errors="replace")


@lru_cache(maxsize=4)
def _facts(text: bytes) -> _Facts:
    """Of an original: every candidate is held against the same one."""
    return _Facts(text)


def refuse(original: bytes, candidate: bytes, answers: Iterable[bytes]) -> str | None:
    """Why the candidate is not admitted (one sentence), or None.

    ``answers``: expected outputs; a literal that repeats one of their tokens is a cached answer.
    """
    before, after = _facts(original), _Facts(candidate)
    for name in sorted(after.names - before.names):
        if name in FORBIDDEN_NAMES or name.startswith(FORBIDDEN_PREFIXES):
            return verdicts.forbidden_name(name)
    if after.assembly > before.assembly:
        return verdicts.forbidden_assembly()
    for path in sorted(after.includes - before.includes):
        if not re.fullmatch(r"<[\w./+-]+>", path) or ".." in path or path.startswith("</"):
            return verdicts.forbidden_include(path)
    for pragma in sorted(after.pragmas - before.pragmas):
        if _FAST_MATH.search(pragma) or re.match(r"#\s*(embed|include_next)", pragma):
            return verdicts.forbidden_pragma(pragma)
    new_literals = after.literals - before.literals
    for literal in sorted(new_literals):
        inner = literal.strip('"')
        if _FAST_MATH.search(literal) or "sanitize" in literal:
            return verdicts.forbidden_pragma(literal)
        if _BAD_PATH.search(inner):
            return verdicts.forbidden_path(inner)
    return _cached_answer(_words(after.literals) - _words(before.literals), answers)


def _words(literals: Iterable[str]) -> set[str]:
    """What literals say, in tokens as an output would have them."""
    inner = (literal.strip('"').replace("'", "") for literal in literals)
    return {word.rstrip("uUlLfF").lstrip("-+") for said in inner for word in re.split(r"\s+|\\n|\\t", said)}


def _cached_answer(words: set[str], answers: Iterable[bytes]) -> str | None:
    words = {word for word in words if len(word) >= ANSWER_BYTES and not _round(word)}
    for answer in answers if words else ():
        tokens = {t.lstrip("-+") for t in answer[: 1 << 20].decode(errors="replace").split()}
        if found := sorted(words & tokens):
            return verdicts.cached_answer(found[0])
    return None


def _round(word: str) -> bool:
    """Powers of ten and two and their kin: sizes that programs rightly write down."""
    if not word.isdigit():
        return False
    value = int(word)
    return value > 0 and (value & (value - 1) == 0 or len(str(value).rstrip("0")) == 1)
