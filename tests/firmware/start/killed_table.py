"""A whole table that is killed at any moment while people play at it, and what became of what it had told them.

After each kill the journal is read by itself, and the table that starts again is held against it.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from threading import Event, Thread
from time import monotonic, sleep
from traceback import format_exc
from typing import Literal

import msgspec

from firmware.board.voices.lights import lights
from firmware.board.voices.patterns import DARK, TURN
from firmware.core.cards import last_cards_answer, show_ask
from firmware.storage.errors import JournalError
from firmware.storage.scratch import MEMORY
from referee.contract import Answer
from referee.match import Entry, Match, log
from referee.record import read_record
from tests.firmware.playing import kept_lines
from tests.firmware.start.browsing import Page, Phone
from tests.firmware.start.kill_figures import Figures
from tests.firmware.start.page_answers import asks_of_seat, asks_on_page, is_entry_of
from tests.firmware.start.people import DONE, PHONES, Outside, People, Said
from tests.firmware.start.whole_table import WholeTable, free_port, processes
from tests.firmware.storage.killing import gaps_and_doubles
from webui.server.drawn_pages import match_id

Kill = Literal["starting", "soon", "camera", "commit", "change", "companion", "eyes", "supervised", "below"]
"""All of it: while it starts, soon after, once the camera reads, at a commit, at a new match. The companion
without its eyes; its eyes alone, and later all of it; all with a supervisor, and the companion below one."""
OFTEN: dict[Kill, int] = {
    "starting": 12,
    "soon": 49,
    "camera": 11,
    "commit": 12,
    "change": 6,
    "companion": 4,
    "eyes": 2,
    "supervised": 3,
    "below": 1,
}
"""How often each of them comes, in a hundred."""
GAMES = {"coyote": 45, "coup": 30, "coup-d-etat": 10, "ogallala": 10, "plenty-coups": 5}
NAMES = ("Ana", "Bo", "Eve")
HEALTHY = 0.8
"""How often the start before is taken for one whose eyes have told something: else the third has defaults."""
LIVES = 30
"""Kills of one journal."""
SHOWN = 3.0
"""Seconds that a lamp may take to show what is asked."""
SEEN = b'"what":"seen"'
LONG = 60.0
"""Seconds that anything may take that has to come."""


def kill_tables(folder: Path, points: int, seed: int, figures: Figures, over: Event) -> None:
    """Kill tables, a new journal for every few dozen kills, and count, until there are enough."""
    rng, killed = Random(seed), 0
    while killed < points and not over.is_set():
        house = House(folder / f"{seed}-{killed}", rng, figures)
        try:
            house.live_often(min(LIVES, points - killed), over)
        except Exception:  # noqa: BLE001 - whatever it is, it is told with the figures
            figures.fell += 1
            figures.wrong.append(f"{house.folder.name}, kill {house.lives}: {format_exc()}")
        killed += max(1, house.lives)
        shutil.rmtree(house.folder, ignore_errors=True)


class House:
    """A folder that a table keeps everything in, over many starts, and the people who come again each time."""

    def __init__(self, folder: Path, rng: Random, figures: Figures) -> None:
        """Begin with nothing kept."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.lives = folder, 0
        self._rng, self._figures = rng, figures
        self._run = Path(mkdtemp(prefix="killed", dir=MEMORY if MEMORY.is_dir() else folder))
        self._port, self._game = free_port(), rng.choices(list(GAMES), list(GAMES.values()))[0]
        self._outside = Outside()
        self._phones, self._host = [Phone() for _seat in range(PHONES)], Phone()
        self._lines: dict[int, list[str]] = {}
        self._matches: dict[str, Match] = {}
        """What is kept, by the name that the pages have for a match."""
        self._logged = 0
        self._scratch: Path | None = None
        """The folder for what needn't survive of the last table that had made one."""
        self._begun: str | None = None
        """The game that the host was told to be on."""

    # one life

    def live_often(self, times: int, over: Event) -> None:
        """Live and be killed so many times, or until it is over; end as people end a table."""
        while self.lives < times and not over.is_set():
            self.live()
        self.close()

    def live(self, kill: Kill | None = None) -> None:
        """Start the table, play, kill it, and look what is kept."""
        kill = kill or self._rng.choices(list(OFTEN), list(OFTEN.values()))[0]
        self._outside.begin()
        if self._rng.random() < HEALTHY:
            (self.folder / "state" / "starts.json").unlink(missing_ok=True)
        self._logged = self._log().stat().st_size if self._log().exists() else 0
        is_given = kill not in {"supervised", "below"} and self._rng.random() < 0.5
        table = WholeTable(
            self.folder,
            self._port,
            self._game,
            with_supervisor=kill in {"supervised", "below"},
            runtime=self._run if is_given else None,
        )
        try:
            if kill == "starting":
                sleep(self._rng.uniform(0, 2.5))
            else:
                self._sit(table, kill)
        finally:
            table.kill()
            table.bury()
        self._count(kill)
        self._look()

    def _sit(self, table: WholeTable, kill: Kill) -> None:
        """Come to the table as soon as it is there, and play until the kill."""
        ready, page = table.ready(), table.page()
        self._figures.ready += [] if ready is None else [ready]
        self._figures.pages.append(page)
        self._figures.work.append(table.work())
        people = self._greet_people(table)
        try:
            self._play(table, people, kill)
        finally:
            table.kill()
            table.bury()
            people.end()

    def _greet_people(self, table: WholeTable) -> People:
        """Let people see what the table shows after its start, and say again what they heard nothing of."""
        people = People(table, self._outside, self._phones, self._rng)
        if not people.wait():
            self._report_changed("nothing was told")
        self._compare(table)
        self._leave_cards(table)
        self._say_again()
        return people

    def _leave_cards(self, table: WholeTable) -> None:
        """Let the cards of the last answer lie where they lay, though others are asked for there now."""
        match = self._open_match()
        ask, last = (None, None) if match is None else (show_ask(match), last_cards_answer(match))
        if ask is not None and last is not None and last[1].zone == ask.zone:
            value = last[0].answer.value
            table.type(f"lay {' '.join(value if isinstance(value, tuple) else ())}")
            self._figures.lay_still += 1

    def _play(self, table: WholeTable, people: People, kill: Kill) -> None:
        rng = self._rng
        people.play(is_patient=kill in {"camera", "eyes"})
        match kill:
            case "camera":
                self._wait_for_eyes()
                sleep(rng.uniform(0.0, 5.0))
            case "commit":
                sleep(rng.uniform(0.0, 1.0))
                self._wait_for_a_commit()
                sleep(rng.uniform(0.0, 0.006))
            case "change":
                sleep(rng.uniform(0.0, 0.5))
                self._change(table, rng.uniform(0.0, 0.12))
            case "companion":
                sleep(rng.uniform(0.0, 3.0))
                self._orphan(table)
            case "eyes":
                sleep(rng.uniform(0.5, 4.0))
                self._blind(table, people)
            case "below":
                sleep(rng.uniform(0.0, 1.5))
                self._again_below(table, people)
            case _:
                sleep(rng.uniform(0.0, 1.5))

    # what is killed

    def _wait_for_a_commit(self) -> None:
        """Wait until something is written to the journal."""
        wal, until = self.folder / "state" / "journal.sqlite3-wal", monotonic() + 2.0
        before = _stamp(wal)
        while _stamp(wal) == before and monotonic() < until:
            sleep(0.0005)

    def _wait_for_eyes(self) -> None:
        """Wait until the eyes of this life have read the table."""
        if not _came(self._has_seen):
            self._report_changed("the eyes read nothing")

    def _has_seen(self) -> bool:
        with self._log().open("rb") as log:
            log.seek(self._logged)
            return SEEN in log.read()

    def _log(self) -> Path:
        return self.folder / "log" / "coyote.jsonl"

    def _change(self, table: WholeTable, seconds: float) -> None:
        """Let the host begin another match, and give it so long."""
        if "host" not in self._host.cookies:
            self._host.get(self._port, "/host")
            pin = msgspec.json.decode((self.folder / "state" / "links.json").read_bytes())["pin"]
            self._host.post(self._port, "/host/enter", {"pin": pin})
        game = self._rng.choices(list(GAMES), list(GAMES.values()))[0]
        said = {"game": game, **{f"seat-{seat}": name for seat, name in enumerate(NAMES)}}
        self._host.get(self._port, f"/host/new?game={game}")
        host = Thread(target=self._begin, args=(said,), daemon=True)
        host.start()
        sleep(seconds)
        table.kill()
        host.join(LONG)

    def _begin(self, said: dict[str, str]) -> None:
        with suppress(OSError, HTTPException):
            if self._host.post(self._port, "/host/new", said) == DONE:
                self._begun = said["game"]

    def _orphan(self, table: WholeTable) -> None:
        """Kill the companion: its eyes have to end by themselves."""
        table.kill_one(table.companion())
        self._figures.alone.append(table.bury())
        if processes(self.folder):
            self._report_left("eyes live on without their companion")

    def _blind(self, table: WholeTable, people: People) -> None:
        """Kill the eyes: the game goes on, and there are new ones."""
        killed, since, before = table.eyes(), monotonic(), self._outside.newest
        table.kill_one(killed)
        people.is_patient = False
        if not _came(lambda: table.eyes() not in {None, killed}):
            self._report_changed("no new eyes came")
        self._figures.blind.append(monotonic() - since)
        if not _came(lambda: self._outside.newest != before):
            self._report_changed(f"without eyes the game stood still at {before}")

    def _again_below(self, table: WholeTable, people: People) -> None:
        """Kill the companion below its supervisor, and play on at the one that takes its place."""
        killed, since = table.companion(), monotonic()
        table.kill_one(killed)
        people.end()
        if not _came(lambda: not Path(f"/proc/{killed}/cmdline").exists()):
            self._report_changed("it can't be killed")
        self._look()
        self._outside.begin()
        if not _came(lambda: table.companion() not in {None, killed}):
            self._report_changed("its supervisor didn't start it again")
            return
        table.page()
        self._figures.again.append(monotonic() - since)
        others = self._greet_people(table)
        others.play(is_patient=False)
        sleep(self._rng.uniform(0.0, 1.5))
        table.kill()
        others.end()

    # what is kept

    def _look(self) -> None:
        """Read the journal as the kill has left it, and hold it against what was told."""
        lines, before = self._entries_kept(), self._lines
        self._lines = lines
        for number, had in before.items():
            if lines.get(number, [])[: len(had)] != had:
                self._report_lost(f"match {number} isn't what it was")
        changed = [number for number, each in lines.items() if len(each) != len(before.get(number, []))]
        for number in changed:
            self._replay(number)
        self._check_told()
        self._check_said()
        self._check_hands([entry for number in changed for entry in self._new(number, before)])
        self._check_begun(changed, before)
        if lines:
            _add(self._figures.games, {_game_in(lines[max(lines)][0]): 1})

    def _entries_kept(self) -> dict[int, list[str]]:
        """Read a copy of the journal: nothing is mended where it lies."""
        copy = self.folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for file in (self.folder / "state").glob("journal.sqlite3*"):
            shutil.copy2(file, copy)
        path = copy / "journal.sqlite3"
        try:
            lines = kept_lines(path)
        except JournalError:
            return {}
        if lines and gaps_and_doubles(path):
            self._report_doubled("a line is there twice, or one is missing")
        return lines

    def _replay(self, number: int) -> None:
        """Play a match again by the rules alone."""
        reading = read_record(self._lines[number])
        if reading.match is None or reading.fault is not None:
            self._report_changed(f"match {number} can't be played again: {reading.fault}")
            return
        self._matches[match_id(reading.match)] = reading.match

    def _new(self, number: int, before: dict[int, list[str]]) -> list[Entry]:
        """List what was entered in this life."""
        match = read_record(self._lines[number]).match
        return [] if match is None else log(match)[max(0, len(before.get(number, [])) - 1) :]

    def _check_told(self) -> None:
        for name, number in self._outside.told:
            match = self._matches.get(name)
            if number > 0 and (match is None or match.number < number):
                self._report_lost(f"moment {number} of {name} was told, and isn't kept")
        for name in self._outside.begun:
            if name not in self._matches:
                self._report_lost(f"the match {name} was told to be on, and isn't kept")
        newest = self._outside.newest
        match = None if newest is None else self._matches.get(newest[0])
        self._figures.untold += match is not None and newest is not None and match.number > newest[1]

    def _check_said(self) -> None:
        """Find each answer that a phone was told to count, once."""
        for said in self._outside.counted:
            times = self._times(said)
            if times == 0:
                self._report_lost(f"{said} isn't kept")
            elif times > 1:
                self._report_doubled(f"{said} is there {times} times")

    def _times(self, said: Said) -> int:
        match = self._matches.get(said.place[0])
        return 0 if match is None else sum(is_entry_of(said, entry) for entry in log(match))

    def _check_hands(self, entries: list[Entry]) -> None:
        """Count no more answers of buttons, dial and camera than were pressed, pushed and laid."""
        answers = [entry for entry in entries if isinstance(entry, Answer)]
        senses = Counter(entry.sense for entry in answers)
        _add(self._figures.senses, {**senses, "take-back": len(entries) - len(answers)})
        pressed = Counter(entry.seat for entry in answers if entry.sense == "button")
        for seat, times in pressed.items():
            if seat is not None and times > self._outside.presses[seat]:
                self._report_doubled(f"seat {seat} pressed {self._outside.presses[seat]} times, {times} count")
        if senses["dial"] > self._outside.presses["dial"]:
            self._report_doubled("the dial was pushed less often than it counts")
        if senses["camera"] > self._outside.lays and not any(entry.ask == "turn" for entry in answers):
            self._report_doubled(
                f"{senses['camera']} answers of the camera, cards laid {self._outside.lays} times"
            )

    def _check_begun(self, changed: list[int], before: dict[int, list[str]]) -> None:
        begun, self._begun = self._begun, None
        if begun is None:
            return
        self._figures.begun += 1
        fresh = [number for number in changed if number not in before]
        if not any(f'"game":"{begun}"' in self._lines[number][0] for number in fresh):
            self._report_lost(f"a match of {begun} was told to be on, and isn't kept")

    # what is shown

    def _compare(self, table: WholeTable) -> None:
        """Hold what the pages and the lamps show against the record, and against what they showed before."""
        pages = [self._seat_page(seat) for seat in range(self._outside.seats)]
        match = self._open_match()
        for seat, page in enumerate(pages):
            self._outside.see(seat, page)
        if match is not None and self._is_still_there(match):
            self._check_asked(match, pages)
            self._check_lit(match)
        for what in self._outside.changed:
            self._report_changed(what)
        self._outside.changed.clear()
        self._check_left(table)

    def _open_match(self) -> Match | None:
        """Give the match that has to go on."""
        match = read_record(self._lines[max(self._lines)]).match if self._lines else None
        return None if match is None or match.outcome is not None else match

    def _is_still_there(self, match: Match) -> bool:
        """Tell whether the table stands where the record ends, unless only the clock has answered since."""
        place, newest = (match_id(match), match.number), self._outside.newest
        if newest == place:
            return True
        lines = kept_lines(self.folder / "state" / "journal.sqlite3")
        later = read_record(lines[max(lines)]).match
        since = [] if later is None else log(later)[match.number :]
        is_clock = since and all(isinstance(entry, Answer) and entry.sense == "clock" for entry in since)
        if newest is None or newest[0] != place[0] or not is_clock:
            self._report_changed(f"the record is at {place}, the table at {newest}")
        return False

    def _seat_page(self, seat: int) -> Page:
        """Look at the page of a seat; a phone that has no seat yet takes it by its code."""
        phone = self._phones[seat]
        text = phone.get(self._port, "/seat")
        if "seat" not in phone.cookies:
            links = msgspec.json.decode((self.folder / "state" / "links.json").read_bytes())
            phone.post(self._port, "/seat/take", {"code": links["codes"][seat]})
            text = phone.get(self._port, "/seat")
        if "/seat/hand-over" not in text:
            self._report_lost(f"the phone of seat {seat} was put out")
        return Page(text)

    def _check_asked(self, match: Match, pages: list[Page]) -> None:
        for seat, page in enumerate(pages):
            wanted, asked = sorted(asks_of_seat(match, seat)), sorted(asks_on_page(page))
            if wanted != asked:
                self._report_changed(
                    f"at moment {match.number} seat {seat} should be asked {wanted}, not {asked}"
                )

    def _check_lit(self, match: Match) -> None:
        """Wait until each lamp that is to be steady shows what it should."""
        steady = {DARK: "", TURN: "green"}
        patterns = enumerate(lights(match).seats)
        wanted = {seat: steady[pattern] for seat, pattern in patterns if pattern in steady}
        until, lit = monotonic() + SHOWN, list[str]()
        for lit in self._lamps():
            if all(lit[seat] == light for seat, light in wanted.items()):
                return
            if monotonic() > until:
                break
        self._report_changed(f"at moment {match.number} lamps should show {wanted}, and show {lit}")

    def _lamps(self) -> Iterator[list[str]]:
        """Give what the lamps show whenever that changes, and now and then."""
        with closing(HTTPConnection("127.0.0.1", self._port, timeout=LONG)) as line:
            line.request("GET", "/twin/events")
            stream, kind, lit = line.getresponse(), b"", list[str]()
            while raw := stream.readline():
                kind = raw.strip() if raw.startswith(b"event: ") else kind
                if kind == b"event: lamps" and raw.startswith(b"data: "):
                    lit = msgspec.json.decode(raw.removeprefix(b"data: "))["seats"]
                if lit and kind != b"event: table" and raw.startswith(b"data: "):
                    yield lit

    def _check_left(self, table: WholeTable) -> None:
        """Look whether a table that makes a folder for what needn't survive has removed one that was left."""
        own = table.scratch()
        if own is not None:
            before, self._scratch = self._scratch, own
            if before not in {None, own} and before.exists():
                self._report_left(f"{before} is left")

    def _say_again(self) -> None:
        """Say again what has had no reply, and also what counts, as a phone that comes back may do."""
        unheard, self._outside.unheard = self._outside.unheard, []
        for said in unheard:
            was_kept = self._times(said) > 0
            self._figures.unheard += 1
            self._figures.found += was_kept
            if self._outside.send(self._phones[said.seat], self._port, said) == DONE and was_kept:
                self._report_doubled(f"{said} was kept, and counts again")
        for said in self._outside.counted[-2:]:
            if said not in unheard:
                self._repeat(said)

    def _repeat(self, said: Said) -> None:
        if self._phones[said.seat].post(self._port, said.path, dict(said.fields)) == DONE:
            self._report_doubled(f"{said} counts twice")

    # figures

    def _count(self, kill: Kill) -> None:
        self.lives += 1
        _add(self._figures.kills, {kill: 1})

    def _report_lost(self, what: str) -> None:
        self._figures.lost += 1
        self._note(f"lost: {what}")

    def _report_doubled(self, what: str) -> None:
        self._figures.doubled += 1
        self._note(f"doubled: {what}")

    def _report_changed(self, what: str) -> None:
        self._figures.changed += 1
        self._note(f"changed: {what}")

    def _report_left(self, what: str) -> None:
        self._figures.left += 1
        self._note(f"left: {what}")

    def _note(self, what: str) -> None:
        self._figures.wrong.append(f"{self.folder.name}, kill {self.lives}: {what}")

    def close(self) -> None:
        """Start the table once more, and end it as people do: it leaves nothing behind."""
        shutil.rmtree(self._run, ignore_errors=True)
        self._figures.told += len(self._outside.told)
        self._figures.counted += len(self._outside.counted)
        table = WholeTable(self.folder, self._port, with_supervisor=True)
        try:
            table.page()
            self._check_left(table)
            table.end()
        finally:
            table.kill()
            table.bury()
        drafts = [file.name for file in (self.folder / "state").rglob("*") if _is_draft(file)]
        if drafts:
            self._report_left(f"drafts: {drafts}")
        if self._scratch is not None and self._scratch.exists():
            self._report_left(f"{self._scratch} at the end")


def _game_in(head: str) -> str:
    game: str = msgspec.json.decode(head)["game"]
    return game


def _is_draft(file: Path) -> bool:
    return file.suffix == ".new" or (file.name.startswith(".") and file.suffix[1:].isdecimal())


def _stamp(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def _came(is_there: Callable[[], bool]) -> bool:
    """Wait for something that has to come; tell whether it did."""
    until = monotonic() + LONG
    while not is_there():
        if monotonic() > until:
            return False
        sleep(0.01)
    return True


def _add(counts: dict[str, int], more: Mapping[str, int]) -> None:
    for name, count in more.items():
        counts[name] = counts.get(name, 0) + count
