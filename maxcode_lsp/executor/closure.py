"""The file closure of a translation unit, from the compiler's own ``-M``, as a job without user paths."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from msgspec import Struct

from maxcode_lsp.errors import Refused
from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.executor.sandbox import Command, Conduct, Mount, Scratch, filling, open_sandbox
from maxcode_lsp.executor.toolchain import Compiler
from maxcode_lsp.executor.unsaved import View, view_with
from maxcode_lsp.messages import phrases, preparing
from maxcode_lsp.target.job import JobFile

SCAN_LIMIT_S = 60.0
SCAN_MEMORY_BYTES = 2 << 30
CLOSURE_BYTES = 256 << 20
_MISSING = re.compile(r"fatal error: ['\"]?([^:'\"\n]+)['\"]?(?::| file not found)")
_INCLUDE_FLAGS = ("-I", "-isystem", "-iquote", "-idirafter")


class Closure(Struct, frozen=True):
    """Everything the compiler reads beyond the toolchain, at paths relative to one root."""

    files: tuple[JobFile, ...]
    unit: str
    flags: tuple[str, ...]
    """The given flags with include folders made relative to the root; those that are not needed are left out, those
    of the toolchain (below ``/usr``, or installed with the compiler) stay as they are."""
    blobs: dict[str, bytes]


async def scan(
    file: Path,
    compiler: Compiler,
    flags: tuple[str, ...],
    *,
    text: bytes | None = None,
    allow_unconfined: bool,
    cores: Cores | None = None,
) -> Closure:
    """The closure of ``file`` (absolute). Include flags hold absolute folders.

    ``text``: what an editor has of the file, which need not be there; None: what is on disk. ``cores``: one is
    held meanwhile; None: nobody measures.

    Raises Refused where the preprocessor fails, for example on a missing header.
    """
    root = project_root(file.parent)
    if text is None:
        return await _scan(file, View(root, root), compiler, flags, allow_unconfined, cores)
    scratch = Scratch()
    try:
        with filling(scratch.path):
            view = await asyncio.to_thread(view_with, file, text, root, scratch.folder("unsaved"))
        return await _scan(file, view, compiler, flags, allow_unconfined, cores)
    finally:
        await asyncio.to_thread(scratch.close)


async def _scan(
    file: Path, view: View, compiler: Compiler, flags: tuple[str, ...], allow_unconfined: bool, cores: Cores | None
) -> Closure:
    root, seen = view.root, view.seen(file)
    folders = include_folders(flags)
    tops = (Path("/usr"), *(mount.source for mount in compiler.mounts))
    outside = [f for f in folders if f.is_dir() and not f.is_relative_to(root) and not provided(f, root, tops)]
    # The file may be a link to one elsewhere.
    real = file.resolve().parent  # noqa: ASYNC240 - one look
    linked = [] if real.is_relative_to(root) else [real]
    mounts = [Mount(top, str(top)) for top in dict.fromkeys([root, *linked, *outside, view.top]) if top.is_dir()]
    box = await open_sandbox(
        [*mounts, *compiler.mounts],
        toolchain=True,
        keep_uid=True,
        memory_bytes=SCAN_MEMORY_BYTES,
        allow_unconfined=allow_unconfined,
    )
    try:
        rest = (f for f in flags if not f.startswith("-l"))
        async with nullcontext() if cores is None else cores.any() as core:
            ended = await box.run(
                Command(
                    argv=(str(compiler.path), *rest, "-M", "-MT", "x", str(seen)),
                    conduct=Conduct.TOOL,
                    cwd=str(seen.parent),
                    wall_s=SCAN_LIMIT_S,
                    cpu_s=SCAN_LIMIT_S,
                    memory_bytes=SCAN_MEMORY_BYTES,
                    output_bytes=16 << 20,
                    core=core,
                )
            )
    finally:
        await box.close()
    if not ended.ok:
        said = phrases.plain(ended.stderr.replace(os.fsencode(view.top), os.fsencode(root)))
        if missing := _MISSING.search(said):
            raise Refused(preparing.missing_header(file.name, missing.group(1)))
        raise Refused(preparing.original_does_not_compile(file.name, phrases.first_error(said)))
    listed = dict.fromkeys(view.meant(p) for p in dependencies(ended.stdout, seen.parent))
    own = [p for p in listed if not provided(p, root, tops) and p != file]
    kept = {i: folder for i, folder in _include_values(flags) if provided(Path(folder), root, tops)}
    return _collect(file, seen, own, flags, kept)


def provided(path: Path, root: Path, tops: Sequence[Path]) -> bool:
    """Whether ``path`` comes with the toolchain: below one of ``tops``, and not of a project (``root``) in there."""
    return any(
        path.is_relative_to(top) and not (root.is_relative_to(top) and path.is_relative_to(root)) for top in tops
    )


def project_root(folder: Path) -> Path:
    """The nearest folder above that looks like a project's, else ``folder``: what a header may come from."""
    marks = (".git", "maxcode.toml", "compile_commands.json", "CMakeLists.txt", "Makefile")
    for top in (folder, *folder.parents):
        if len(top.parts) > 2 and any((top / mark).exists() for mark in marks):
            return top
    return folder


def include_folders(flags: tuple[str, ...]) -> list[Path]:
    """Folders named by include flags, joined (``-Idir``) or apart (``-I dir``)."""
    return [Path(value) for _, value in _include_values(flags)]


def _include_values(flags: tuple[str, ...]) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for i, flag in enumerate(flags):
        for name in _INCLUDE_FLAGS:
            if flag == name and i + 1 < len(flags):
                found.append((i + 1, flags[i + 1]))
            elif flag.startswith(name) and len(flag) > len(name) and flag not in _INCLUDE_FLAGS:
                found.append((i, flag[len(name) :]))
                break
    return found


def dependencies(makefile: bytes, base: Path) -> list[Path]:
    """Paths of a ``-M`` rule (its own quoting of spaces and continuations), absolute, each once."""
    text = makefile.decode(errors="surrogateescape").replace("\\\n", " ").partition(":")[2].replace("$$", "$")
    words = re.findall(r"(?:\\.|[^\s\\])+", text)
    paths = (Path(os.path.normpath(base / re.sub(r"\\(.)", r"\1", word))) for word in words)
    return list(dict.fromkeys(paths))


def _collect(file: Path, seen: Path, own: list[Path], flags: tuple[str, ...], kept: dict[int, str]) -> Closure:
    """``seen``: where the text of ``file`` is. ``kept``: include folders, by the place of their flag, that stay so."""
    needed = {
        i: folder
        for i, folder in _include_values(flags)
        if i not in kept and any(p.is_relative_to(folder) for p in own)
    }
    top = Path(os.path.commonpath([file.parent, *(p.parent for p in own), *needed.values()]))
    blobs: dict[str, bytes] = {}
    files: list[JobFile] = []
    for path in (file, *own):
        try:
            data = (seen if path == file else path).read_bytes()
        except OSError as error:
            raise Refused(preparing.unreadable(str(path), error.strerror or "unreadable")) from error
        sha256 = hashlib.sha256(data).hexdigest()
        blobs[sha256] = data
        files.append(JobFile(path.relative_to(top).as_posix(), sha256))
        if sum(map(len, blobs.values())) > CLOSURE_BYTES:
            raise Refused(preparing.closure_too_large(CLOSURE_BYTES))
    folders = kept | {i: os.path.relpath(folder, top) for i, folder in needed.items()}
    return Closure(tuple(files), file.relative_to(top).as_posix(), _with_folders(flags, folders), blobs)


def _with_folders(flags: tuple[str, ...], folders: dict[int, str]) -> tuple[str, ...]:
    """Flags with these include folders, by their places, and the others left out."""
    values = dict(_include_values(flags))
    out: list[str] = []
    skip = False
    for i, flag in enumerate(flags):
        if skip:
            skip = False
            continue
        apart = flag in _INCLUDE_FLAGS and i + 1 in values
        at = i + 1 if apart else i
        if at not in values:
            out.append(flag)
            continue
        skip = apart
        if at in folders:
            name = flag if apart else flag[: len(flag) - len(values[at])]
            out += [name, folders[at]] if apart else [name + folders[at]]
    return tuple(out)
