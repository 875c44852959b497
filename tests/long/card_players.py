"""Simulated people at a running table: they answer by phone, lay real cards, and name those asked for."""

import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from http.client import HTTPConnection
from math import copysign
from pathlib import Path
from random import Random
from typing import Any

import cv2
import msgspec
import numpy as np
from msgspec.structs import replace

from firmware.storage.decks import draw_faces
from firmware.storage.found_table import seat_zones
from firmware.storage.journal import open_readonly, read_again
from firmware.table.cards import show_ask
from firmware.table.client import TableClient
from firmware.twin.world import World
from hardware.twin import tabletop
from hardware.twin.rendering.scene import SceneCard
from referee.contract import Answer, Value
from referee.legal import ask_named
from referee.match import Match, hear, moments
from tests.firmware.start.browsing import HOME, Page, Phone
from tests.firmware.start.whole_table import WholeTable
from tests.firmware.twin.twin_tables import SteppedBots
from tests.given import allowed, present
from tests.long.seen_table import SeenTable
from vision.pictures import Picture, unpack_picture
from vision.reading.views import Floats

APART = 700.0, 480.0  # millimetres that the places are made for: all cards lie well in view
PACE = 0.5  # share of the bots' time to think and to look at cards
ASLEEP, LIFTED, STILL = 9.0, 2.5, 4.0
"""Seconds for which the camera sleeps, longer than until it is reported; cards are held; nobody moves."""
TAGS, SPACE = re.compile(r"<(script|style|template|head)\b.*?</\1>|<[^>]*>", re.DOTALL), re.compile(r"\s+")


def friends(table: WholeTable, count: int) -> list[Phone]:
    """Seat a friend at each place, by its code."""
    phones = []
    for code in table.evening().codes[:count]:
        phone = Phone()
        assert phone.take_seat(table.port, code) == 303
        phones.append(phone)
    return phones


def match_at(table: WholeTable) -> Match:
    with open_readonly(table.folder / "state" / "journal.sqlite3") as journal:
        return present(present(read_again(journal, present(journal.last_written()))).match)


class PhoneClient(TableClient):
    """The moments of a table as its journal has them, and answers by its phones."""

    def __init__(self, table: WholeTable, phones: list[Phone]) -> None:
        super().__init__(lambda _request: None, match_at(table))
        self._table, self._phones = table, phones

    def follow(self) -> Iterator[Match]:
        """Publish and yield the moments that are new in the journal."""
        for there in reversed(list(moments(match_at(self._table)))):
            if there.number > self.moment().number and there.entry is not None:
                self.tell(allowed(hear(self.moment(), there.entry)))
                yield self.moment()

    def submit(self, entry: object, begun: str | None = None) -> Any:  # noqa: ARG002 - as the client's
        """Give an answer by the phone of its seat."""
        assert isinstance(entry, Answer), f"bots want to correct: {entry}"
        ask = present(ask_named(self.moment().asks, entry.ask))
        seat = next(iter(ask.seats), 0) if entry.seat is None else entry.seat
        leaf = next((each for each in self._page(seat).asks if each.ask == entry.ask), None)
        if leaf is not None:
            self._phones[seat].post(self._table.port, "/seat/answer", {**leaf.hidden, **_field_of(entry.value)})

    def _page(self, seat: int) -> Page:
        return Page(self._phones[seat].get(self._table.port, "/seat"))

    def texts(self) -> list[str]:
        """Return what each phone shows."""
        pages = (phone.get(self._table.port, "/seat") for phone in self._phones)
        return [SPACE.sub(" ", TAGS.sub(" ", page)) for page in pages]

    def name_card(self, deck: str) -> str | None:
        """Name the card in a phone's picture; returns its face."""
        for seat, phone in enumerate(self._phones):
            asked = (leaf for leaf in self._page(seat).leaves if leaf.action == "/seat/card")
            leaf = next((leaf for leaf in asked if "number" in leaf.hidden), None)
            if leaf is not None:
                face = face_in(self._picture(phone, leaf.hidden["number"]), deck)
                phone.post(self._table.port, "/seat/card", {**leaf.hidden, "face": face})
                return face
        return None

    def _picture(self, phone: Phone, number: str) -> Picture:
        cookies = "; ".join(f"{name}={value}" for name, value in phone.cookies.items())
        with closing(HTTPConnection(HOME, self._table.port)) as line:
            line.request("GET", f"/seat/card/{number}.jpg", headers={"Cookie": cookies})
            return present(unpack_picture(line.getresponse().read()))


def _field_of(value: Value) -> Mapping[str, str]:
    match value:
        case None:
            return {}
        case int():
            return {"number": str(value)}
        case tuple():
            raise AssertionError(f"{value} should be laid, not entered")
    return {"option": msgspec.json.encode(value).decode()}


def face_in(picture: Picture, deck: str) -> str:
    """Return the face of a printed deck that a picture shows, either way up."""
    faces = {face: _small(pictures[0]) for face, pictures in draw_faces(deck).items()}
    ways = [_small(picture), _small(np.ascontiguousarray(picture[::-1, ::-1]))]
    return min(faces, key=lambda face: min(float(np.abs(faces[face] - way).mean()) for way in ways))


def _small(picture: Picture) -> Floats:
    """Return a picture without its light."""
    small = cv2.resize(picture, (63, 88), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray((small - small.mean()) / small.std(), np.float32)


class CardWorld(World):
    """The cards on the table, which a `SeenTable` shows."""

    def __init__(self, match: Match, folder: Path) -> None:
        super().__init__(match, lambda seats: seat_zones(seats, *APART), folder / "camera.bmp")

    def _show(self) -> None:
        pass

    def scene_cards(self) -> tuple[SceneCard, ...]:
        with self._lock:
            return tabletop.scene_cards(self._table)

    def lift_all(self) -> None:
        with self._lock:
            for card in self._table.lying:
                self._table = tabletop.lift_card(self._table, card.number)

    def lay_back(self) -> None:
        """Lay the lifted cards again, nearer to the middle, so that they stay in their zones."""
        with self._lock:
            for card in filter(lambda card: card.is_held, self._table.lying):
                at = card.pose
                x, y = at.x - copysign(12.0, at.x), at.y - copysign(9.0, at.y)
                pose = replace(at, x=x, y=y, angle=at.angle + 7.0)
                self._table = tabletop.move_card(self._table, card.number, pose)


class People(SteppedBots):
    """Bots as people at a real table, whom mishaps befall: before or after certain answers by cards."""

    def __init__(self, client: PhoneClient, world: CardWorld, seen: SeenTable, seed: int) -> None:
        seats = frozenset(range(len(client.moment().setup.names)))
        super().__init__(seats, client, world, Random(seed))
        self._cards, self._seen_table = world, seen
        self._mishaps = {1: "sleep", 2: "nudge", 3: "dim", 5: "sleep"}
        self.counted = 0
        """Number of answers by cards."""
        self._laid_again = 0
        """Number of answers by cards when cards were last taken up and laid again."""

    def _let_pass(self, match: Match, seconds: float, *, is_scene: bool = False) -> Any:
        return super()._let_pass(match, seconds * PACE, is_scene=is_scene)

    def _say_on_phone(self) -> bool:
        """Leave it to the table to read cards."""
        self._acted = self._clock()
        return False

    def _play_for_seats(self, match: Match) -> Iterator[float]:
        mishap = self._mishaps.pop(self.counted, "") if show_ask(match) is not None else ""
        if mishap:
            yield from self._suffer(mishap)
            if self._client.moment() is not match:
                # a clock has answered meanwhile
                return
        yield from super()._play_for_seats(match)

    def _suffer(self, mishap: str) -> Iterator[float]:
        print(f"  {mishap}", flush=True)
        match mishap:
            case "sleep":
                self._seen_table.is_asleep = True
                yield ASLEEP
                self._seen_table.is_asleep = False
            case "nudge":
                self._seen_table.nudge()
            case "dim":
                self._seen_table.dim()
        yield STILL

    def _let_look(self, match: Match) -> Any:
        """Take up the counted cards after the answers 1, 5, 9 by cards, and lay them again."""
        if self.counted % 4 == 1 and self.counted != self._laid_again and self._cards.scene_cards():
            self._laid_again = self.counted
            print("  cards are taken up and laid again", flush=True)
            yield from self.lay_again()
        return (yield from super()._let_look(match))

    def lay_again(self) -> Iterator[float]:
        yield LIFTED
        self._cards.lift_all()
        yield LIFTED
        self._cards.lay_back()
        yield STILL
