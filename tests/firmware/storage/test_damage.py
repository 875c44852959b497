"""A damaged journal: what it loses, what it reports, and whether all its readers agree."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from msgspec import Struct

from firmware.cli.replay import save
from firmware.storage.backups.archive import TablePlaces, backup, verify_backup
from firmware.storage.database import sealed
from firmware.storage.journal import open_journal
from referee.sums import SealedLine, filed
from tests.firmware.playing import any_match
from tests.firmware.storage import damages
from tests.firmware.storage.damages import COPY, DATABASE, LOG, LeftFiles, Line, kept_in, leave_files
from tests.firmware.storage.read_ways import MADE, flips, incomplete_readers
from tests.given import present
from tests.tiers import slow, tiered

MATCH_FILES = (f"{COPY}/1.jsonl", f"{COPY}/2.jsonl")


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> LeftFiles:
    """Files of a closed table with two matches."""
    return leave_files(tmp_path_factory.mktemp("left"), 0, 7, is_killed=False, begun=2)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> LeftFiles:
    """Files of another table, which was killed."""
    return leave_files(tmp_path_factory.mktemp("other"), 0, 8, is_killed=True, begun=2)


Damage = Callable[[LeftFiles, LeftFiles], Mapping[str, bytes]]
"""Returns damaged files of a table; another table's files are at hand."""


class Danger(Struct, frozen=True):
    """Damage to a table's files, the reports when it is opened, and the lines it costs."""

    damage: Damage
    reports: tuple[str, ...] = ()
    lost: tuple[Line, ...] = ()


def replaced(content: bytes) -> Damage:
    return lambda _left, _other: {DATABASE: content}


def spoiled(names: Iterable[str], *places: Line) -> Damage:
    """Change a letter of these lines in some files."""

    def damage(left: LeftFiles, _other: LeftFiles) -> Mapping[str, bytes]:
        return {name: _with_changed_lines(left, left.files[name], places) for name in names}

    return damage


def _with_changed_lines(left: LeftFiles, content: bytes, places: Iterable[Line]) -> bytes:
    for place in places:
        # in a match file, the text's end comes behind its sum
        text = left.lines[place].encode()[:-1]
        content = content.replace(text, text.replace(b'"', b"'", 1))
    return content


def match_files_of_other_table(_left: LeftFiles, other: LeftFiles) -> Mapping[str, bytes]:
    return {name: other.files[name] for name in other.copies}


def matches_of_other_table(left: LeftFiles, other: LeftFiles) -> Mapping[str, bytes]:
    """File the other table's matches as ours, with the same numbers."""
    return {name: filed_match(left, other.lines, number) for number, name in enumerate(MATCH_FILES, 1)}


def filed_match(left: LeftFiles, lines: Mapping[Line, str], match: int, last: int = 10**6) -> bytes:
    """File the lines of a match up to its last one."""
    sealed_lines = [SealedLine(*place, text) for place, text in lines.items() if place <= (match, last)]
    return b"".join(
        filed(left.table, line, len(sealed_lines)) for line in sealed_lines if line.match_id == match
    )


def killed_before_copying(written: int) -> Damage:
    """Only this many bytes of a match's last line have reached its file."""

    def damage(left: LeftFiles, _other: LeftFiles) -> Mapping[str, bytes]:
        last = max(number for match, number in left.lines if match == 1)
        line = SealedLine(1, last, left.lines[1, last])
        piece = filed(left.table, line, 0)[:written]
        return {MATCH_FILES[0]: filed_match(left, left.lines, 1, last - 1) + piece}

    return damage


def rolled_back_answer(left: LeftFiles, other: LeftFiles) -> Mapping[str, bytes]:
    """Leave another answer in the log, and damage the one that counts."""
    line = SealedLine(1, 8, left.lines[1, 8].replace("8", "7"))
    return {LOG: sealed(line), **spoiled([DATABASE], (1, 8))(left, other)}


def foreign_database() -> bytes:
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE line (text TEXT)")
        db.execute("INSERT INTO line VALUES ('quick brown')")
        return bytes(db.serialize())


BOTH = (DATABASE, *MATCH_FILES)
MENDED = ("journal mended", "lines mended")
DANGERS = {
    "nothing": Danger(lambda _left, _other: {}),
    "a line of the database": Danger(spoiled([DATABASE], (1, 3)), MENDED),
    "a first line of the database": Danger(spoiled([DATABASE], (2, 0)), MENDED),
    "a line of a match file": Danger(spoiled(MATCH_FILES, (1, 3))),
    "lines in both places": Danger(
        spoiled(BOTH, (1, 3), (2, 10)), ("journal mended", "lines missing"), ((1, 3), (2, 10))
    ),
    "a first line in both places": Danger(
        spoiled(BOTH, (2, 0)), ("journal mended", "lines missing", "lines not counted"), ((2, 0),)
    ),
    "an answer that was rolled back": Danger(rolled_back_answer, (*MENDED, "log laid aside")),
    "a kill before a line is copied": Danger(killed_before_copying(0)),
    "a kill while a line is copied": Danger(killed_before_copying(90)),
    "an empty database": Danger(replaced(b""), ("lines mended",)),
    "a database cut after its title": Danger(replaced(b"SQLite format 3\0"), MENDED),
    "a database without first lines": Danger(
        lambda left, _other: {DATABASE: damages.blank_match_heads(left)}, MENDED
    ),
    "a text in place of the database": Danger(replaced(b"The quick brown fox\n" * 1000), MENDED),
    "a database of another program": Danger(replaced(foreign_database()), MENDED),
    "empty match files": Danger(lambda left, _other: dict.fromkeys(left.copies, b""), ("lines not counted",)),
    "the log of another table": Danger(lambda _left, other: {LOG: other.files[LOG]}, ("log laid aside",)),
    "match files of another table": Danger(
        match_files_of_other_table, ("copy laid aside", "lines not counted")
    ),
    "match files of other matches": Danger(matches_of_other_table, ("copy laid aside", "lines not counted")),
    "match files of another table, and a line": Danger(
        lambda left, other: {
            **match_files_of_other_table(left, other),
            **spoiled([DATABASE], (1, 3))(left, other),
        },
        ("journal mended", "lines missing", "copy laid aside", "lines not counted"),
        ((1, 3),),
    ),
}


@pytest.mark.parametrize("name", DANGERS)
def test_danger(name: str, left: LeftFiles, other: LeftFiles, tmp_path: Path) -> None:
    danger = DANGERS[name]
    damaged = danger.damage(left, other)
    path = left.lay(tmp_path / "left", damaged)
    expected = {place: text for place, text in left.lines.items() if place not in danger.lost}
    with open_journal(path) as opened:
        assert kept_in(opened) == expected
        assert sorted(each.key for each in opened.repairs()) == sorted(danger.reports)
        heads = [each.head for each in opened.journal.matches()]
        assert heads == [expected.get((match, 0), "") for match in (1, 2)]
        assert opened.missing == Counter(match for match, _number in danger.lost)
    with open_journal(path) as again:
        assert kept_in(again) == expected
        assert again.aside is None
        assert again.journal.names() == ["Ana", "Bo"]
        assert again.journal.begin(any_match(Random(1))) == 3
    copied = b"".join(file.read_bytes() for file in sorted(path.with_name(COPY).iterdir()))
    assert [place for place, text in expected.items() if text.encode()[:-1] not in copied] == []
    assert incomplete_readers(left, damaged, tmp_path) == []


def test_files_moved_aside_are_unchanged(left: LeftFiles, other: LeftFiles, tmp_path: Path) -> None:
    foreign = {LOG: other.files[LOG], **match_files_of_other_table(left, other)}
    with open_journal(left.lay(tmp_path / "left", foreign)) as opened:
        folders = [Path(str(each.values["aside"])) for each in opened.repairs() if "laid aside" in each.key]
    aside = {file.name: file.read_bytes() for folder in folders for file in folder.rglob("*") if file.is_file()}
    for name, content in foreign.items():
        assert aside[Path(name).name] == content
    text = b"The quick brown fox\n" * 1000
    with open_journal(left.lay(tmp_path / "left", {DATABASE: text})) as opened:
        assert present(opened.aside).read_bytes() == text


# any damage


@slow("a table that is opened a hundred times")
def test_line_intact_in_one_copy_survives(tmp_path: Path) -> None:
    small = leave_files(tmp_path / "small", 0, 0, is_killed=False)
    for name, content in small.files.items():
        for at in range(0, len(content), tiered(997, 11)):
            flipped = {name: damages.flip(content, 8 * at + at % 8)}
            assert damages.check_damage(small, flipped, tmp_path / "left") == (0, 0, "")
    large = leave_files(tmp_path / "large", 3, 1, is_killed=True)
    for damaged in damages.damages(large, tiered(8, 400), Random(1)):
        assert damages.check_damage(large, damaged, tmp_path / "left")[2] == ""


@slow("a table that is opened fifty times")
def test_saves_intact_lines_without_copy(tmp_path: Path) -> None:
    closed = leave_files(tmp_path / "closed", 8, 0, is_killed=False)
    whole, lowest_of_version = closed.files[DATABASE], 63
    header, pages = range(0, 100, tiered(12, 3)), range(100, len(whole), tiered(19997, 499))
    spoilt = [damages.flip(whole, 8 * at + at % 8) for at in {*header, *pages} - {lowest_of_version}]
    spoilt += [damages.blanked(whole, at) for at in range(0, len(whole), tiered(3, 1) * 4096)]
    spoilt += [whole[: len(whole) * step // 8 + step] for step in tiered((0, 1, 5), range(8))]
    for database in spoilt:
        damaged = {DATABASE: database, **dict.fromkeys(closed.copies, b"")}
        assert damages.check_damage(closed, damaged, tmp_path / "left")[2] == ""
    killed = leave_files(tmp_path / "killed", 3, 1, is_killed=True)
    for size in tiered((1, 3000), (1, 32, 100, 3000, 9000)):
        damaged = {LOG: damages.blanked(killed.files[LOG], 0, size), **dict.fromkeys(killed.copies, b"")}
        assert damages.check_damage(killed, damaged, tmp_path / "left")[2] == ""


@slow("a journal that is opened dozens of times")
def test_every_loss_is_reported(left: LeftFiles, tmp_path: Path) -> None:
    """Flip bits in match files beside a lost database, and cut files at their ends."""
    bits = [
        {DATABASE: database, copy: damages.flip(left.files[copy], 8 * at + at % 8)}
        for database in (b"", damages.blank_match_heads(left))
        for copy in left.copies
        for at in range(0, len(left.files[copy]), tiered(397, 1))
    ]
    cuts = [
        (played, cut)
        for played in (left, leave_files(tmp_path / "killed", 0, 4, is_killed=True, begun=4))
        for cut in damages.truncate_files(played, tiered(9, 400), Random(5))
    ]
    for played, damaged in [*((left, each) for each in bits), *cuts]:
        assert damages.count_unreported(played, damaged, tmp_path / "left") == (0, 0), list(damaged)


@slow("a journal that is read in all ways, over and over")
@pytest.mark.parametrize("is_killed", [True, False])
def test_no_reader_is_silently_incomplete(is_killed: bool, tmp_path: Path) -> None:
    played, rng = leave_files(tmp_path / "table", 0, 9, is_killed=is_killed, begun=3), Random(9)
    for damaged in (*flips(played, tiered(1, 400), rng), *damages.truncate_files(played, tiered(3, 100), rng)):
        assert incomplete_readers(played, damaged, tmp_path) == [], list(damaged)


def test_saving_and_backup_report_lost_lines(tmp_path: Path) -> None:
    killed = leave_files(tmp_path / "table", 0, 3, is_killed=True)
    [copy] = killed.copies
    path = killed.lay(tmp_path / "left", {LOG: killed.files[LOG][:-9000], copy: killed.files[copy][:-900]})
    result = CliRunner().invoke(save, ["--journal", str(path)])
    assert (result.exit_code, "last lines of the journal are lost" in result.stderr) == (0, True)
    saved = len(result.stdout.splitlines())
    assert saved < len(killed.lines)
    file = tmp_path / "b.zip"
    file.write_bytes(b"".join(backup(TablePlaces(path.parent, path, tmp_path / "coyote.toml"), MADE)))
    manifest = verify_backup(file)
    assert (manifest.lines, manifest.told) == (saved, len(killed.lines))
