"""Files that are no backup of ours: nothing here changes, and one line says why."""

import sqlite3
import struct
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile, ZipInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.language.troubles import error_text
from firmware.storage.backups.parts import MANIFEST, BackupError, Content, TablePlaces, size_limit
from firmware.storage.backups.unpacking import stage
from tests.firmware.storage.backups.spoilt import Files, manifest_for, spoilt, try_restore
from tests.firmware.storage.backups.tables import backup_of, kept_content, places_in, table_in


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Give what a good backup holds."""
    folder = tmp_path_factory.mktemp("good")
    with ZipFile(backup_of(table_in(folder, "Ana"), folder / "b.zip")) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def pack_files(file: Path, files: Mapping[str, bytes], how: int = ZIP_DEFLATED) -> Path:
    """Pack files with a manifest that fits them, unless they bring their own."""
    with ZipFile(file, "w", how) as opened:
        for name, content in {MANIFEST: manifest_for(files), **files}.items():
            opened.writestr(name, content)
    return file


def refusal_of(file: Path, here: TablePlaces) -> str:
    before = kept_content(here)
    with pytest.raises(BackupError) as error:
        stage(file, here)
    assert kept_content(here) == before
    assert not (here.state / "restoring").exists()
    assert not list(here.state.glob(".backup-*"))
    assert "\n" not in error_text(error.value)
    return error_text(error.value)


@pytest.fixture
def here(tmp_path: Path) -> TablePlaces:
    return table_in(tmp_path / "here", "Zoë")


def whole(files: Files) -> Files:
    return {name: content for name, content in files.items() if name != MANIFEST}


def test_what_these_tests_spoil_is_good_before(files: Files, tmp_path: Path) -> None:
    stage(pack_files(tmp_path / "b.zip", whole(files)), places_in(tmp_path))


@pytest.mark.parametrize(
    "name",
    [
        "../state/links.json",
        "/etc/passwd",
        "decks/../../x.png",
        "decks/a/../../links.json",
        "decks/a/.b/1.png",
        "decks/a/b/1.txt",
        "decks/a\\b/c/1.png",
        "decks/a/deck.json/1.png/x",
        "links.json",
        "journal.sqlite3-wal",
        "decks/",
    ],
)
def test_only_names_of_a_backup_are_let_in(files: Files, here: TablePlaces, tmp_path: Path, name: str) -> None:
    refusal_of(pack_files(tmp_path / "b.zip", {**whole(files), name: b"x"}), here)
    assert size_limit(name) == 0


@given(st.text(alphabet=st.sampled_from("ab./\\decks\0 é"), max_size=30))
def test_a_name_never_leads_out(name: str) -> None:
    if size_limit(name):
        assert not {"", ".", ".."} & set(name.split("/"))
        assert "\\" not in name
        assert "\0" not in name


def test_a_link_is_refused(files: Files, here: TablePlaces, tmp_path: Path) -> None:
    content = {**whole(files), "table.json": b"/etc/passwd"}
    with ZipFile(tmp_path / "b.zip", "w") as opened:
        for name, inside in {**content, MANIFEST: manifest_for(content)}.items():
            entry = ZipInfo(name)
            entry.external_attr = (0o120777 if name == "table.json" else 0o100600) << 16
            opened.writestr(entry, inside)
    refusal_of(tmp_path / "b.zip", here)


def test_a_bomb_is_refused_by_what_it_says(files: Files, here: TablePlaces, tmp_path: Path) -> None:
    bomb = {**whole(files), "decks/a/b/1.png": bytes(9_000_000)}
    assert "larger" in refusal_of(pack_files(tmp_path / "b.zip", bomb), here)
    said = {f"decks/a/{number}/1.png": Content(7_900_000, "") for number in range(130)}
    many = {**whole(files), **dict.fromkeys(said, b"")}
    assert "larger" in refusal_of(
        pack_files(tmp_path / "b.zip", {**many, MANIFEST: manifest_for(many, said)}), here
    )


def test_a_bomb_is_refused_by_what_comes_out(files: Files, here: TablePlaces, tmp_path: Path) -> None:
    bomb = {**whole(files), "decks/a/b/1.png": bytes(5_000_000)}
    manifest = manifest_for(bomb, {"decks/a/b/1.png": Content(10, "")})
    assert "larger" in refusal_of(pack_files(tmp_path / "b.zip", {**bomb, MANIFEST: manifest}), here)


def test_a_list_that_says_it_is_endless_is_not_read(files: Files, here: TablePlaces, tmp_path: Path) -> None:
    content = pack_files(tmp_path / "b.zip", whole(files)).read_bytes()
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 60_000, 60_000, 3_000_000_000, 0, 0)
    (tmp_path / "b.zip").write_bytes(content[:-22] + end)
    assert "larger" in refusal_of(tmp_path / "b.zip", here)


def test_a_disk_that_is_too_full_is_told(
    files: Files, here: TablePlaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.storage.backups.unpacking.RESERVE", 10**18)
    assert "too full" in refusal_of(pack_files(tmp_path / "b.zip", whole(files)), here)


@pytest.mark.parametrize("part", [0, 1, 21, 22, 0.3, 0.9, 0.999])
def test_half_a_file_is_refused(files: Files, here: TablePlaces, tmp_path: Path, part: float) -> None:
    content = pack_files(tmp_path / "b.zip", whole(files)).read_bytes()
    (tmp_path / "b.zip").write_bytes(content[: int(len(content) * part) if 0 < part < 1 else int(part)])
    refusal_of(tmp_path / "b.zip", here)


def test_a_byte_that_was_changed_is_found(files: Files, here: TablePlaces, tmp_path: Path) -> None:
    content = pack_files(tmp_path / "b.zip", whole(files)).read_bytes()
    for at in range(40, len(content) - 22, len(content) // 40):
        changed = bytearray(content)
        changed[at] ^= 0x55
        (tmp_path / "b.zip").write_bytes(changed)
        try:
            stage(tmp_path / "b.zip", here)
        except BackupError:
            continue
        # a date, say, that isn't read: the files themselves are the same
        for name in ("coyote.toml", "chosen.json", "table.json"):
            assert (here.state / "restoring" / "new" / name).read_bytes() == files[name]
        (here.state / "restoring" / "ready.json").unlink()


SPOILT: Mapping[str, Mapping[str, bytes]] = {
    "no database": {"journal.sqlite3": b"hello"},
    "nothing in it": {"journal.sqlite3": b""},
    "no configuration": {"coyote.toml": b"sound.volume = 900"},
    "no choice": {"chosen.json": b'{"sound": 1}'},
    "no table": {"table.json": b'{"plane": 1}'},
    "no picture": {"table.png": b"\x89PNG\r\n\x1a\nxx"},
    "a picture too large": {"table.png": b"\x89PNG\r\n\x1a\n" + bytes(8) + b"\xff\xff\xff\xff" * 2},
    "no deck": {"decks/Ana/deck.json": b"{"},
    "no face": {"decks/Ana/Qs/1.png": b"\x89PNG\r\n\x1a\nxx"},
    "no list": {MANIFEST: b"{"},
    "deep": {MANIFEST: b"[" * 100_000},
}


@pytest.mark.parametrize("what", SPOILT)
def test_what_is_not_what_it_should_be_is_refused(
    files: Files, here: TablePlaces, tmp_path: Path, what: str
) -> None:
    refusal_of(pack_files(tmp_path / "b.zip", {**whole(files), **SPOILT[what]}), here)


def test_without_a_journal_it_is_no_backup(files: Files, here: TablePlaces, tmp_path: Path) -> None:
    refusal_of(pack_files(tmp_path / "b.zip", {"coyote.toml": files["coyote.toml"]}), here)


def test_a_newer_format_says_so(files: Files, here: TablePlaces, tmp_path: Path) -> None:
    newer = {**whole(files), MANIFEST: b'{"format": 2, "more": 1}'}
    assert "newer" in refusal_of(pack_files(tmp_path / "b.zip", newer), here)


def test_another_packing_is_refused(files: Files, here: TablePlaces, tmp_path: Path) -> None:
    refusal_of(pack_files(tmp_path / "b.zip", whole(files), ZIP_BZIP2), here)


# journals


def change_journal(files: Files, tmp_path: Path, *statements: str) -> Files:
    file = tmp_path / "changed.sqlite3"
    file.write_bytes(files["journal.sqlite3"])
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)
    return {**whole(files), "journal.sqlite3": file.read_bytes()}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE line SET text = replace(text, 'Ana', 'Eve')",
        "DELETE FROM line WHERE number = 1 AND match = 1",
        "CREATE TRIGGER more AFTER INSERT ON line BEGIN DELETE FROM line; END",
        "CREATE TABLE other (x)",
        "ALTER TABLE line ADD COLUMN more",
        "PRAGMA user_version = 99",
    ],
)
def test_a_journal_that_is_not_one_is_refused(
    files: Files, here: TablePlaces, tmp_path: Path, statement: str
) -> None:
    refusal_of(pack_files(tmp_path / "b.zip", change_journal(files, tmp_path, statement)), here)


def test_an_empty_journal_is_one(files: Files, here: TablePlaces, tmp_path: Path) -> None:
    staged = stage(pack_files(tmp_path / "b.zip", change_journal(files, tmp_path, "DELETE FROM line")), here)
    assert staged.journal.matches == 0


def test_an_entry_without_a_name_is_refused(files: Files, here: TablePlaces, tmp_path: Path) -> None:
    file = pack_files(tmp_path / "b.zip", {**whole(files), "x" * 9: b"x"})
    # zipfile itself wouldn't write it; a list that is as long is needed
    content = file.read_bytes().replace(b"x" * 9, b"\0" * 9)
    file.write_bytes(content)
    refusal_of(file, here)


def test_whatever_is_spoilt_is_refused_or_changes_nothing_yet(files: Files, here: TablePlaces) -> None:
    for seed in range(15):
        assert not try_restore(spoilt(files, Random(seed)), here), seed


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_in_one_line(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "b.zip"
        file.write_bytes(content)
        with pytest.raises(BackupError):
            stage(file, places_in(Path(folder)))
