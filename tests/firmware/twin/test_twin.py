"""Whole matches on the twin: rendered frames, the real process of the eyes, pins of gpiozero's mock."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from firmware.core.cards import show_ask
from firmware.storage.journal import open_readonly
from firmware.twin import bot_seats as bots
from firmware.twin.bot_seats import Bots
from referee.contract import Answer, Show
from referee.games.coyote import COYOTE
from referee.games.coyote.house import House
from referee.match import Match, Setup, begin, standing_answers
from referee.record import read_record, record_lines
from tests.firmware.core.tables import Twin, until


def test_bots_play_a_match_to_its_end_and_every_card_is_read_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "PAUSE", 0.05)
    monkeypatch.setattr(bots, "LONGEST", 0.05)
    match = begin(Setup(COYOTE, House(), ("Ana", "Bo"), begun="2026-12-24"))
    assert isinstance(match, Match)
    twin = Twin(match, tmp_path)
    truth: list[list[str]] = []
    lay = twin.world.lay_due

    def lay_when_cleared(match: Match, ask: Show, seats: frozenset[int]) -> None:
        """Lay once the old cards are seen to be gone; who is faster is asked to lay again."""
        until(lambda: not twin.companion.table.cards)
        lay(match, ask, seats)
        truth.append(sorted(card.face for card in twin.world.sight(match, None).lying))

    monkeypatch.setattr(twin.world, "lay_due", lay_when_cleared)
    door = twin.companion.door
    players = Bots(frozenset({0, 1}), door, twin.world, Random(1))
    try:
        until(lambda: door.moment().outcome is not None)
        over = door.moment()
    finally:
        players.close()
        twin.close()
    shows = [step.answer for step in standing_answers(over) if show_ask(_at(over, step.heard_at)) is not None]
    assert len(shows) >= 2
    assert {answer.sense for answer in shows} == {"camera"}
    assert [sorted(answer.value) for answer in shows if isinstance(answer.value, tuple)] == truth
    with open_readonly(tmp_path / "journal.sqlite3") as journal:
        assert journal.lines(1) == record_lines(over)
    assert len(list((tmp_path / "evidence").glob("1.*.jpg"))) == len(shows)
    assert twin.companion.longest > 0


def _at(match: Match, number: int) -> Match:
    while match.number > number and match.before is not None:
        match = match.before
    return match


class Program:
    """`coyote run --twin` as a person starts it."""

    def __init__(self, folder: Path) -> None:
        """Start."""
        surroundings = {
            **os.environ,
            "LANGUAGE": "en",
            "STATE_DIRECTORY": str(folder / "state"),
            "LOGS_DIRECTORY": str(folder / "log"),
            "CONFIGURATION_DIRECTORY": str(folder),
        }
        surroundings.pop("NOTIFY_SOCKET", None)
        command = "from firmware.start.program import main; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", command, "run", "--twin", "--seats", "Ana,Bo"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
            env=surroundings,
        )
        self.lines: list[str] = []
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        self.lines.extend(self.process.stdout)

    def type(self, text: str, wanted: str) -> None:
        """Type a line, and wait until something is told after it."""
        before = len(self.lines)
        assert self.process.stdin is not None
        self.process.stdin.write(f"{text}\n")
        until(lambda: any(wanted in told for told in self.lines[before:]))

    def wait(self, wanted: str, since: int = 0) -> None:
        """Wait until something is told."""
        until(lambda: any(wanted in told for told in self.lines[since:]))

    def lay_until(self, wanted: str, since: int) -> None:
        """Lay what is asked for until something is told: a Cave has one more card turned up."""
        laid = 0
        while not self._has_told(wanted, since):
            until(lambda: self._has_told(wanted, since) or self._count_asks(since) > laid)  # noqa: B023 - done with at once
            if self._count_asks(since) > laid:
                laid = self._count_asks(since)
                self.type("lay", "Laid:")

    def _has_told(self, wanted: str, since: int) -> bool:
        return any(wanted in told for told in self.lines[since:])

    def _count_asks(self, since: int) -> int:
        """Count how often cards were asked for."""
        return sum("Lay 2 cards" in told or told.startswith("Turn up the") for told in self.lines[since:])

    def end(self) -> None:
        """Leave nothing behind."""
        self.process.kill()
        self.process.wait()
        self._reader.join(30)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    def child(self) -> int:
        """Give the process that the supervisor looks after."""
        parent = self.process.pid
        return int(Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii").split()[0])


def test_killed_in_the_middle_it_comes_back_in_the_same_round(tmp_path: Path) -> None:
    program = Program(tmp_path)
    try:
        program.wait("Who opens the first round?")
        program.type("press 1", "Round 1.")
        program.type("turn 4\npush", "Ana says 4.")
        program.type("press 2", "Bo calls Coyote!")
        since = len(program.lines)
        os.kill(program.child(), signal.SIGKILL)
        program.wait("Lay 2 cards", since)
        program.lay_until("Round 2.", since)
        program.process.send_signal(signal.SIGTERM)
        assert program.process.wait(60) == 0
    finally:
        program.end()
    with open_readonly(tmp_path / "state" / "journal.sqlite3") as journal:
        (kept,) = journal.matches()
        match = read_record(journal.lines(kept.id)).match
    assert match is not None
    answers = [step.answer for step in standing_answers(match)]
    assert [answer.sense for answer in answers[:3]] == ["button", "dial", "button"]
    assert {answer.sense for answer in answers[3:]} == {"camera"}
    assert all(isinstance(answer, Answer) and answer.at for answer in answers)
    assert '"what":"end"' in (tmp_path / "log" / "coyote.jsonl").read_text(encoding="utf-8").splitlines()[-1]
