"""The journal, read while it is written to; names that are deleted, whatever happens on the way."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from firmware.start.phones import HISTORY_PROCESS
from firmware.storage.database import Database, connected_for_a_thread
from firmware.storage.errors import JournalError
from firmware.storage.journal import Journal, OpenedJournal, hear, open_journal
from firmware.storage.match_history import FEW, History, is_read
from hardware.twin.player import play_on
from referee.games.catalogue import GAMES
from referee.match import Correct, Match, Setup, begin
from referee.record import names_in, read_record
from referee.summaries import ForgottenPlayer, summary_of
from tests.firmware.conftest import Coyote
from tests.firmware.playing import any_entry, any_match, kept_lines, play_matches
from tests.firmware.storage.faulty_disk import Disk, Remains
from tests.referee.read_cards import READ, called_match
from tests.referee.tables import NAMES

CUTS = 40


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture(name="opened")
def _open_journal(path: Path) -> Iterator[OpenedJournal]:
    with open_journal(path, connected_for_a_thread) as opened:
        yield opened


def at_table(*names: str, game: str = "coyote") -> Match:
    """Play a match to its end."""
    match = begin(Setup(GAMES[game], GAMES[game].house(), names))
    assert isinstance(match, Match)
    return play_on(match, Random(len(names)))


def names_at(path: Path) -> list[tuple[str, ...]]:
    return [names_in(lines[0]) for lines in kept_lines(path).values()]


def wait_for(history: History) -> None:
    """Wait until all has been read."""
    history.entries()
    if history._reader is not None:
        history._reader.join(60)


# reading


def test_there_is_no_history_without_a_journal(path: Path) -> None:
    history = History(path)
    assert history.entries() == ()
    assert history.names() == []
    assert history.match(1) is None
    assert not path.exists()


def test_matches_are_read_while_one_is_written(path: Path, opened: OpenedJournal) -> None:
    rng, history = Random(2), History(path)
    over = at_table("Ana", "Bo")
    opened.journal.begin(over)
    match = any_match(rng)
    number = opened.journal.begin(match)
    while match.number < 40 and match.asks:
        after = hear(opened.journal, number, match, any_entry(match, rng))
        match = after if isinstance(after, Match) else match
        newest, oldest = history.entries(0, 2)
        assert (newest.number, newest.summary) == (2, summary_of(match))
        assert (oldest.number, oldest.summary) == (1, summary_of(over))
        assert len(history.lines(2)) == match.number + 1


def test_what_is_not_asked_for_now_is_read_in_time(path: Path, opened: OpenedJournal) -> None:
    for _match in range(5):
        opened.journal.begin(at_table("Ana", "Bo"))
    history = History(path)
    entries = history.entries(1, 3)
    assert all(is_read(entry) for entry in entries[1:3])
    wait_for(history)
    assert all(is_read(entry) for entry in history.entries())
    assert [entry.number for entry in history.entries()] == [5, 4, 3, 2, 1]


def test_many_matches_are_read_by_a_process_of_their_own(
    path: Path, opened: OpenedJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _match in range(FEW + 1):
        opened.journal.begin(at_table("Ana", "Bo"))
    history = History(path, process=HISTORY_PROCESS)
    monkeypatch.setattr("firmware.storage.match_history._read_match", None)
    wait_for(history)
    assert history.entries() == History(path).entries()
    assert all(is_read(entry) for entry in history.entries())


def test_what_was_summed_up_is_not_read_again(
    path: Path, opened: OpenedJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.journal.begin(at_table("Ana", "Bo"))
    entries = History(path).all()

    def refuse(*_args: object) -> None:
        raise AssertionError("it was read again")

    monkeypatch.setattr("firmware.storage.match_history._read_match", refuse)
    again = History(path)
    assert again.entries(0, 9) == entries
    opened.journal.begin(at_table("Ana", "Bo", "Dan"))
    with pytest.raises(AssertionError, match="read again"):
        again.entries(0, 9)


@pytest.mark.parametrize("content", [b"", b"{", b'{"counted":0,"known":[]}', b"\xff" * 20, b"[" * 5000])
def test_sums_that_cannot_be_used_are_made_anew(path: Path, opened: OpenedJournal, content: bytes) -> None:
    opened.journal.begin(at_table("Ana", "Bo"))
    expected = History(path).all()
    path.with_name(path.name + ".history").write_bytes(content)
    assert History(path).all() == expected


def test_a_damaged_match_is_one_line_and_the_others_are_there(path: Path, opened: OpenedJournal) -> None:
    for _match in range(3):
        opened.journal.begin(at_table("Ana", "Bo"))
    with sqlite3.connect(path) as db:
        db.execute("UPDATE line SET text = 'x' WHERE match = 2 AND number = 3")
    db.close()
    third, second, first = History(path).all()
    assert second.fault is not None
    assert second.summary is None
    assert third.summary == first.summary is not None


def test_trouble_with_the_journal_is_the_systems_trouble(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + bytes(4000))
    with pytest.raises(OSError, match="journal"):
        History(path).entries()


# forgetting


def test_a_name_goes_everywhere_and_all_matches_replay(path: Path, opened: OpenedJournal) -> None:
    matches = [
        at_table("Ana", "Bo"),
        at_table("Bo", "Chloé", "Dan", game="coup"),
        at_table("Dan", "Chloé", "Player 1", game="coup-d-etat"),
        at_table("ANA", "Chloé"),
    ]
    for match in matches:
        opened.journal.begin(match)
    before = kept_lines(path)
    assert opened.journal.forget("ana") == ForgottenPlayer("Player 2", 2)
    assert names_at(path) == [
        ("Player 2", "Bo"),
        ("Bo", "Chloé", "Dan"),
        ("Dan", "Chloé", "Player 1"),
        ("Player 2", "Chloé"),
    ]
    for match, (number, lines) in zip(matches, kept_lines(path).items(), strict=True):
        reading = read_record(lines)
        assert reading.fault is None
        assert reading.match is not None
        assert reading.match.state == match.state
        assert lines[1:] == before[number][1:]
    assert opened.journal.forget("Bo") == ForgottenPlayer("Player 3", 2)
    assert opened.journal.forget("Ana") == ForgottenPlayer("Player 4", 0)


def test_the_name_leaves_the_disk(path: Path) -> None:
    with open_journal(path, connected_for_a_thread) as opened:
        name = "Wilhelmina-Xanthippe"
        for seed in range(30):
            opened.journal.begin(at_table(name, *NAMES[: 1 + seed % 4]))
        history = History(path, lambda who: _finished_future(opened.journal.forget(who)))
        history.all()
        assert any(name.encode() in file.read_bytes() for file in path.parent.iterdir())
        history.forget(name).result()
        assert not [file for file in path.parent.iterdir() if name.encode() in file.read_bytes()]
        wait_for(history)
        assert all("Player 1" in entry.summary.names for entry in history.entries() if entry.summary)
    assert not [file for file in path.parent.iterdir() if name.encode() in file.read_bytes()]
    with open_journal(path) as again:
        assert again == OpenedJournal(again.journal)


def _finished_future(result: object) -> "Future[Any]":
    future: Future[Any] = Future()
    future.set_result(result)
    return future


class Failing:
    """A connection that fails at one of its statements."""

    def __init__(self, db: Database) -> None:
        """Take over a connection that is well."""
        self._db, self.left = db, 10**9

    @property
    def in_transaction(self) -> bool:
        """Say so."""
        return self._db.in_transaction

    def execute(self, sql: str, params: tuple[int | str, ...] = (), /) -> Any:
        """Run a statement, until it fails."""
        if sql.startswith("UPDATE"):
            self.left -= 1
        if self.left < 0:
            self.left = 10**9
            raise sqlite3.OperationalError("the test says so")
        return self._db.execute(sql, params)

    def close(self) -> None:
        """Close."""
        self._db.close()


@pytest.mark.parametrize("well", range(4))
def test_a_failure_on_the_way_changes_nothing(path: Path, well: int) -> None:
    made: list[Failing] = []

    def connect(where: Path) -> Failing:
        made.append(Failing(connected_for_a_thread(where)))
        return made[-1]

    with open_journal(path, connect) as opened:
        for _match in range(4):
            opened.journal.begin(at_table("Ana", "Bo"))
        before = kept_lines(path)
        made[-1].left = well
        with pytest.raises(JournalError):
            opened.journal.forget("Ana")
        assert kept_lines(path) == before
        assert opened.journal.forget("Ana") == ForgottenPlayer("Player 1", 4)


def test_a_power_cut_leaves_all_names_or_none(tmp_path: Path) -> None:
    """Cut the power anywhere while a name goes: each match replays, and all have the same name."""
    disk = Disk("forgetting")
    folder = tmp_path / "table"
    with open_journal(folder / "journal.sqlite3", lambda path: disk.connect(path, 1000)) as opened:
        for _match in range(12):
            opened.journal.begin(at_table("Ana", "Bo", "Dan"))
        begun = len(disk.events)
        opened.journal.forget("Ana")
        ended = len(disk.events)
    seen = set()
    for cut in range(CUTS):
        rng = Random(cut)
        remains, last = Remains(rng), rng.randint(begun, ended)
        for event in disk.events[:last]:
            remains.go_on(event)
        left = tmp_path / f"left-{cut}"
        left.mkdir()
        remains.leave(left)
        path = left / "journal.sqlite3"
        with open_journal(path) as again:
            assert again.aside is None
        (names,) = set(names_at(path))
        assert all(read_record(lines).fault is None for lines in kept_lines(path).values())
        assert len(kept_lines(path)) == 12
        seen.add(names[0])
    assert seen == {"Ana", "Player 1"}


def test_a_damaged_first_line_is_told_and_nothing_changes(path: Path, opened: OpenedJournal) -> None:
    for _match in range(2):
        opened.journal.begin(at_table("Ana", "Bo"))
    with sqlite3.connect(path) as db:
        db.execute("UPDATE line SET seal = 'x' WHERE match = 2 AND number = 0")
    db.close()
    with pytest.raises(JournalError, match="damaged"):
        opened.journal.forget("Ana")


def test_a_history_that_is_only_read_forgets_no_name(path: Path) -> None:
    with pytest.raises(ValueError, match="forget"):
        History(path).forget("Ana")


# the command


def fill_journal(journal: Journal) -> None:
    play_matches(journal, 6, Random(3))


def test_statistics_are_told(coyote: Coyote, path: Path) -> None:
    with open_journal(path) as opened:
        fill_journal(opened.journal)
    said = coyote("statistics")
    assert said.code == 0
    assert said.out.startswith("All games\n  ")
    assert "“Coyote!” right: " in said.out
    one = coyote("statistics --player ana --game coyote").out
    assert one.count("Ana: played") == 2
    assert "Bo: " not in one
    rows = msgspec.json.decode(coyote("statistics --json").out)["players"]
    assert sum(row["won"] for row in rows if row["game"] is None) == 5


def test_the_cards_that_the_camera_read_are_told(coyote: Coyote, path: Path) -> None:
    with open_journal(path) as opened:
        opened.journal.begin(called_match(READ, Correct(5, 4, ("5", "10", "0"))))
    assert coyote("statistics").out == (
        "Camera: cards read, and those that people put right\n"
        "  Coyote, Kidult: read 3, put right 1 (at worst 1 in 1)\n"
    )
    assert coyote("statistics --player ana").out.startswith("Nothing to count yet")
    decks = msgspec.json.decode(coyote("statistics --json").out)["camera"]
    assert [(deck["game"], deck["overall"]) for deck in decks] == [("coyote", {"named": 3, "put_right": 1})]


def test_without_matches_there_is_a_line_that_says_so(coyote: Coyote, path: Path) -> None:
    assert coyote("statistics").out.startswith("Nothing to count yet")
    with open_journal(path) as opened:
        fill_journal(opened.journal)
    assert coyote("statistics --player Zoë").out.startswith("Nothing to count yet")


def test_a_journal_that_cannot_be_read_is_one_line(coyote: Coyote, path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + bytes(4000))
    said = coyote("statistics")
    assert said.code == 1
    assert said.err.count("\n") == 1
