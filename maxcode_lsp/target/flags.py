"""The compiler and the flags that a file is built with.

Flags come from the settings where they are given there, else from ``compile_commands.json``, else
they are ``-O3`` with a recent standard. Only flags known to be harmless pass: nothing that loads
code into the compiler, starts another program, reads options from a file, or moves the toolchain.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath

from msgspec import Struct

from maxcode_lsp.errors import SettingsError
from maxcode_lsp.messages import refusals
from maxcode_lsp.settings import Settings, mistake
from maxcode_lsp.target.compile_commands import Entry, find_entry
from maxcode_lsp.target.program import Language, language_of

DEFAULT_FLAGS = {Language.CPP: ("-O3", "-std=c++20"), Language.C: ("-O3", "-std=c17")}
DEFAULT_COMPILER = {Language.CPP: "g++", Language.C: "gcc"}
COMPILER = {
    Language.CPP: re.compile(r"(g\+\+|clang\+\+)(-\d+(\.\d+)*)?|c\+\+"),
    Language.C: re.compile(r"(g\+\+|clang\+\+|gcc|clang)(-\d+(\.\d+)*)?|c\+\+|cc"),
}
C_TWIN = {"gcc": "g++", "clang": "clang++", "cc": "c++"}
"""What builds C++ where a compilation database names the C driver."""

FOLDER_FLAGS = ("-isystem", "-iquote", "-idirafter", "-I")

_KEPT = re.compile(
    r"""-O([0-3sgz]|fast)? | -ansi | -w | -pthread | -static(-libstdc\+\+|-libgcc)? | -(no-)?pie
    | --?std=[\w+:.-]+ | -stdlib=lib(std)?c\+\+ | -pedantic(-errors)? | --param=[\w-]+=\d+
    | -W(?![alp](,|$))[\w+=-]* | -m[\w.=+,-]+ | -f[\w.=:+,-]+ | -l[\w.+-]+
    | -D[A-Za-z_].* | -U[A-Za-z_]\w*""",
    re.VERBOSE | re.DOTALL,
)
_REFUSED = re.compile(
    r"""-f(no-)?(
        plugin | pass-plugin | module | prebuilt-module | embed | load | offload | cuda | xray | init-array-path
        | profile-use | profile-list | auto-profile | branch-probabilities | memory-profile | thinlto-index
        | sanitize-(ignore|black)list | use-ld=.*/ | crash-diagnostics | build-session | integrated-cc1 | bounds-safety
    )\S* | -m(llvm|linker-\S*|onnx\S*)""",
    re.VERBOSE,
)
_DROPPED = re.compile(
    r"""-c | -S | -E | -g.* | -pipe | -v | -s | -p | -pg | --coverage | -shared | -rdynamic | -save-temps(=\w+)?
    | -M(M|D|MD|P|G)? | -L.+ | -Wl,.* | -Winvalid-pch
    | -f(no-)?(
        profile | test-coverage | dump | stack-usage | callgraph-info | save-optimization-record | opt-info
        | diagnostics | color-diagnostics | sanitize | time-trace | time-report | compare-debug | use-ld
        | file-prefix-map | macro-prefix-map | debug-prefix-map | working-directory | pch | instrument
    )\S*""",
    re.VERBOSE,
)
_DROPPED_WITH_VALUE = frozenset({"-o", "-MF", "-MT", "-MQ", "-MJ", "-L"})
_WITH_VALUE = _DROPPED_WITH_VALUE | {*FOLDER_FLAGS, "-x", "-D", "-U", "-l", "--param"}


class BuildCommand(Struct, frozen=True):
    """How a file is built: ``compiler flags… file``."""

    compiler: str
    """A plain name, found on PATH."""
    flags: tuple[str, ...]
    """Allowed flags in their order. Folders of include flags are absolute and stand apart (``-I``, ``/dir``)."""
    include_dirs: tuple[str, ...]
    """Those folders."""
    source: str
    """Where the flags are from: ``settings``, ``--flags``, ``compile_commands.json`` or ``default``."""
    dropped: tuple[str, ...] = ()
    """Flags left out because they do not change what the program does."""
    notes: tuple[str, ...] = ()
    """What the user should know, one sentence each."""


def build_command(file: Path, settings: Settings) -> BuildCommand:
    """The build of a C or C++ file. Raises SettingsError where a flag or compiler is not allowed."""
    language = language_of(file)
    entry = None if settings.flags is not None and settings.compiler else find_entry(file)
    notes: list[str] = []

    compiler = _compiler(file, settings, entry, language, notes)
    if settings.flags is not None:
        typed = settings.flags_from
        folder = Path(typed) if typed else Path(settings.file).parent if settings.file else Path.cwd()
        source, given = "--flags" if typed else "settings", settings.flags

        def refuse(message: str) -> SettingsError:
            return mistake(settings, "flags", message)
    elif entry is not None:
        folder, source, given = entry.folder, "compile_commands.json", entry.flags

        def refuse(message: str) -> SettingsError:
            return SettingsError(message, path=str(entry.database))
    else:
        folder, source, given = file.parent, "default", DEFAULT_FLAGS[Language.CPP if "++" in compiler else Language.C]
        refuse = SettingsError

    from_database = settings.flags is None and entry is not None
    sieve = _Sieve(
        str(file.resolve()), language, lambda place: str(_absolute(folder, place)), refuse, database=from_database
    )
    sieve.sift(given)
    kept = tuple(sieve.kept)
    if source != "default" and not any(flag.startswith("-O") and flag not in ("-O", "-O0") for flag in kept):
        notes.append(refusals.built_without_optimisation(source))
    folders = tuple(value for name, value in pairwise(kept) if name in FOLDER_FLAGS)
    return BuildCommand(compiler, kept, folders, source, tuple(sieve.dropped), tuple(notes))


def _compiler(file: Path, settings: Settings, entry: Entry | None, language: Language, notes: list[str]) -> str:
    if settings.compiler:
        if not COMPILER[language].fullmatch(settings.compiler):
            raise mistake(settings, "compiler", refusals.compiler_not_allowed(settings.compiler, language.value))
        name = settings.compiler
    elif entry is not None:
        name = Path(entry.compiler).name
        name = C_TWIN.get(name, name) if language is Language.CPP else name
        if not COMPILER[language].fullmatch(name):
            raise SettingsError(refusals.compiler_not_allowed(entry.compiler, language.value), path=str(entry.database))
        found = shutil.which(name)
        if "/" in entry.compiler and found and Path(found).resolve() != (entry.folder / entry.compiler).resolve():
            notes.append(refusals.compiler_from_path(entry.compiler, found))
    else:
        name = DEFAULT_COMPILER[language]
    found = shutil.which(name)
    workspace = Path(settings.file).parent if settings.file else file.absolute().parent
    if found and Path(found).resolve().is_relative_to(workspace.resolve()):
        raise SettingsError(refusals.compiler_in_workspace(found))
    return name


def check_job_flags(
    compiler: str, flags: Sequence[str], unit: str, toolchain: Sequence[Path] = (Path("/usr"),)
) -> None:
    """Raise SettingsError unless an evaluation job may have this compiler and these flags.

    They must be as :func:`build_command` gives them, but with folders relative to the job's root, or absolute below
    one of ``toolchain``. ``unit``: the path of the translation unit in the job. Raises Refused where that is no C or
    C++ file.
    """
    language = language_of(Path(unit))
    if not COMPILER[language].fullmatch(compiler):
        raise SettingsError(refusals.compiler_not_allowed(compiler, language.value))
    # No file belongs among the flags of a job: its unit is named after them.
    sieve = _Sieve("", language, lambda place: _inside(place, toolchain), SettingsError)
    sieve.sift(flags)
    if sieve.kept != list(flags):
        odd = next((flag for flag in flags if flag not in sieve.kept), sieve.kept[-1] if sieve.kept else "")
        raise SettingsError(refusals.flag_refused(odd, database=False))


class _Sieve:
    """Sorts flags into those to keep and those to drop; raises what ``refuse`` makes for any other.

    ``place`` gives the full form of a path, ``file`` is that of the file to build; it may raise ValueError.
    ``database``: the flags are from compile_commands.json.
    """

    def __init__(
        self,
        file: str,
        language: Language,
        place: Callable[[str], str],
        refuse: Callable[[str], SettingsError],
        *,
        database: bool = False,
    ) -> None:
        self.file = file
        self.place = place
        self.language = language
        self.refuse = refuse
        self.database = database
        self.kept: list[str] = []
        self.dropped: list[str] = []

    def sift(self, given: Sequence[str]) -> None:
        rest = iter(given)
        for flag in rest:
            if "\0" in flag:
                raise self.refuse(self._refused(flag.replace("\0", "\\0")))
            if flag in _WITH_VALUE:
                value = next(rest, None)
                if value is None or "\0" in value:
                    raise self.refuse(refusals.flag_without_value(flag))
                self._pair(flag, value)
            elif name := next((name for name in FOLDER_FLAGS if flag.startswith(name)), None):
                self._pair(name, flag.removeprefix(name))
            else:
                self._single(flag)

    def _refused(self, flag: str) -> str:
        return refusals.flag_refused(flag, database=self.database)

    def _pair(self, flag: str, value: str) -> None:
        if flag in FOLDER_FLAGS:
            if value.startswith(("=", "$SYSROOT")):
                raise self.refuse(self._refused(f"{flag}{value}"))
            try:
                self.kept += (flag, self.place(value))
            except ValueError as error:
                raise self.refuse(self._refused(f"{flag}{value}")) from error
        elif flag == "-x":
            if value not in (self.language.value.lower(), "none"):
                raise self.refuse(refusals.flag_other_language(value, Path(self.file).name))
            self.dropped += (flag, value)
        elif flag in _DROPPED_WITH_VALUE:
            self.dropped += (flag, value)
        else:
            self._single(f"{flag}{'=' if flag == '--param' else ''}{value}")

    def _single(self, flag: str) -> None:
        if flag.startswith(("-", "@")):
            if _REFUSED.fullmatch(flag) or not (_DROPPED.fullmatch(flag) or _KEPT.fullmatch(flag)):
                raise self.refuse(self._refused(flag))
            (self.dropped if _DROPPED.fullmatch(flag) else self.kept).append(flag)
        elif self.file and self.place(flag) == self.file:
            self.dropped.append(flag)
        else:
            raise self.refuse(refusals.flag_other_file(flag))


def _absolute(folder: Path, where: str) -> Path:
    """Absolute and without ``..``; the file may be reached through links, so links are resolved."""
    return (folder / where).resolve()


def _inside(where: str, toolchain: Sequence[Path]) -> str:
    """The path itself. Raises ValueError where it leaves the folder that it is relative to, or the toolchain."""
    path = PurePosixPath(where)
    outside = path.is_absolute() and not any(path.is_relative_to(top) for top in toolchain)
    if not where or outside or ".." in path.parts:
        raise ValueError(where)
    return where
