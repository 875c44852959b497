"""Foreign files in place of a backup: nothing changes, and one line gives the reason."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from zipfile import ZipFile, ZipInfo

import pytest

from firmware.language.speaking import problem_text
from firmware.storage.backups.archive import MANIFEST, Content, TablePlaces, size_limit
from firmware.storage.backups.restoring import stage
from firmware.storage.errors import BackupError
from tests.firmware.storage.backups import spoilt
from tests.firmware.storage.backups.spoilt import MATCH, NAMES, Files, manifest_for, pack_files
from tests.firmware.storage.backups.tables import backup_of, files_in, kept_content, table_in
from tests.tiers import tiered


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("good")
    return files_in(backup_of(table_in(folder, "Ana"), folder / "b.zip"))


def refusal_of(file: Path, here: TablePlaces) -> str:
    before = kept_content(here)
    with pytest.raises(BackupError) as error:
        stage(file, here)
    assert kept_content(here) == before
    assert not (here.state / "restoring").exists()
    assert not list(here.state.glob(".backup-*"))
    assert "\n" not in problem_text(error.value.problem)
    return problem_text(error.value.problem)


@pytest.fixture
def here(tmp_path: Path) -> TablePlaces:
    return table_in(tmp_path / "here", "Zoë")


def test_rejects_link(files: Files, here: TablePlaces, tmp_path: Path) -> None:
    content = {**files, "table.json": b"/etc/passwd"}
    with ZipFile(tmp_path / "b.zip", "w") as opened:
        for name, inside in {**content, MANIFEST: manifest_for(content)}.items():
            entry = ZipInfo(name)
            entry.external_attr = (0o120777 if name == "table.json" else 0o100600) << 16
            opened.writestr(entry, inside)
    refusal_of(tmp_path / "b.zip", here)


def test_rejects_bomb_by_stated_and_real_size(files: Files, here: TablePlaces, tmp_path: Path) -> None:
    said = {f"decks/a/{number}/1.png": Content(7_900_000, "") for number in range(130)}
    lie = {"decks/a/b/1.png": Content(10, "")}
    bombs: tuple[tuple[Files, Mapping[str, Content]], ...] = (
        ({"decks/a/b/1.png": bytes(9_000_000)}, {}),
        (dict.fromkeys(said, b""), said),
        ({"decks/a/b/1.png": bytes(5_000_000)}, lie),
    )
    for bomb, claims in bombs:
        content = {**files, **bomb}
        packed = pack_files(tmp_path / "b.zip", {**content, MANIFEST: manifest_for(content, claims)})
        assert "too large" in refusal_of(packed, here)


def test_reports_full_disk(
    files: Files, here: TablePlaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.storage.backups.restoring.RESERVE", 10**18)
    assert "too full" in refusal_of(pack_files(tmp_path / "b.zip", files), here)


SPOILT: tuple[Mapping[str, bytes], ...] = (
    *({name: b"x"} for name in NAMES if name and name.isprintable() and len(name) < 1000),
    {"matches/01.jsonl": b""},
    {"coyote.toml": b"sound.volume = 900"},
    {"chosen.json": b'{"sound": 1}'},
    {"cards.json": b"["},
    {"cards.json": b'{"used": {"coup": "../../etc"}}'},
    {"table.json": b'{"plane": 1}'},
    {"table.png": b"\x89PNG\r\n\x1a\nxx"},
    {"table.png": b"\x89PNG\r\n\x1a\n" + bytes(8) + b"\xff\xff\xff\xff" * 2},
    {"decks/Ana/deck.json": b"{"},
    {"decks/Ana/Qs/1.png": b"\x89PNG\r\n\x1a\nxx"},
    {MANIFEST: b"{"},
    {MANIFEST: b"[" * 100_000},
)


def test_rejects_unknown_name_or_content(files: Files, here: TablePlaces, tmp_path: Path) -> None:
    assert size_limit("decks/a/b/1.png")
    for spoilt_one in SPOILT:
        refusal_of(pack_files(tmp_path / "b.zip", {**files, **spoilt_one}), here)


def test_line_that_does_not_match_its_sum_is_missing(files: Files, here: TablePlaces, tmp_path: Path) -> None:
    changed = files[MATCH].replace(b"Ana", b"Eve")
    assert changed != files[MATCH]
    staged = stage(pack_files(tmp_path / "b.zip", {**files, MATCH: changed}), here)
    assert (staged.matches, staged.unread, staged.missing) == (2, 1, 1)


def test_damaged_backup_changes_nothing(files: Files, here: TablePlaces) -> None:
    for seed in range(tiered(12, 300)):
        assert not spoilt.try_restore(spoilt.spoilt(files, Random(seed)), here), seed
