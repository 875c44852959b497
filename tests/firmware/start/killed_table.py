"""A whole table killed or stopped at random during play; acknowledged answers must survive.

After each strike the journal is read separately, and the restarted table is compared with it. A stopped
process still holds its resources, ignores SIGTERM, and sends nothing.
"""

import os
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from threading import Event, Thread
from time import monotonic, sleep
from traceback import format_exc
from typing import Literal

from msgspec import Struct

from firmware.start.supervisor import WATCHDOG
from firmware.storage.errors import JournalError
from firmware.storage.files import MEMORY
from firmware.table.cards import show_ask
from firmware.table.expected import last_cards_answer
from referee.contract import Answer
from referee.match import Entry, Match, log
from referee.record import read_record
from tests.firmware.playing import gaps_and_doubles, kept_lines
from tests.firmware.start.browsing import Page, Phone
from tests.firmware.start.jumping_clock import jumping_world, set_clock
from tests.firmware.start.people import (
    PHONES,
    SEE_OTHER,
    OutsideRecord,
    People,
    SentAnswer,
    asks_of_seat,
    asks_on_page,
    is_entry_of,
)
from tests.firmware.start.whole_table import TWIN, WholeTable, copy_journal, free_port, processes, send
from tests.proc import cpu_seconds, is_alive
from tests.waiting import TEST_TIMEOUT, came
from webui.access.viewers import HOST, SEAT
from webui.server.drawn_pages import match_id

Kill = Literal["starting", "soon", "camera", "commit", "change", "companion", "eyes", "supervised", "below"]
"""Moments to kill everything: at the start, soon after, at the first reading, a commit, a new match.

Or the companion without its eyes; its eyes alone, and everything later; everything under a supervisor, and
the companion below one.
"""
Stop = Literal["its companion", "its eyes", "both", "its supervisor", "all", "clock"]
"""Stopped processes: companion, eyes, both, the supervisor, or all for a while.

Or none, and the system clock jumps before the start and during play.
"""
KILL_WEIGHTS: dict[Kill, int] = {
    "starting": 12, "soon": 49, "camera": 11, "commit": 12, "change": 6, "companion": 4, "eyes": 2,
    "supervised": 3, "below": 1,
}  # fmt: skip
"""Frequency of each kind, in percent."""
STOPS: tuple[Stop, ...] = (
    "its companion", "its eyes", "its companion", "both", "its supervisor", "its companion", "all",
)  # fmt: skip
SUPERVISED = {"supervised", "below", "clock", *STOPS}
GAMES = {"coyote": 45, "coup": 30, "coup-d-etat": 10, "ogallala": 10, "plenty-coups": 5}
NAMES = ("Ana", "Bo", "Eve")
HEALTHY_SHARE = 0.8
"""Percentage of starts whose predecessor counts as having seen; otherwise the third start uses defaults."""
STRIKES_PER_JOURNAL = 30  # strikes per journal
JUMPS_OF_A_LIFE = 3
QUIET_SECONDS = 3.0  # seconds after resuming without further process starts
SEEN = b'"what":"seen"'
OPENED = b'"what":"eyes"'
Line = dict[int, list[str]]


class Figures(Struct):
    """Figures over all strikes."""

    strikes: dict[str, int] = {}
    told: int = 0  # distinct published moments
    counted: int = 0  # answers acknowledged to a phone
    unheard: int = 0
    """Answers without a reply to the phone; they are sent again after the next start."""
    seconds: dict[str, list[float]] = {}
    """Seconds from a start to readiness and to its page, and from a strike to its consequence."""
    wrong: list[str] = []
    """Faults: data lost, duplicated, shown differently from before or from the record, or left behind."""


def strike_tables(
    folder: Path, strikes: int, seed: int, figures: Figures, over: Event, those: Sequence[Kill | Stop] = ()
) -> None:
    """Strike tables, at random or in a given order, with a new journal every few dozen strikes."""
    rng, struck = Random(seed), 0
    while struck < strikes and not over.is_set():
        house = StruckTable(folder / f"{seed}-{struck}", rng, figures)
        try:
            while house.lives < min(STRIKES_PER_JOURNAL, strikes - struck) and not over.is_set():
                house.live(those[(struck + house.lives) % len(those)] if those else None)
            house.end_normally()
            house.close()
        except Exception:  # noqa: BLE001 - whatever it is, it is reported with the figures
            house.report(format_exc())
        struck += max(1, house.lives)
        shutil.rmtree(house.folder, ignore_errors=True)


class StruckTable:
    """A table's folder over many starts, and the people who return each time."""

    def __init__(self, folder: Path, rng: Random, figures: Figures) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.lives = folder, 0
        self._rng, self._figures = rng, figures
        self._run = Path(mkdtemp(prefix="killed", dir=MEMORY if MEMORY.is_dir() else folder))
        self._port, self._game = free_port(), rng.choices(list(GAMES), list(GAMES.values()))[0]
        self._outside = OutsideRecord()
        self._phones, self._host = [Phone() for _seat in range(PHONES)], Phone()
        self._lines: Line = {}
        self._matches: dict[str, Match] = {}
        """The stored lines of each match, by its name on the pages."""
        self._logged = 0
        self._begun: str | None = None
        """The game that the host page showed last."""

    # one life

    def live(self, strike: Kill | Stop | None = None) -> None:
        """Start the table, play, kill or stop it, and check the stored state."""
        strike = strike or self._rng.choices(list(KILL_WEIGHTS), list(KILL_WEIGHTS.values()))[0]
        self._outside.begin()
        if self._rng.random() < HEALTHY_SHARE:
            (self.folder / "state" / "starts.json").unlink(missing_ok=True)
        self._logged = self._log().stat().st_size if self._log().exists() else 0
        table = self._start(strike)
        try:
            if strike == "starting":
                self._wait_by_chance(2.5)
            else:
                self._sit(table, strike)
        finally:
            table.destroy()
        self.lives += 1
        self._figures.strikes[strike] = self._figures.strikes.get(strike, 0) + 1
        self._look()

    def _start(self, strike: Kill | Stop) -> WholeTable:
        is_supervised = strike in SUPERVISED
        runtime = self._run if not is_supervised and self._rng.random() < 0.5 else None
        world = jumping_world(self.folder, self._rng) if strike == "clock" else TWIN
        return WholeTable(
            self.folder, self._port, self._game, with_supervisor=is_supervised, runtime=runtime, world=world
        )

    def _sit(self, table: WholeTable, strike: Kill | Stop) -> None:
        ready, page = table.ready(), table.page()
        self._took("ready", ready)
        self._took("first page", page)
        self._took("processors busy for it", cpu_seconds(table.companion() or table.pid))
        people = self._greet_people(table)
        try:
            people.play(is_patient=strike in {"camera", "eyes"})
            self._strike(strike, table, people)
        finally:
            table.destroy()
            people.end()

    def _greet_people(self, table: WholeTable) -> People:
        """Let people check the restarted table, and resend answers without a reply."""
        people = People(table, self._outside, self._phones, self._rng)
        self._must(people.wait(), "nothing was told")
        self._compare(table)
        self._leave_cards(table)
        self._say_again()
        return people

    def _leave_cards(self, table: WholeTable) -> None:
        """Leave the last answer's cards on the table, though others are now asked for."""
        match = self._open_match()
        ask, last = (None, None) if match is None else (show_ask(match), last_cards_answer(match))
        if ask is not None and last is not None and last[1].zone == ask.zone:
            value = last[0].answer.value
            table.type(f"lay {' '.join(value if isinstance(value, tuple) else ())}")

    # kills

    def _strike(self, strike: Kill | Stop, table: WholeTable, people: People) -> None:
        match strike:
            case "camera":
                self._must(came(self._has_seen), "the eyes read nothing")
                self._wait_by_chance(5.0)
            case "commit":
                kept = self.folder / "state" / "journal.sqlite3-wal"
                before = _stamp(kept)
                came(lambda: _stamp(kept) != before, seconds=2.0)
                self._wait_by_chance(0.006)
            case "change":
                self._change(table)
            case "companion":
                self._wait_by_chance(3.0)
                send(table.companion(), signal.SIGKILL)
                self._took("eyes lived on without their companion", table.bury())
                self._must(not processes(self.folder), "eyes live on without their companion")
            case "eyes" | "its eyes":
                self._blind(table, people, signal.SIGKILL if strike == "eyes" else signal.SIGSTOP)
            case "below" | "its companion" | "both":
                pids = [table.companion(), *([table.eyes()] if strike == "both" else [])]
                self._replace(strike, table, people, pids)
            case "its supervisor":
                self._suspend(strike, table, people, lambda what: send(table.pid, what))
            case "all":
                self._suspend(strike, table, people, lambda what: os.killpg(table.pid, what))
            case "clock":
                self._set_clock(people)
            case _:
                self._wait_by_chance(1.5)

    def _wait_by_chance(self, most: float) -> None:
        sleep(self._rng.uniform(0.0, most))  # by time: a strike must also hit moments without messages

    def _log(self) -> Path:
        return self.folder / "log" / "coyote.jsonl"

    def _change(self, table: WholeTable) -> None:
        if not self._host.has_cookie(HOST):
            self._host.lead(self._port, table.evening().pin)
        game = self._rng.choices(list(GAMES), list(GAMES.values()))[0]
        said = {"game": game, **{f"seat-{seat}": name for seat, name in enumerate(NAMES)}}
        self._host.get(self._port, f"/host/new?game={game}")
        host = Thread(target=self._begin, args=(said,), daemon=True)
        host.start()
        self._wait_by_chance(0.12)
        table.kill()
        host.join(TEST_TIMEOUT)

    def _begin(self, said: dict[str, str]) -> None:
        with suppress(OSError, HTTPException):
            if self._host.post(self._port, "/host/new", said) == SEE_OTHER:
                self._begun = said["game"]

    def _blind(self, table: WholeTable, people: People, what: signal.Signals) -> None:
        """Kill or stop the eyes: the game continues, and new eyes take over."""
        self._wait_by_chance(3.0)
        self._must(came(lambda: table.eyes() is not None and self._eyes_opened() > 0), "there were no eyes")
        struck, companion, opened = table.eyes(), table.companion(), self._eyes_opened()
        newest, since = self._outside.newest, monotonic()
        send(struck, what)
        people.is_patient = False
        self._must(came(lambda: self._eyes_opened() > opened), "no other eyes see")
        self._took(f"new eyes after {what.name}", monotonic() - since)
        self._must(not is_alive(struck), "the old eyes live on")
        self._must(table.companion() == companion, "the companion was started again without eyes")
        self._must(came(lambda: self._outside.newest != newest), "without eyes the game stood still")

    def _eyes_opened(self) -> int:
        files = (self.folder / "log").rglob("*.jsonl*")
        return sum(file.read_bytes().count(OPENED) for file in files)

    def _replace(self, strike: str, table: WholeTable, people: People, pids: list[int | None]) -> None:
        """Kill or stop the companion below its supervisor, and continue with its replacement."""
        self._wait_by_chance(1.5)
        struck, since = table.companion(), monotonic()
        for pid in pids:
            send(pid, signal.SIGKILL if strike == "below" else signal.SIGSTOP)
        people.end()
        self._must(came(lambda: not any(is_alive(pid) for pid in pids)), f"{strike}: the old ones live on")
        self._took(f"{strike}: dead", monotonic() - since)
        self._look()
        self._outside.begin()
        self._must(came(lambda: table.companion() not in {None, struck}), f"{strike}: none comes")
        table.page()
        self._took(f"{strike}: page again", monotonic() - since)
        others = self._greet_people(table)
        others.play(is_patient=False)
        self._wait_by_chance(1.5)
        table.kill()
        others.end()

    def _suspend(
        self, who: str, table: WholeTable, people: People, signal_them: Callable[[signal.Signals], None]
    ) -> None:
        """Stop the supervisor, or everything, as a sleeping computer would; nothing may result."""
        pids = (table.companion(), table.eyes())
        signal_them(signal.SIGSTOP)
        self._wait_by_chance(2.0 * WATCHDOG)
        if who == "its supervisor":
            self._must_go_on(who)
        since = monotonic()
        signal_them(signal.SIGCONT)
        if who == "all":
            self._must_go_on(who)
            self._took("all: going on", monotonic() - since)
        sleep(QUIET_SECONDS)  # nothing more may happen, and no event can show that
        others = (table.companion() != pids[0]) + (pids[1] is not None and table.eyes() != pids[1])
        self._must(others <= 1, f"{who}: {others} were started again")
        people.end()

    def _set_clock(self, people: People) -> None:
        for _jump in range(JUMPS_OF_A_LIFE):
            set_clock(self.folder, self._rng)
            self._must_go_on("clock")
        people.end()

    def _has_seen(self) -> bool:
        with self._log().open("rb") as log:
            log.seek(self._logged)
            return SEEN in log.read()

    def _must_go_on(self, who: str) -> None:
        newest = self._outside.newest
        self._must(came(lambda: self._outside.newest != newest), f"{who}: no game")

    # stored data

    def _look(self) -> None:
        """Read the journal left by the strike, and compare it with the published moments."""
        lines, before = self._entries_kept(), self._lines
        self._lines = lines
        for number, had in before.items():
            self._must(lines.get(number, [])[: len(had)] == had, f"match {number} isn't what it was")
        changed = [number for number, each in lines.items() if len(each) != len(before.get(number, []))]
        entries = list[Entry]()
        for number in changed:
            reading = read_record(lines[number])
            if reading.match is None or reading.fault is not None:
                self.report(f"match {number} can't be played again: {reading.fault}")
            else:
                self._matches[match_id(reading.match)] = reading.match
            if reading.match is not None:
                entries += log(reading.match)[max(0, len(before.get(number, [])) - 1) :]
        self._check_told()
        for said in self._outside.counted:
            times = self._times(said)
            self._must(times > 0, f"{said} isn't kept")
            self._must(times < 2, f"{said} is there {times} times")
        self._check_hands(entries)
        begun, self._begun = self._begun, None
        fresh = [lines[number][0] for number in changed if number not in before]
        is_kept = begun is None or any(f'"game":"{begun}"' in head for head in fresh)
        self._must(is_kept, f"a match of {begun} was told to be on, and isn't kept")

    def _entries_kept(self) -> Line:
        """Read a copy of the journal, so that the original isn't repaired."""
        copy = self.folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        path = copy_journal(self.folder / "state", copy)
        try:
            lines = kept_lines(path)
        except JournalError:
            return {}
        self._must(not (lines and gaps_and_doubles(path)), "a line is there twice, or one is missing")
        return lines

    def _check_told(self) -> None:
        for name, number in self._outside.told:
            match = self._matches.get(name)
            is_kept = number == 0 or (match is not None and match.number >= number)
            self._must(is_kept, f"moment {number} of {name} was told, and isn't kept")
        for name in self._outside.begun:
            self._must(name in self._matches, f"the match {name} was told to be on, and isn't kept")

    def _times(self, said: SentAnswer) -> int:
        match = self._matches.get(said.place[0])
        return 0 if match is None else sum(is_entry_of(said, entry) for entry in log(match))

    def _check_hands(self, entries: list[Entry]) -> None:
        """Count no more answers of buttons, dial and camera than presses, pushes and placements."""
        answers = [entry for entry in entries if isinstance(entry, Answer)]
        senses = Counter(entry.sense for entry in answers)
        count = Counter[int | str](
            entry.seat for entry in answers if entry.sense == "button" and entry.seat is not None
        )
        count["dial"] = senses["dial"]
        for who, times in count.items():
            pressed = self._outside.presses[who]
            self._must(times <= pressed, f"{who} pressed {pressed} times, {times} count")
        lays = self._outside.lays
        is_whole_turn = any(entry.ask == "turn" for entry in answers)
        self._must(is_whole_turn or senses["camera"] <= lays, f"{senses['camera']} readings of {lays}")

    # shown data

    def _compare(self, table: WholeTable) -> None:
        """Compare the pages with the record, and with their earlier content."""
        pages = [self._seat_page(table, seat) for seat in range(self._outside.seats)]
        match = self._open_match()
        for seat, page in enumerate(pages):
            self._outside.see(seat, page)
        if match is not None and self._is_still_there(match):
            for seat, page in enumerate(pages):
                wanted, asked = sorted(asks_of_seat(match, seat)), sorted(asks_on_page(page))
                self._must(wanted == asked, f"at {match.number} seat {seat} is asked {asked}, not {wanted}")
        for what in self._outside.changed:
            self.report(what)
        self._outside.changed.clear()

    def _open_match(self) -> Match | None:
        match = read_record(self._lines[max(self._lines)]).match if self._lines else None
        return None if match is None or match.outcome is not None else match

    def _is_still_there(self, match: Match) -> bool:
        """Return whether the table is where the record ends, or only the clock has answered since."""
        place, newest = (match_id(match), match.number), self._outside.newest
        if newest == place:
            return True
        lines = kept_lines(self.folder / "state" / "journal.sqlite3")
        later = read_record(lines[max(lines)]).match
        since = [] if later is None else log(later)[match.number :]
        is_clock = since and all(isinstance(entry, Answer) and entry.sense == "clock" for entry in since)
        is_well = newest is not None and newest[0] == place[0] and bool(is_clock)
        self._must(is_well, f"the record is at {place}, the table at {newest}")
        return False

    def _seat_page(self, table: WholeTable, seat: int) -> Page:
        """Return a seat's page; a phone without a seat takes it by its code."""
        phone = self._phones[seat]
        text = phone.get(self._port, "/seat")
        if not phone.has_cookie(SEAT):
            phone.take_seat(self._port, table.evening().codes[seat])
            text = phone.get(self._port, "/seat")
        self._must("/seat/hand-over" in text, f"the phone of seat {seat} was put out")
        return Page(text)

    def _say_again(self) -> None:
        """Resend unconfirmed answers, and some confirmed ones, as a returning phone may."""
        unheard, self._outside.unheard = self._outside.unheard, []
        for said in unheard:
            was_kept = self._times(said) > 0
            self._figures.unheard += 1
            code = self._outside.send(self._phones[said.seat], self._port, said)
            self._must(not (code == SEE_OTHER and was_kept), f"{said} was kept, and counts again")
        for said in self._outside.counted[-2:]:
            if said not in unheard:
                code = self._phones[said.seat].post(self._port, said.path, dict(said.fields))
                self._must(code != SEE_OTHER, f"{said} counts twice")

    # figures

    def _took(self, what: str, seconds: float | None) -> None:
        if seconds is not None:
            self._figures.seconds.setdefault(what, []).append(round(seconds, 3))

    def _must(self, is_so: bool, what: str) -> None:
        if not is_so:
            self.report(what)

    def report(self, what: str) -> None:
        self._figures.wrong.append(f"{self.folder.name}, strike {self.lives}: {what}")

    def close(self) -> None:
        shutil.rmtree(self._run, ignore_errors=True)
        self._figures.told += len(self._outside.told)
        self._figures.counted += len(self._outside.counted)

    def end_normally(self) -> None:
        """Start the table once more, and end it; it must leave nothing behind."""
        table = WholeTable(self.folder, self._port, with_supervisor=True)
        try:
            table.page()
            table.end()
        finally:
            table.destroy()
        drafts = [
            file.name
            for file in (self.folder / "state").rglob("*")
            if file.name.startswith(".") and file.suffix[1:].isdecimal()
        ]
        self._must(not drafts, f"drafts: {drafts}")


def _stamp(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0
