"""Proof bundles: a result in one file that re-proves and re-times itself anywhere.

A bundle is a zip archive: ``manifest.json`` (:class:`Manifest`) and ``blobs/SHA256`` with the source
files, the generator, inputs and expected outputs. It may come from anybody: what it holds is bounded
while it is read and checked before it is used (:mod:`maxcode_lsp.engine.bundle_check`), and nothing in
it is executed outside the sandbox.

``save`` and ``load`` block; where an event loop runs they belong into ``asyncio.to_thread``.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import json
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from maxcode_lsp.engine.bundle_check import BundleFault, bounded, check_manifest
from maxcode_lsp.errors import BundleError, StorageFull
from maxcode_lsp.messages import endings
from maxcode_lsp.records import Candidate, Environment, Evaluation
from maxcode_lsp.target.job import EvaluationJob

FORMAT = 1
SUFFIX = ".maxcode"
MANIFEST_BYTES = 64 << 20
BLOB_BYTES = 512 << 20
"""All blobs together; more is refused, whatever the archive says it holds."""
PIECE_BYTES = 1 << 20
"""Decompressed at once: an entry may hold more than it says."""
STEM_LETTERS = 40
"""Of the target's name in a bundle's; file systems take 255 bytes in all."""


class Manifest(Struct, frozen=True, kw_only=True):
    """What was claimed, and everything needed to claim it again."""

    format: int = FORMAT
    created: str
    """UTC, ISO 8601."""
    target: str
    job: EvaluationJob
    """With ``blobs`` empty: they are files of the archive."""
    candidate: Candidate
    evaluation: Evaluation
    """The confirmation, raw samples included."""
    environment: Environment
    threshold: float
    timed: tuple[str, ...]
    """Names of the inputs that the confirmation timed: of cases of the job, or, for inputs made by its generator,
    names that hold size and seed, from which the generator makes them again."""


class _Form(Struct, frozen=True):
    """What every format of a manifest has; the rest may be another one's."""

    format: int = FORMAT


class Bundle(Struct, frozen=True):
    """A manifest with its blobs in place."""

    manifest: Manifest
    job: EvaluationJob


def now_utc() -> str:
    """The time for a manifest."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def save(folder: Path, manifest: Manifest, job: EvaluationJob) -> Path:
    """Write a bundle into ``folder``; returns its path. Raises StorageFull."""
    stem = re.sub(r"[^\w.-]+", "_", manifest.target)[:STEM_LETTERS] or "target"
    stamp = re.sub(r"\D", "", manifest.created)[:14]
    path = folder / f"{stem}-{stamp}-{manifest.candidate.id}{SUFFIX}"
    partial = path.with_suffix(f".{os.getpid()}.partial")
    lean = replace(manifest, job=replace(job, blobs={}))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
            # Names of files need not be Unicode; msgspec's own JSON has no words for such.
            archive.writestr("manifest.json", json.dumps(msgspec.to_builtins(lean), indent=1))
            for sha256, data in sorted(job.blobs.items()):
                archive.writestr(f"blobs/{sha256}", data)
        partial.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise StorageFull(endings.bundle_not_saved(str(folder), error.strerror or "it cannot be written")) from error
    return path


def load(path: Path) -> Bundle:
    """Read a bundle and check all of it. Raises BundleError with the reason."""
    try:
        return _load(path)
    except BundleFault as fault:
        raise BundleError(endings.bundle_damaged(path.name, str(fault))) from fault
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, struct.error) as error:
        raise BundleError(endings.bundle_damaged(path.name, f"it cannot be unpacked ({error})")) from error
    except (ValueError, TypeError, ArithmeticError, LookupError, RuntimeError, MemoryError) as error:
        # What zipfile and json make of damage that they do not look for.
        raise BundleError(endings.bundle_damaged(path.name, f"it is damaged ({error})")) from error


def _load(path: Path) -> Bundle:
    # A pipe is opened too without waiting for a writer; it is refused afterwards.
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise BundleFault("it is not an ordinary file")
        if os.fstat(file.fileno()).st_size > MANIFEST_BYTES + BLOB_BYTES:
            raise BundleFault("it is larger than any bundle we write")
        with zipfile.ZipFile(file) as archive:
            entries = {info.filename: info for info in archive.infolist()}
            if "manifest.json" not in entries:
                raise BundleFault("it has no manifest")
            manifest = _manifest(path, _read(archive, entries["manifest.json"], MANIFEST_BYTES))
            needed = wanted(manifest.job)
            missing = sum(f"blobs/{sha256}" not in entries for sha256 in needed)
            if missing:
                raise BundleFault(f"{missing} of its files are missing")
            blobs = _blobs(archive, (entries[f"blobs/{sha256}"] for sha256 in sorted(needed)))
    job = replace(manifest.job, blobs=blobs)
    check_manifest(job, manifest.candidate, manifest.threshold)
    job = bounded(job)
    return Bundle(replace(manifest, job=replace(job, blobs={})), job)


def _manifest(path: Path, data: bytes) -> Manifest:
    try:
        raw: Any = json.loads(data)
        form = msgspec.convert(raw, _Form).format
        if form != FORMAT:
            raise BundleError(endings.bundle_of_other_version(path.name, form, FORMAT))
        return msgspec.convert(raw, Manifest)
    except (ValueError, RecursionError) as error:
        raise BundleFault(f"its manifest cannot be read: {error}") from error


def _blobs(archive: zipfile.ZipFile, entries: Iterable[zipfile.ZipInfo]) -> dict[str, bytes]:
    blobs: dict[str, bytes] = {}
    left = BLOB_BYTES
    for info in entries:
        data = _read(archive, info, left)
        left -= len(data)
        sha256 = info.filename.removeprefix("blobs/")
        if hashlib.sha256(data).hexdigest() != sha256:
            raise BundleFault(f"{info.filename} has other content than its name says")
        blobs[sha256] = data
    return blobs


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    """An entry of at most so many bytes, whatever it says about its size. Raises BundleFault."""
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BundleFault("it is compressed in a way that we do not use")
    pieces: list[bytes] = []
    with archive.open(info) as stream:
        while piece := stream.read(PIECE_BYTES):
            most -= len(piece)
            if most < 0:
                raise BundleFault("it is larger than any bundle we write")
            pieces.append(piece)
    return b"".join(pieces)


def wanted(job: EvaluationJob) -> set[str]:
    """Hashes of everything that a job refers to."""
    hashes = {f.sha256 for f in job.files}
    hashes |= {case.stdin_sha256 for case in job.cases if case.stdin_sha256 is not None}
    hashes |= {case.expected_sha256 for case in job.cases if case.expected_sha256 is not None}
    if job.generator is not None:
        hashes.add(job.generator.file.sha256)
    return hashes
