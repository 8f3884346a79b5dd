"""Finding a program's inputs: in ``maxcode.toml``, beside the file, or from a generator.

The conventions are those of ``docs/workloads.md``. Nothing is run here, and nothing outside the
folder of the program (or of its settings file) is read.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from pathlib import Path

from msgspec import Struct

from maxcode_lsp.errors import Refused
from maxcode_lsp.messages import refusals
from maxcode_lsp.settings import Settings, mistake
from maxcode_lsp.settings.file import is_file
from maxcode_lsp.target.comparison import OutputPolicy, is_empty
from maxcode_lsp.target.conventions import expected_beside, generator_names, inputs_beside, natural
from maxcode_lsp.target.job import Generator, JobFile, TestCase
from maxcode_lsp.target.program import ProgramFacts

LARGEST_BYTES = 256 << 20
"""All inputs and expected outputs of a program together."""
LARGEST_GENERATOR_BYTES = 16 << 20
DEFAULT_SIZE = 1000
HEADER_LINES = 20
"""Where in a generator its usual size may be written."""


class Case(Struct, frozen=True):
    """One input."""

    name: str
    """Its path beside the program, for people."""
    stdin: bytes | None
    """None: the program gets no input."""
    expected: bytes | None = None
    """None: what the original prints."""


class GeneratorFile(Struct, frozen=True):
    """A program that prints an input, given ``SEED SIZE``."""

    path: Path
    data: bytes
    size: int


class Workload(Struct, frozen=True):
    """What a program is run on and how its outputs are compared."""

    cases: tuple[Case, ...]
    """Empty only where there is a generator."""
    generator: GeneratorFile | None
    output: OutputPolicy
    notes: tuple[str, ...] = ()
    """What was noticed, one sentence each."""

    def job_cases(self) -> tuple[TestCase, ...]:
        """The cases by content hash; the content is in :meth:`blobs`."""
        return tuple(TestCase(c.name, _sha256(c.stdin), _sha256(c.expected)) for c in self.cases)

    def job_generator(self) -> Generator | None:
        """The generator by content hash; the content is in :meth:`blobs`."""
        if self.generator is None:
            return None
        return Generator(JobFile(self.generator.path.name, _hash(self.generator.data)), self.generator.size)

    def blobs(self) -> dict[str, bytes]:
        """All content by SHA-256 (hex)."""
        contents = [data for case in self.cases for data in (case.stdin, case.expected) if data is not None]
        contents += [self.generator.data] if self.generator else []
        return {_hash(data): data for data in contents}


def discover(path: Path, facts: ProgramFacts, settings: Settings) -> Workload:
    """The workload of the program at ``path``.

    Raises Refused where it reads standard input and has none, or where an input cannot be used;
    SettingsError where ``[workload]`` names files that are not there.
    """
    path = path.absolute()
    settings_folder = Path(settings.file).parent if settings.file else path.parent
    output = OutputPolicy(settings.output.float_tolerance, settings.output.ignore, settings.output.white_space)
    reader = _Reader((path.parent, settings_folder))
    notes: list[str] = []

    inputs = _configured(settings, settings_folder) if settings.workload.inputs else inputs_beside(path)
    cases: list[Case] = []
    for file in inputs:
        stdin = reader.read(file)
        place = _expected_place(file, settings)
        expected = reader.read(place) if place is not None else None
        if place is not None and expected is not None and is_empty(expected, output):
            notes.append(refusals.expected_is_empty(place.name))
            expected = None
        cases.append(Case(os.path.relpath(file, path.parent), stdin, expected))

    wanted = facts.reads_stdin or settings.workload.generator
    generator = _generator(path, settings, settings_folder, reader) if wanted else None
    if not cases and generator is None:
        if facts.reads_stdin:
            raise Refused(refusals.no_inputs(path.name, path.stem))
        cases.append(Case("no input", None))
    if facts.uses_arguments:
        notes.append(refusals.arguments_unused(path.name))
    return Workload(tuple(cases), generator, output, tuple(notes))


def _configured(settings: Settings, folder: Path) -> list[Path]:
    """The files that ``workload.inputs`` names, in the order of its patterns."""
    found: list[Path] = []
    for pattern in settings.workload.inputs:
        try:
            matches = sorted((f for f in folder.glob(pattern) if not f.is_dir()), key=natural)
        except (ValueError, NotImplementedError, IndexError) as error:
            raise mistake(settings, "workload.inputs", refusals.pattern_unusable(pattern)) from error
        if not matches:
            raise mistake(settings, "workload.inputs", refusals.pattern_finds_nothing(pattern, str(folder)))
        found += matches
    return list(dict.fromkeys(found))


def _expected_place(file: Path, settings: Settings) -> Path | None:
    pattern = settings.workload.expected
    if not pattern:
        return expected_beside(file)
    try:
        place = file.parent / pattern.format(stem=file.stem, name=file.name)
    except (KeyError, ValueError, IndexError, AttributeError) as error:
        raise mistake(settings, "workload.expected", refusals.expected_pattern_wrong(pattern)) from error
    return place if os.path.lexists(place) else None


def _generator(path: Path, settings: Settings, folder: Path, reader: _Reader) -> GeneratorFile | None:
    if settings.workload.generator:
        file = folder / settings.workload.generator
        if not is_file(file):
            said = refusals.generator_missing(settings.workload.generator, str(folder))
            raise mistake(settings, "workload.generator", said)
    else:
        names = (path.parent / name for name in generator_names(path.stem))
        file = next((f for f in names if is_file(f) and (f.suffix == ".py" or _is_program(f))), None)
        if file is None:
            return None
    data = reader.read(file, LARGEST_GENERATOR_BYTES)
    return GeneratorFile(file, data, settings.workload.size or written_size(data) or DEFAULT_SIZE)


def written_size(generator: bytes) -> int | None:
    """The size that a generator's first lines name: ``# size: 100000``."""
    for line in generator.split(b"\n", HEADER_LINES)[:HEADER_LINES]:
        comment = re.match(rb"\s*(?:#|//|--|;|\*)(.*)", line)
        found = re.search(rb"\bsize\s*[:=]\s*(\d[\d_,']*)", comment.group(1), re.IGNORECASE) if comment else None
        if found:
            return int(re.sub(rb"\D", b"", found.group(1))[:12]) or None
    return None


def _is_program(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(4).startswith((b"#!", b"\x7fELF"))
    except OSError:
        return True  # It cannot be read; the reader says so.


class _Reader:
    """Reads files below certain folders, and not more than a workload may hold."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self._folders = tuple(folder.resolve() for folder in folders)
        self._left = LARGEST_BYTES

    def read(self, file: Path, limit: int = LARGEST_BYTES) -> bytes:
        """The file's bytes. Raises Refused where it may not or cannot be read."""
        real = file.resolve()
        if not any(real.is_relative_to(folder) for folder in self._folders):
            raise Refused(refusals.input_outside(file.name, str(self._folders[0])))
        try:
            handle = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
            with os.fdopen(handle, "rb") as opened:
                state = os.fstat(handle)
                if not stat.S_ISREG(state.st_mode):
                    raise Refused(refusals.not_an_ordinary_file(file.name))
                if state.st_size > min(self._left, limit):
                    raise Refused(refusals.inputs_too_large(file.name, min(LARGEST_BYTES, limit)))
                data = opened.read(min(self._left, limit) + 1)
        except OSError as error:
            raise Refused(refusals.file_unreadable(str(file), error.strerror or "it cannot be read")) from error
        if len(data) > min(self._left, limit):
            raise Refused(refusals.inputs_too_large(file.name, min(LARGEST_BYTES, limit)))
        self._left -= len(data)
        return data


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _sha256(data: bytes | None) -> str | None:
    return None if data is None else _hash(data)
