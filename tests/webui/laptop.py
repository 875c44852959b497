"""Tables in memory: on a laptop with two webcams, and one that never had a host."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from firmware.board_events import Edge
from firmware.language.speaking import Sentence, say
from firmware.services.looks import Looks
from firmware.services.presence import TablePresence
from firmware.services.real_cards import FoundCamera, RealCards
from firmware.services.settings import SettingsKeeper
from firmware.table.effects import ShowSign
from firmware.table.notices import Notice
from hardware.board.board import Key
from referee.match import Match
from tests.given import Clock
from tests.hardware.board.own_boards import OWN_BOARDS
from tests.table_in_memory import ClientInMemory
from tests.webui.fakes import FakeTwin
from tests.webui.room import Browser, Room, match_of, orders, room_with, unlimited_attempts
from webui.access.guess_limits import GuessLimit

AT_HOME = {"Host": "localhost"}
CODE = re.compile(r'class="code num">(\d{3}) (\d{3})<')


class Cards(RealCards):
    """The choice on a laptop with two webcams, which give pictures."""

    is_camera_likely = True

    def cameras(self) -> tuple[FoundCamera, ...]:
        return FoundCamera("usb:0", "<Brio>"), FoundCamera("usb:1", say("Built-in camera"))

    def why_not(self, _address: str) -> Sentence | None:
        return None

    def picture(self, name: str) -> bytes | None:
        return b"jpeg of usb:1" if name == "usb:1" else None


def laptop(folder: Path, *, looks: Looks | None = None, finder: Any = None, **more: Any) -> Room:
    usual: dict[str, Any] = {"kind": "simulated", "camera": "pi", "is_pi": False, "is_fixed": False}
    choice = {**usual, **more}
    drawn = {name: part for name, part in {"looks": looks, "finder": finder}.items() if part is not None}
    twin: dict[str, Any] = {"twin": FakeTwin()} if choice["kind"] == "simulated" else {}
    cards = Cards(folder, SettingsKeeper(folder, folder / "coyote.toml"), **choice)
    return room_with(match_of(), folder, cards=cards, **drawn, **twin)


class UnclaimedTable(Struct, frozen=True):
    """A table that never had a host, with phones and its own computer's screen."""

    room: Room
    presence: TablePresence
    clock: Clock
    means: set[str]

    @property
    def screen(self) -> Browser:
        return self.room.computer()

    def code(self) -> str:
        found = CODE.search(self.screen.get("/screen", AT_HOME).text)
        assert found
        return "".join(found.groups())

    def told(self) -> list[Any]:
        return [deed.sign for deed in orders(self.room) if isinstance(deed, ShowSign)]

    def said(self) -> list[str]:
        return [deed.key for deed in orders(self.room) if isinstance(deed, Notice)]

    def press(self, seat: int, at: float, *, match: Match | None = None) -> bool:
        """Press and release a seat's button; return whether the game ignores it."""
        match, at = match or self.room.client.match, at + self.clock.seconds
        edges = (Edge(Key("call", seat), at, is_down=True), Edge(Key("call", seat), at + 0.1, is_down=False))
        return {self.presence.hear_edge(edge, match) for edge in edges} == {True}


def unclaimed_table(
    folder: Path, limit: Callable[..., GuessLimit] = unlimited_attempts, **more: Any
) -> UnclaimedTable:
    client = ClientInMemory(more.pop("match", match_of()))
    clock, means = Clock(), {"lamps", "digits", "speech"}
    presence = TablePresence(client, OWN_BOARDS["six"], lambda: frozenset(means), clock)
    room = room_with(client.match, folder, limit, client, **{"presence": presence, **more})
    return UnclaimedTable(room, presence, clock, means)
