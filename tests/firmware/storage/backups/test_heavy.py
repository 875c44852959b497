"""Expensive backups: reading time is linear in the file's size, and limited."""

import shutil
import sys
from contextlib import nullcontext, suppress
from pathlib import Path
from types import FrameType

import msgspec
import pytest
from msgspec.structs import replace

from firmware.storage.backups import archive
from firmware.storage.backups.archive import MANIFEST, Manifest, TablePlaces
from firmware.storage.backups.restoring import stage
from firmware.storage.errors import BackupError
from referee.sums import MAX_LINE_BYTES, SealedLine, filed, lines_in
from tests.firmware.storage.backups.heavy import MATCHES, empty_lines, heavy_backup
from tests.firmware.storage.backups.spoilt import MATCH, manifest_for, pack_files
from tests.firmware.storage.backups.tables import backup_of, files_in, places_in, table_in

SIZE = 150_000


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("good")
    return backup_of(table_in(folder, "Ana"), folder / "b.zip")


class CountingBytes(bytes):
    """Bytes that count how many of them are read."""

    taken = 0

    def __getitem__(self, key: "int | slice") -> "int | bytes":  # type: ignore[override]
        part = super().__getitem__(key)
        self.taken += len(part) if isinstance(part, bytes) else 1
        return part

    def rfind(self, what: bytes, start: int, end: int) -> int:  # type: ignore[override]
        self.taken += end - start
        return super().rfind(what, start, end)


def steps_of_finding(raw: bytes) -> int:
    counted = CountingBytes(raw)
    return sum(1 for _line in lines_in(counted)) + counted.taken


def calls_of_reading(file: Path, here: TablePlaces) -> int:
    calls, before = 0, sys.getprofile()

    def count(_frame: FrameType, event: str, _about: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        with suppress(BackupError):
            stage(file, here)
    finally:
        sys.setprofile(before)
    shutil.rmtree(here.state / "restoring", ignore_errors=True)
    return calls


@pytest.mark.parametrize("kind", MATCHES)
def test_finding_lines_takes_linear_time(kind: str) -> None:
    once, twice, thrice = (steps_of_finding(MATCHES[kind](number * SIZE)) for number in (1, 2, 3))
    # the parts don't end at line ends
    assert thrice - twice <= twice - once + 2 * MAX_LINE_BYTES


@pytest.mark.parametrize("kind", MATCHES)
def test_reading_takes_linear_time(kind: str, good: Path, tmp_path: Path) -> None:
    here = places_in(tmp_path)
    once, twice = (
        calls_of_reading(heavy_backup(good, kind, size, tmp_path / "b.zip"), here) for size in (SIZE, 2 * SIZE)
    )
    assert twice <= 2.1 * once


# limits


def test_limits_lines(good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_LINES", 2)
    with pytest.raises(BackupError, match="backup too large"):
        stage(good, places_in(tmp_path))
    assert not (tmp_path / "state" / "restoring").exists()


def test_limits_missing_lines(good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_LOST", 10)
    whole = files_in(good)[MATCH]
    for far, is_refused in ((12, True), (11, False)):
        number = len(whole.splitlines()) - 1 + far
        more = whole + filed(5, SealedLine(1, number, "{}"), 0)
        file = pack_files(tmp_path / "b.zip", {**files_in(good), MATCH: more})
        with pytest.raises(BackupError, match="damaged") if is_refused else nullcontext():
            assert stage(file, places_in(tmp_path)).missing == far - 1


def test_limits_line_length() -> None:
    for length, found in ((MAX_LINE_BYTES, 1), (MAX_LINE_BYTES + 1, 0)):
        assert len(list(lines_in(filed(5, SealedLine(1, 1, "x" * length + "}"), 0)))) == found


def test_limits_manifest(good: Path, tmp_path: Path) -> None:
    files = files_in(good)
    manifest = msgspec.json.decode(manifest_for(files), type=Manifest)
    for much in (
        replace(manifest, made="2" * 400),
        replace(manifest, left_out=("x",) * 2000),
        replace(manifest, left_out=("x" * 400,)),
        replace(manifest, told=10**30),
        replace(manifest, lines=-1),
    ):
        file = pack_files(tmp_path / "b.zip", {**files, MANIFEST: msgspec.json.encode(much)})
        with pytest.raises(BackupError, match="no backup"):
            stage(file, places_in(tmp_path))


def test_limits_reading_of_damaged_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "b.zip"
    file.write_bytes(bytes(SIZE) + empty_lines(SIZE))
    monkeypatch.setattr(archive, "MOST_MATCH_BYTES", SIZE)
    # whole blocks are read
    assert len(archive.filed_in(file)[0]) < 100
