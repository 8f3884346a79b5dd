"""Proof bundles: a result in one file that re-proves and re-times itself anywhere.

A bundle is a zip archive: ``manifest.json`` (:class:`Manifest`) and ``blobs/SHA256`` with the source
files, the generator, inputs and expected outputs. Blobs are checked against their names when read.
Nothing in it is executed outside the sandbox.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import os
import re
import zipfile
from pathlib import Path

import msgspec
from msgspec import Struct

from maxcode_lsp import messages
from maxcode_lsp.errors import BundleError, StorageFull
from maxcode_lsp.records import Candidate, Environment, Evaluation
from maxcode_lsp.target.job import EvaluationJob

FORMAT = 1
SUFFIX = ".maxcode"
MANIFEST_BYTES = 64 << 20
BLOB_BYTES = 512 << 20
"""All blobs together; more is refused, whatever the archive says it holds."""


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
    """Names of the timed inputs; for generated ones they hold size and seed."""


class Bundle(Struct, frozen=True):
    """A manifest with its blobs in place."""

    manifest: Manifest
    job: EvaluationJob


def now_utc() -> str:
    """The time for a manifest."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def save(folder: Path, manifest: Manifest, job: EvaluationJob) -> Path:
    """Write a bundle into ``folder``; returns its path. Raises StorageFull."""
    stem = re.sub(r"[^\w.-]+", "_", manifest.target) or "target"
    stamp = re.sub(r"\D", "", manifest.created)[:14]
    path = folder / f"{stem}-{stamp}-{manifest.candidate.id}{SUFFIX}"
    partial = path.with_suffix(f".{os.getpid()}.partial")
    lean = msgspec.structs.replace(manifest, job=msgspec.structs.replace(job, blobs={}))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("manifest.json", msgspec.json.format(msgspec.json.encode(lean), indent=1))
            for sha256, data in sorted(job.blobs.items()):
                archive.writestr(f"blobs/{sha256}", data)
        partial.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise StorageFull(messages.bundle_not_saved(str(folder), error.strerror or "it cannot be written")) from error
    return path


def load(path: Path) -> Bundle:
    """Read a bundle and check every blob. Raises BundleError with the reason."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = {info.filename: info for info in archive.infolist()}
            head = entries.get("manifest.json")
            if head is None or head.file_size > MANIFEST_BYTES:
                raise BundleError(messages.bundle_damaged(path.name, "it has no manifest"))
            manifest = msgspec.json.decode(archive.read(head), type=Manifest)
            if manifest.format != FORMAT:
                raise BundleError(messages.bundle_of_other_version(path.name, manifest.format, FORMAT))
            blobs: dict[str, bytes] = {}
            if sum(info.file_size for info in entries.values()) > BLOB_BYTES:
                raise BundleError(messages.bundle_damaged(path.name, "it is larger than any bundle we write"))
            for name, info in entries.items():
                if name.startswith("blobs/"):
                    data = archive.read(info)
                    if hashlib.sha256(data).hexdigest() != name.removeprefix("blobs/"):
                        raise BundleError(
                            messages.bundle_damaged(path.name, f"{name} has other content than its name says")
                        )
                    blobs[name.removeprefix("blobs/")] = data
    except (OSError, zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise BundleError(messages.bundle_damaged(path.name, str(error) or "it is not a bundle")) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BundleError(messages.bundle_damaged(path.name, f"its manifest cannot be read: {error}")) from error
    missing = wanted(manifest.job) - blobs.keys()
    if missing:
        raise BundleError(messages.bundle_damaged(path.name, f"{len(missing)} of its files are missing"))
    return Bundle(manifest, msgspec.structs.replace(manifest.job, blobs=blobs))


def wanted(job: EvaluationJob) -> set[str]:
    """Hashes of everything that a job refers to."""
    hashes = {f.sha256 for f in job.files}
    hashes |= {case.stdin_sha256 for case in job.cases if case.stdin_sha256 is not None}
    hashes |= {case.expected_sha256 for case in job.cases if case.expected_sha256 is not None}
    if job.generator is not None:
        hashes.add(job.generator.file.sha256)
    return hashes
