from __future__ import annotations

import asyncio
import json
import os
import random
import struct
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode_lsp.engine import bundle, bundle_check
from maxcode_lsp.errors import BundleError, StorageFull
from maxcode_lsp.records import Environment, Evaluation, Feedback, Outcome
from maxcode_lsp.target.job import JobFile, Limits
from tests.executor.jobs import FAST_SUM, GENERATOR, SUM, candidate, job, sha

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


def test_both_ways_go_in_a_thread(tmp_path: Path) -> None:
    async def round_trip() -> bundle.Bundle:
        path = await asyncio.to_thread(bundle.save, tmp_path, MANIFEST, JOB)
        return await asyncio.to_thread(bundle.load, path)

    assert asyncio.run(round_trip()).job == JOB


def test_the_timed_inputs_are_kept(tmp_path: Path) -> None:
    assert bundle.load(saved(tmp_path)).manifest.timed == ("size 10, seed 3",)


@pytest.mark.parametrize("name", ["d\udce4/x.h", "\x1b[31m.h", "ü \"'.h", "a\nb.h", "\u2028.h"])
def test_odd_names_lose_no_result(tmp_path: Path, name: str) -> None:
    odd = msgspec.structs.replace(JOB, files=(JOB.files[0], JobFile(name, JOB.files[1].sha256)))
    manifest = msgspec.structs.replace(MANIFEST, target=f"{name}{'ü' * 300}.cpp", job=odd)
    path = bundle.save(tmp_path, manifest, odd)
    with zipfile.ZipFile(path) as archive:
        text = archive.read("manifest.json").decode("ascii")
    assert text.replace("\n", "").isprintable()
    loaded = bundle.load(path)
    assert loaded.job == odd
    assert loaded.manifest.target == manifest.target


def altered(path: Path, alter: Callable[[dict[str, Any]], object], blobs: dict[str, bytes] | None = None) -> Path:
    """The archive with a manifest that was worked on."""
    with zipfile.ZipFile(path) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    alter(manifest)
    more: dict[str, bytes | None] = {f"blobs/{sha(data)}": data for data in (blobs or {}).values()}
    return rewritten(path, {"manifest.json": json.dumps(manifest).encode(), **more})


def put(value: object, *keys: str | int) -> Callable[[dict[str, Any]], None]:
    """Sets what the keys lead to."""

    def alter(manifest: dict[str, Any]) -> None:
        place: Any = manifest
        for key in keys[:-1]:
            place = place[key]
        place[keys[-1]] = value

    return alter


HUNK = {"start": 0, "end": 0, "replacement": ""}
HOSTILE: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "compiler": (put("/tmp/evil", "job", "compiler"), "cannot be used as a C"),
    "compiler of another language": (put("gcc", "job", "compiler"), "cannot be used as a C"),
    "plugin": (put(["-O2", "-fplugin=x"], "job", "flags"), "-fplugin=x"),
    "flags from a file": (put(["@x"], "job", "flags"), "@x"),
    "folder outside": (put(["-I", "/etc"], "job", "flags"), "-I/etc"),
    "folder above the toolchain": (put(["-I", "/usr/../etc"], "job", "flags"), "-I/usr/../etc"),
    "folder above": (put(["-I", "a/../../b"], "job", "flags"), "-Ia/../../b"),
    "another file": (put(["own.h"], "job", "flags"), "own.h"),
    "unit that is not there": (put("b.cpp", "job", "unit"), "file to build is not in it"),
    "unit that is a flag": (put("-fplugin=x.cpp", "job", "unit"), "file to build is not in it"),
    "unit of no language": (put("own.h", "job", "unit"), "not a C or C"),
    "path above": (put("../own.h", "job", "files", 1, "path"), "no path"),
    "path from the root": (put("/etc/own.h", "job", "files", 1, "path"), "no path"),
    "path of a folder": (put(".", "job", "files", 1, "path"), "no path"),
    "path in another form": (put("x//own.h", "job", "files", 1, "path"), "no path"),
    "empty path": (put("", "job", "files", 1, "path"), "no path"),
    "path with a zero byte": (put("a\0b", "job", "files", 1, "path"), "no path"),
    "path with half a character": (put("\ud83d.h", "job", "files", 1, "path"), "no path"),
    "long path": (put("x" * 256, "job", "files", 1, "path"), "no path"),
    "one path twice": (put("a.cpp", "job", "files", 1, "path"), "twice"),
    "file that is a folder": (put("a.cpp/own.h", "job", "files", 1, "path"), "both a file and a folder"),
    "generator outside": (put("../gen.py", "job", "generator", "file", "path"), "no path"),
    "generator without a size": (put(0, "job", "generator", "size"), "no sane size"),
    "generator that takes long": (put(1e9, "job", "generator", "sample_s"), "no sane size"),
    "no input": (put(None, "job", "generator"), "no input"),
    "change of another file": (put("own.h", "candidate", "change", "path"), "another file"),
    "change of another text": (put("0" * 64, "candidate", "change", "base_sha256"), "another file"),
    "hunk past the end": (put([HUNK | {"start": 10**6, "end": 10**6}], "candidate", "change", "hunks"), "does not fit"),
    "hunk before the start": (put([HUNK | {"start": -5}], "candidate", "change", "hunks"), "does not fit"),
    "hunks that overlap": (put([HUNK, HUNK], "candidate", "change", "hunks"), "does not fit"),
    "hunk with a CR": (put([HUNK | {"replacement": "DQo="}], "candidate", "change", "hunks"), "does not fit"),
    "hunk that is no base64": (put([HUNK | {"replacement": "!"}], "candidate", "change", "hunks"), "manifest"),
    "another candidate": (put([], "candidate", "change", "hunks"), "another version"),
    "time below zero": (put(-1, "job", "limits", "run_s"), "limit run_s"),
    "no memory": (put(0, "job", "limits", "build_memory_bytes"), "limit build_memory_bytes"),
    "no number": (put(float("nan"), "job", "limits", "run_s"), "limit run_s"),
    "threshold that proves nothing": (put(0.5, "threshold"), "threshold"),
    "threshold without a number": (put(float("nan"), "threshold"), "threshold"),
    "tolerance": (put(float("inf"), "job", "output", "float_tolerance"), "tolerance"),
    "pattern": (put(["("], "job", "output", "ignore"), "regular expression"),
    "long pattern": (put(["x" * 1001], "job", "output", "ignore"), "regular expression"),
    "hash that is a path": (put("../manifest.json", "job", "files", 1, "sha256"), "missing"),
    "format of another kind": (put("x", "format"), "manifest"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_we_would_not_write_is_refused(tmp_path: Path, name: str) -> None:
    alter, said = HOSTILE[name]
    with pytest.raises(BundleError, match=said) as caught:
        bundle.load(altered(saved(tmp_path), alter))
    assert "is not a usable proof bundle" in str(caught.value)


@pytest.mark.parametrize("unit", ["-fplugin=x.cpp", "@a.cpp"])
def test_a_unit_is_never_read_as_a_flag(tmp_path: Path, unit: str) -> None:
    def alter(manifest: dict[str, Any]) -> None:
        manifest["job"]["unit"] = manifest["job"]["files"][0]["path"] = unit
        manifest["candidate"]["change"]["path"] = unit

    with pytest.raises(BundleError, match="no name for a file to build"):
        bundle.load(altered(saved(tmp_path), alter))


def test_folders_of_the_toolchain_are_kept(tmp_path: Path) -> None:
    flags = ("-O2", "-I", "/usr/include/x", "-I", "inc")
    odd = msgspec.structs.replace(JOB, flags=flags)
    assert bundle.load(bundle.save(tmp_path, msgspec.structs.replace(MANIFEST, job=odd), odd)).job.flags == flags


def test_two_inputs_have_two_names(tmp_path: Path) -> None:
    case = {"name": "x", "stdin_sha256": None}
    with pytest.raises(BundleError, match="one name"):
        bundle.load(altered(saved(tmp_path), put([case, case], "job", "cases")))


def test_limits_are_cut_down(tmp_path: Path) -> None:
    huge = dict.fromkeys(msgspec.structs.asdict(Limits()), 10**15)
    assert bundle.load(altered(saved(tmp_path), put(huge, "job", "limits"))).job.limits == bundle_check.LARGEST


def test_deep_manifests_are_said(tmp_path: Path) -> None:
    deep = b'{"job":' + b"[" * 200_000
    with pytest.raises(BundleError, match="manifest"):
        bundle.load(rewritten(saved(tmp_path), {"manifest.json": deep}))


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "BLOB_BYTES", 1 << 20)
    monkeypatch.setattr(bundle, "PIECE_BYTES", 1 << 12)
    zeros = bytes(4 << 20)
    path = altered(saved(tmp_path), put(sha(zeros), "job", "files", 1, "sha256"), {"zeros": zeros})
    packed = path.with_suffix(".packed")
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as other:
        for name in archive.namelist():
            other.writestr(name, archive.read(name))
    with pytest.raises(BundleError, match="larger than any bundle"):
        bundle.load(packed)
    # It says that it is small: then no more than that is read, and that is another content.
    lying = packed.read_bytes().replace(struct.pack("<L", len(zeros)), struct.pack("<L", 10))
    packed.write_bytes(lying)
    with pytest.raises(BundleError, match="not a usable proof bundle"):
        bundle.load(packed)


def test_other_compressions_are_refused(tmp_path: Path) -> None:
    path = saved(tmp_path)
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(path.with_suffix(".x"), "w", zipfile.ZIP_LZMA) as other:
        for name in archive.namelist():
            other.writestr(name, archive.read(name))
    with pytest.raises(BundleError, match="in a way that we do not use"):
        bundle.load(path.with_suffix(".x"))


def test_only_ordinary_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        with pytest.raises(BundleError):
            bundle.load(place)


@given(st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_any_damage_becomes_a_sentence(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    draw = random.Random(seed)
    folder = tmp_path_factory.mktemp("damage")
    path = saved(folder)
    data = bytearray(path.read_bytes())
    for _ in range(draw.randrange(1, 6)):
        data[draw.randrange(len(data))] = draw.randrange(256)
    path.write_bytes(data[: draw.choice([len(data), draw.randrange(len(data))])])
    # Damage that changes nothing we look at (a time stamp) may pass; whatever is raised is a BundleError.
    with suppress(BundleError):
        assert bundle.load(path).job == JOB


def test_a_broken_stream_is_said(tmp_path: Path) -> None:
    path = saved(tmp_path)
    with zipfile.ZipFile(path) as archive:
        info = archive.infolist()[1]
        start = info.header_offset + 30 + len(info.filename)
    data = bytearray(path.read_bytes())
    data[start : start + 8] = b"\xff" * 8
    path.write_bytes(data)
    with pytest.raises(zlib.error):
        zlib.decompress(bytes(data[start : start + 100]), -15)
    with pytest.raises(BundleError, match="cannot be unpacked"):
        bundle.load(path)
