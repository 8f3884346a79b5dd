from __future__ import annotations

import zipfile
from pathlib import Path

import msgspec
import pytest

from maxcode_lsp.engine import bundle
from maxcode_lsp.errors import BundleError, StorageFull
from maxcode_lsp.records import Environment, Evaluation, Feedback, Outcome
from tests.executor.jobs import FAST_SUM, GENERATOR, SUM, candidate, job

JOB = job(SUM, generator=GENERATOR, more={"own.h": b"int x;"})
MANIFEST = bundle.Manifest(
    created="2026-11-30T19:00:00+00:00",
    target="a b/ü.cpp",
    job=JOB,
    candidate=candidate(SUM, FAST_SUM),
    evaluation=Evaluation("c", Outcome.CORRECT, Feedback("fine")),
    environment=Environment("machine", "g++", ("-O2",), "bubblewrap", "0"),
    threshold=1.05,
    timed=("size 10, seed 3",),
)


def saved(folder: Path) -> Path:
    return bundle.save(folder / "results", MANIFEST, JOB)


def test_round_trip(tmp_path: Path) -> None:
    path = saved(tmp_path)
    assert path.parent == tmp_path / "results"
    loaded = bundle.load(path)
    assert loaded.job == JOB
    assert loaded.manifest.candidate == MANIFEST.candidate
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def rewritten(path: Path, change: dict[str, bytes | None]) -> Path:
    """The archive with entries replaced, or left out where None."""
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    target = path.with_suffix(".changed")
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in (entries | change).items():
            if data is not None:
                archive.writestr(name, data)
    return target


def test_a_changed_blob_is_noticed(tmp_path: Path) -> None:
    path = saved(tmp_path)
    blob = f"blobs/{JOB.files[0].sha256}"
    with pytest.raises(BundleError, match="other content"):
        bundle.load(rewritten(path, {blob: b"int main() {}"}))
    with pytest.raises(BundleError, match="missing"):
        bundle.load(rewritten(path, {blob: None}))


@pytest.mark.parametrize("manifest", [b"{", b"[]", b"\xff", b"{}"])
def test_a_broken_manifest_is_said(tmp_path: Path, manifest: bytes) -> None:
    with pytest.raises(BundleError, match="manifest"):
        bundle.load(rewritten(saved(tmp_path), {"manifest.json": manifest}))


def test_no_manifest_and_other_versions(tmp_path: Path) -> None:
    path = saved(tmp_path)
    with pytest.raises(BundleError, match="manifest"):
        bundle.load(rewritten(path, {"manifest.json": None}))
    newer = msgspec.json.encode(
        msgspec.structs.replace(MANIFEST, format=99, job=msgspec.structs.replace(JOB, blobs={}))
    )
    with pytest.raises(BundleError, match="format 99"):
        bundle.load(rewritten(path, {"manifest.json": newer}))


@pytest.mark.parametrize("data", [b"", b"PK", b"not a zip" * 100])
def test_what_is_no_archive(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.maxcode"
    path.write_bytes(data)
    with pytest.raises(BundleError, match=r"x\.maxcode"):
        bundle.load(path)
    with pytest.raises(BundleError):
        bundle.load(tmp_path / "not-there.maxcode")


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "results").write_text("a file")
    with pytest.raises(StorageFull, match="could not be saved"):
        saved(tmp_path)
