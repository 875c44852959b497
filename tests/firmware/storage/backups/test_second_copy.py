"""A second copy on a stick: all of it, checked, restorable, and those of earlier days."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from firmware.storage import files
from firmware.storage.backups import copies
from firmware.storage.backups.archive import kept_copies, lines_in, verify_backup
from firmware.storage.backups.copies import COPY_SETTINGS, do_copy_job, mounted
from firmware.storage.forgetting import ORDERED, KeptEvening, KeptEverywhere, finish_forgetting
from firmware.storage.journal import open_journal
from firmware.storage.state_place import device_of
from tests.firmware.playing import kept_lines
from tests.firmware.storage.backups import sticks_of_tests as sticks
from tests.firmware.storage.backups.sticks_of_tests import Stick, add_match, content_of
from tests.firmware.storage.backups.tables import table_in
from vision.troubles import Problem

GUEST = "Wilhelmina"


@pytest.fixture
def stick(tmp_path: Path) -> Stick:
    matches = sticks.played_by(1, "Ana", GUEST), sticks.played_by(2, "Ana", "Bo")
    return Stick(tmp_path / "STICK", table_in(tmp_path, "Ana", *matches))


# the newest copy


def test_all_that_a_table_keeps_is_on_the_stick(stick: Stick) -> None:
    [place] = stick.use().places
    assert place.trouble is None
    [copy] = place.copies
    assert (copy.is_own, copy.matches, copy.made[:10]) == (True, 2, "2026-11-01")
    assert sticks.copied_content(stick) == content_of(stick.here)
    assert not list(stick.root.rglob("links.json"))


def test_a_folder_on_the_tables_own_disk_is_no_second_copy(stick: Stick) -> None:
    # what lies below a disk that isn't mounted is hidden once it is
    [place] = do_copy_job(replace(stick.job(), sticks=(), folder=stick.root)).places
    assert place.trouble == Problem("copy beside")
    assert not any(stick.root.iterdir())
    disks = (Path("/dev/shm"), Path("/var/tmp"))  # noqa: S108 - one of them is another than the test's
    elsewhere = next(disk for disk in disks if disk.stat().st_dev != stick.root.stat().st_dev)
    with TemporaryDirectory(dir=elsewhere) as other:
        [place] = do_copy_job(replace(stick.job(), sticks=(), folder=Path(other))).places
        assert (place.trouble, len(place.copies)) == (None, 1)


def test_what_cannot_be_read_back_is_told_and_the_copy_before_it_stays(
    stick: Stick, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick.use()
    [newest] = kept_copies(stick.home)
    before = newest.read_bytes()
    add_match(stick.here, 3)

    def read_back(file: Path) -> None:
        content = file.read_bytes()
        half = len(content) // 2
        file.write_bytes(content[:half] + bytes(40) + content[half + 40 :])
        verify_backup(file)

    monkeypatch.setattr(copies, "verify_from_stick", read_back)
    [place] = stick.copy().places
    assert place.trouble == Problem("copy damaged", {"name": newest.name})
    assert newest.read_bytes() == before
    assert [*newest.parent.iterdir()] == [newest]
    monkeypatch.undo()
    [place] = stick.copy().places
    assert place.trouble is None
    assert sticks.copied_content(stick) == content_of(stick.here)


def test_of_a_damaged_journal_all_is_copied_that_its_own_copy_or_the_stick_has(stick: Stick) -> None:
    stick.use()
    add_match(stick.here, 3)
    whole = stick.here.journal.read_bytes()
    before = kept_lines(stick.here.journal)
    assert stick.copy().places[0].trouble is None
    stick.here.journal.write_bytes(whole.replace(b"coyote", b"c0yote", 1))
    for _time in range(2):
        assert stick.copy().places[0].trouble is None
        [newest] = kept_copies(stick.home)
        assert {(line.match_id, line.number): line.text for line in lines_in(newest)} == {
            (match, number): text for match, lines in before.items() for number, text in enumerate(lines)
        }
        # where its own copy is gone, too, the stick has what was there
        stick.here.journal.with_name("journal.sqlite3.copy").unlink(missing_ok=True)


# which stick


def test_a_stick_that_another_table_uses_has_to_be_chosen_and_each_keeps_its_own(
    stick: Stick, tmp_path: Path
) -> None:
    stick.use()
    other = Stick(stick.root, table_in(tmp_path / "other", "Zoe"))
    [place] = other.copy().places
    assert not place.is_used
    assert [copy.is_own for copy in place.copies] == [False]
    [place] = other.use(day=2).places
    assert [copy.is_own for copy in place.copies] == [True, False]
    [place] = stick.copy().places
    assert [copy.is_own for copy in place.copies] == [True, False]


def test_a_stick_that_leads_elsewhere_is_not_written_to(stick: Stick, tmp_path: Path) -> None:
    stick.use()
    (tmp_path / "elsewhere").mkdir()
    home = stick.home
    shutil.rmtree(home)
    home.symlink_to(tmp_path / "elsewhere")
    assert stick.copy().places[0].trouble == Problem("copy elsewhere", {"path": str(home)})
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("content", [b"", b'{"id": 3}', b"[" * 100_000])
def test_garbage_on_a_stick_hinders_no_copy(stick: Stick, content: bytes) -> None:
    stick.use()
    for file in ("stick.json", f"{stick.home.name}/copy.json", f"{stick.home.name}/journal.sqlite3"):
        (stick.root / "coyote-table" / file).write_bytes(content)
    (stick.home / "nightly" / "0001-2026-10-31.zip").write_bytes(content)
    (stick.home / "nightly" / "nonsense").write_bytes(content)
    stick.copy()
    [place] = stick.use().places
    assert place.is_used
    assert place.trouble is None
    report = stick.restore(stick.home.name, "0001-2026-10-31.zip")
    assert report.trouble == Problem("no backup")


MOUNTS = r"""
22 27 0:21 / / rw - ext4 /dev/root rw
41 22 8:1 / /media/pi/MY\040STICK rw,nosuid - vfat /dev/sda1 rw
42 22 8:2 / /run/media/ana/B rw - exfat /dev/sdb1 rw
43 22 8:3 / /media rw - tmpfs none rw
44 22 8:4 / /mnt/other rw - ext4 /dev/sdc1 rw
nonsense
45 22 8:5 / /media/short
"""


def test_sticks_are_found_by_the_systems_own_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOUNTS", tmp_path / "mounts")
    assert mounted() == ()
    assert device_of(Path("/media/pi/MY STICK/coyote")) == "?"
    (tmp_path / "mounts").write_text(MOUNTS, encoding="utf-8")
    assert mounted() == (Path("/media/pi/MY STICK"), Path("/run/media/ana/B"))
    assert device_of(Path("/media/pi/MY STICK/coyote")) == "/dev/sda1"


# days


def test_the_copies_of_14_days_stay(stick: Stick) -> None:
    stick.use(day=1)
    told = {}
    for day in range(1, 20):
        add_match(stick.here, day + 10)
        stick.copy(day)
        told[day] = content_of(stick.here)
    copies = kept_copies(stick.home)
    assert [copy.name[5:15] for copy in copies] == [f"2026-11-{day:02}" for day in range(19, 4, -1)]
    [place] = stick.copy(19).places
    assert [copy.made for copy in place.copies[1:3]] == ["2026-11-18", "2026-11-17"]
    assert stick.restore(stick.home.name, copies[4].name).trouble is None
    assert content_of(stick.here) == told[15]


def test_what_a_table_has_lost_stays_on_the_stick(stick: Stick) -> None:
    stick.use()
    before = content_of(stick.here)
    for file in stick.here.state.glob("journal.sqlite3*"):
        file.unlink()
    add_match(stick.here, 9)
    [place] = stick.copy().places
    [newest, kept] = place.copies
    assert (newest.matches, newest.name) == (1, "0002-2026-11-01.zip")
    assert kept.name == "0001-2026-11-01.zip"
    assert stick.copy().places[0].copies == place.copies
    assert stick.restore(kept.table, kept.name).trouble is None
    assert content_of(stick.here) == before


# names


def test_what_is_forgotten_leaves_the_stick_when_it_is_plugged_in_again(stick: Stick) -> None:
    here = stick.here
    for day in (1, 2, 3):
        stick.use(day)
        add_match(here, day + 10, "Ana", GUEST)
    # unplugged meanwhile
    with open_journal(here.journal) as opened:
        KeptEverywhere(opened.journal, here).forget(GUEST)
    ORDERED.keep(here.state, KeptEvening("2026-01-01", ((2, "2026 2"),)))
    assert finish_forgetting(here, print)
    assert COPY_SETTINGS.read(here.state).forgotten == 2
    [place] = stick.copy(4).places
    assert place.trouble is None
    assert len(kept_copies(stick.home)) == 4
    there = [ZipFile(copy).read("journal.sqlite3") for copy in kept_copies(stick.home)]
    there += [path.read_bytes() for path in stick.home.rglob("*") if path.is_file()]
    assert not any(gone in content for content in there for gone in (GUEST.encode(), b'"2026 2"'))
    assert all(b'"2026 1"' in content for content in there[:4])
