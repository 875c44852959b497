"""The real program under fuzzing over the network while people play: strangers change nothing."""

from collections.abc import Mapping
from random import Random

from msgspec.structs import replace

from firmware.storage.journal import open_readonly
from firmware.storage.people.links_file import LinksFile
from referee.record import read_record
from tests.firmware.start.browsing import Page, Phone
from tests.firmware.start.program import Program
from tests.webui.server.hostile import FINE, Table, mangle_request, send_raw, smuggle_request
from webui.access.viewers import SEAT

REQUESTS_PER_CHECK = 200
"""Strangers' requests between two comparisons of the stored state, with a few taps between."""
TAPS = 4


class Siege:
    """Strangers attacking a program, and its stored state meanwhile."""

    def __init__(self, program: Program, table: Table) -> None:
        self._program, self._table = program, table
        self.accepted = self._since = 0
        self._meet()

    def _meet(self) -> None:
        """Collect credentials, as if overheard, and the stored state."""
        self._program.links()
        file = self._table.folder / "overheard.json"
        file.write_bytes((self._program.folder / "links.json").read_bytes())
        self._table = replace(self._table, links_file=LinksFile(file, self._table.client.moment))
        self._kept = self._program.protected_state()

    def say(self, rng: Random) -> tuple[str, str]:
        """Send a request as a stranger. Returns the response and any fault."""
        is_smuggled = rng.random() < 0.2
        links = self._program.links()
        words = (
            smuggle_request(links, rng, "x", 0)
            if is_smuggled
            else mangle_request(self._table, rng, ("stranger",))
        )
        code = send_raw(self._program.port, words)
        wrong = f"answered {code}" if " " in code or (code.startswith("5") and code not in FINE) else ""
        self._since += 1
        if self._since >= REQUESTS_PER_CHECK:
            wrong = wrong or self.look()
            self.play(rng)
        return code, f"{wrong}\n  {words[:3000]!r}" if wrong else ""

    def look(self) -> str:
        """Compare the stored state with the earlier one. Returns strangers' recent changes."""
        self._since, kept = 0, self._program.protected_state()
        changed = [name for name, value in kept.items() if value != self._kept[name]]
        return f"of the last {REQUESTS_PER_CHECK}, one changed {changed}" if changed else ""

    def play(self, rng: Random) -> None:
        port = self._program.port
        links = self._program.links()
        for link in links.seats[:TAPS]:
            phone = Phone(**{links.cookie(SEAT): link.token})
            for leaf in Page(phone.get(port, "/seat")).asks[:1]:
                self.accepted += phone.post(port, leaf.action, dict(leaf.fill_in(rng))) == 303
        self._meet()

    def replay_journal(self) -> Mapping[str, int]:
        """Replay the journal, and count matches with unreadable answers."""
        with open_readonly(self._program.journal) as journal:
            readings = [read_record(journal.lines(match.id)) for match in journal.matches()]
        unread = sum(reading.match is None or reading.fault is not None for reading in readings)
        return {"matches": len(readings), "answers by people": self.accepted, "unread": unread}
