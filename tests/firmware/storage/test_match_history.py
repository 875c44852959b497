"""Reading the journal during writes, and erasing names despite failures."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from firmware.start.table import sum_up_beside
from firmware.storage.journal import OpenedJournal, enter, open_journal
from firmware.storage.match_history import FEW, SHELF, History, Shelf, is_read
from hardware.twin.player import play_on
from referee.games.catalogue import GAMES
from referee.match import Correct, Match
from referee.record import names_in, read_record
from referee.summaries import ForgottenPlayer, summary_of
from tests.firmware.conftest import Coyote
from tests.firmware.playing import any_entry, any_match, kept_lines, match_at, play_matches
from tests.firmware.storage.faulty_disk import Disk
from tests.firmware.storage.faulty_files import cut_power
from tests.given import present
from tests.referee.read_cards import READ, called_match
from tests.tiers import tiered


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def opened(path: Path) -> Iterator[OpenedJournal]:
    with open_journal(path) as opened:
        yield opened


def at_table(*names: str, game: str = "coyote") -> Match:
    return play_on(match_at("", *names, game=GAMES[game]), Random(len(names)))


def names_at(path: Path) -> list[tuple[str, ...]]:
    return [names_in(lines[0]) for lines in kept_lines(path).values()]


# reading


def test_reads_matches_during_writes(path: Path, opened: OpenedJournal) -> None:
    history = History(path)
    assert (history.entries(), history.names(), history.match(1)) == ((), [], None)
    rng, over = Random(2), at_table("Ana", "Bo")
    opened.journal.begin(over)
    match = any_match(rng)
    number = opened.journal.begin(match)
    while match.number < 20 and match.asks:
        after = enter(opened.journal, number, match, any_entry(match, rng))
        match = after if isinstance(after, Match) else match
        newest, oldest = history.entries(0, 2)
        assert (newest.number, newest.summary) == (2, summary_of(match))
        assert (oldest.number, oldest.summary) == (1, summary_of(over))
        assert len(history.lines(2)) == match.number + 1


def test_separate_process_reads_many_matches(
    path: Path, opened: OpenedJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _match in range(FEW + 1):
        opened.journal.begin(at_table("Ana", "Bo"))
    history = History(path, sum_up_beside=sum_up_beside)
    monkeypatch.setattr("firmware.storage.match_history._read_match", None)
    history.entries()
    present(history._reader).join(60)
    assert history.entries() == History(path).entries()
    assert all(is_read(entry) for entry in history.entries())


def test_damaged_match_is_one_line(path: Path, opened: OpenedJournal) -> None:
    for _match in range(3):
        opened.journal.begin(at_table("Ana", "Bo"))
    with sqlite3.connect(path) as db:
        db.execute("UPDATE line SET text = 'x' WHERE match = 2 AND number = 3")
    db.close()
    third, second, first = History(path).all()
    assert (second.fault is None, second.summary) == (False, None)
    assert third.summary == present(first.summary)


# forgetting


def test_name_forgotten_during_caching_is_not_cached(
    path: Path, opened: OpenedJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep_late(journal: Path, shelf: Shelf) -> None:
        opened.journal.forget("Ana")
        SHELF.file(journal).write_bytes(msgspec.json.encode(shelf))

    opened.journal.begin(at_table("Ana", "Bo"))
    monkeypatch.setattr(SHELF, "keep", keep_late)
    History(path).all()
    assert not SHELF.file(path).exists()


def test_name_is_replaced_and_matches_replay(path: Path, opened: OpenedJournal) -> None:
    coup = at_table("Dan", "Chloé", "Player 1", game="coup-d-etat")
    matches = [at_table("Ana", "Bo"), coup, at_table("ANA", "Chloé")]
    for match in matches:
        opened.journal.begin(match)
    before = kept_lines(path)
    assert opened.journal.forget("ana") == ForgottenPlayer("Player 2", 2)
    assert names_at(path) == [("Player 2", "Bo"), ("Dan", "Chloé", "Player 1"), ("Player 2", "Chloé")]
    for match, (number, lines) in zip(matches, kept_lines(path).items(), strict=True):
        reading = read_record(lines)
        assert reading.fault is None
        assert present(reading.match).state == match.state
        assert lines[1:] == before[number][1:]
    assert opened.journal.forget("Bo") == ForgottenPlayer("Player 3", 1)
    assert opened.journal.forget("Ana") == ForgottenPlayer("Player 4", 0)


def test_power_cut_leaves_all_names_or_none(tmp_path: Path) -> None:
    """Cut the power anywhere while a name is erased: each match replays, and all have the same name."""
    disk, matches, seen = Disk("forgetting"), 8, set()
    with open_journal(tmp_path / "table" / "journal.sqlite3", disk.connect) as opened:
        for _match in range(matches):
            opened.journal.begin(at_table("Ana", "Bo", "Dan"))
        begun = len(disk.trail.events)
        opened.journal.forget("Ana")
        disk.trail.tell("forgotten")
    path = tmp_path / "left" / "journal.sqlite3"
    for _when, told in cut_power(disk.trail, tiered(12, 400), Random(1), path.parent, begun):
        with open_journal(path) as again:
            assert again.aside is None
        lines = kept_lines(path)
        assert all(read_record(each).fault is None for each in lines.values())
        assert len(lines) == matches
        ((name, *_others),) = set(names_at(path))
        assert name == "Player 1" or not told
        seen.add(name)
    assert seen == {"Ana", "Player 1"}


# the command


def test_shows_statistics(coyote: Coyote, path: Path) -> None:
    assert coyote("record statistics").out.startswith("No finished matches yet")
    with open_journal(path) as opened:
        play_matches(opened.journal, 6, Random(3))
        opened.journal.begin(called_match(READ, Correct(5, 4, ("5", "10", "0"))))
    result = coyote("record statistics")
    assert result.code == 0
    assert "“Coyote!” right: " in result.out
    assert "Coyote, Kidult: read 3, corrected 1 (at worst 1 in 1)" in result.out
    one = coyote("record statistics --player ana --game coyote").out
    assert one.count("Ana: played") == 2
    assert "Bo: " not in one
    report = msgspec.json.decode(coyote("record statistics --json").out)
    assert sum(row["won"] for row in report["players"] if row["game"] is None) == 5
    (deck,) = report["camera"]
    assert (deck["game"], deck["overall"]) == ("coyote", {"named": 3, "put_right": 1})
    assert coyote("record statistics --player Zoë").out.startswith("No finished matches yet")
