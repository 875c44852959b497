"""Expensive backups: reading time is linear in the file's size, and limited."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from zipfile import ZipExtFile

import msgspec
import pytest
from msgspec.structs import replace

from firmware.language.speaking import problem_text
from firmware.storage.backups import archive, foreign_journals, restoring
from firmware.storage.backups.archive import MANIFEST, Manifest, TablePlaces, journal_in
from firmware.storage.backups.foreign_journals import database_of
from firmware.storage.backups.restoring import stage
from firmware.storage.database import carve_lines, seal_of, seals_in
from firmware.storage.errors import BackupError
from referee.sums import MAX_LINE_BYTES, SealedLine
from tests.firmware.storage.backups.heavy import FAR, JOURNALS, empty_lines, heavy_backup, noise, seals
from tests.firmware.storage.backups.spoilt import manifest_for, pack_files
from tests.firmware.storage.backups.tables import backup_of, files_in, places_in, table_in

SIZE = 150_000
LARGER, DAMAGED = "backup is too large", "are damaged or missing"


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


def steps_of_carving(raw: bytes) -> int:
    counted = CountingBytes(raw)
    return sum(1 for _seal in seals_in(counted)) + counted.taken


@contextmanager
def counted_calls() -> Iterator[list[int]]:
    calls = [0]

    def count(_frame: FrameType, event: str, _about: object) -> None:
        calls[0] += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def calls_of_reading(file: Path, here: TablePlaces) -> tuple[int, str]:
    with counted_calls() as calls, pytest.raises(BackupError) as error:
        stage(file, here)
    return calls[0], problem_text(error.value.problem)


@pytest.mark.parametrize("kind", JOURNALS)
def test_carving_takes_linear_time(kind: str) -> None:
    once, twice, thrice = (steps_of_carving(JOURNALS[kind](number * SIZE)) for number in (1, 2, 3))
    # the parts don't end at line ends
    assert thrice - twice <= twice - once + 2 * MAX_LINE_BYTES


@pytest.mark.parametrize("kind", JOURNALS)
def test_rejecting_takes_linear_time(kind: str, good: Path, tmp_path: Path) -> None:
    here = places_in(tmp_path)
    told = [
        calls_of_reading(heavy_backup(good, kind, size, tmp_path / "b.zip"), here) for size in (SIZE, 2 * SIZE)
    ]
    (once, why), (twice, again) = told
    assert twice <= 2 * once
    assert why == again
    assert "\n" not in why


def test_unpacks_part_in_pieces(good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = heavy_backup(good, "noise", 4 * archive.PIECE, tmp_path / "b.zip")
    asked, read = list[int | None](), ZipExtFile.read

    def note(self: ZipExtFile, most: int | None = -1) -> bytes:
        asked.append(most)
        return read(self, most)

    monkeypatch.setattr(ZipExtFile, "read", note)
    assert journal_in(file) == noise(4 * archive.PIECE)
    assert set(asked) == {archive.PIECE}


# limits


def refusal(journal: bytes, good: Path, folder: Path) -> str:
    file = pack_files(folder / "b.zip", {**files_in(good), "journal.sqlite3": journal})
    return calls_of_reading(file, places_in(folder))[1]


def kept_lines(good: Path) -> list[SealedLine]:
    return foreign_journals.lines_of_foreign(journal_in(good)) or []


def lines_of(texts: list[str]) -> list[SealedLine]:
    return [SealedLine(1, number, text) for number, text in enumerate(texts)]


def packed_loosely(lines: list[SealedLine]) -> bytes:
    texts = (line.text.encode() for line in lines)
    return b"".join(seal_of(1, number, text) + text for number, text in enumerate(texts))


@pytest.mark.parametrize("pack", [lambda lines: database_of(lines, 0), packed_loosely])
def test_limits_lines_of_journal(
    pack: Callable[[list[SealedLine]], bytes], good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = [line for line in kept_lines(good) if line.match_id == 1]
    assert len(whole) > 2
    for module in (restoring, foreign_journals):
        monkeypatch.setattr(module, "MOST_LINES", 2)
    assert LARGER in refusal(pack(whole), good, tmp_path)
    file = pack_files(tmp_path / "b.zip", {**files_in(good), "journal.sqlite3": pack(whole[:2])})
    assert stage(file, places_in(tmp_path)).matches == 1


def test_limits_damaged_lines(good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign_journals, "MOST_LOST", 10)
    whole = packed_loosely(kept_lines(good))
    assert DAMAGED in refusal(whole + 11 * FAR, good, tmp_path)
    file = pack_files(tmp_path / "b.zip", {**files_in(good), "journal.sqlite3": whole + 10 * FAR})
    assert stage(file, places_in(tmp_path)).was_damaged


def test_limits_line_length(good: Path, tmp_path: Path) -> None:
    assert LARGER in refusal(database_of(lines_of(["x" * (MAX_LINE_BYTES + 1)]), 0), good, tmp_path)
    for length, found in ((MAX_LINE_BYTES, 1), (MAX_LINE_BYTES + 1, 0)):
        text = b"x" * length
        assert len(list(carve_lines(seal_of(1, 0, text) + text))) == found


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
        assert "isn't a table's backup" in calls_of_reading(file, places_in(tmp_path))[1]


def test_replays_no_match_to_check_readability(
    good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, lengths = restoring.read_record, list[int]()

    def note(lines: list[str]) -> object:
        lengths.append(len(lines))
        return read(lines)

    monkeypatch.setattr(restoring, "read_record", note)
    assert stage(good, places_in(tmp_path)).matches == len(lengths) == 2
    assert set(lengths) == {1}


def test_limits_reading_of_damaged_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "b.zip"
    file.write_bytes(seals(SIZE) + empty_lines(SIZE))
    monkeypatch.setattr(archive, "LARGEST", {**archive.LARGEST, "journal.sqlite3": SIZE})
    # whole blocks are read
    assert len(journal_in(file)) <= SIZE + 4096
