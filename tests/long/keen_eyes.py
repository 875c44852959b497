"""Simulated eyes that need no picture; with them, bots play a match in a second.

A card is seen once nothing has moved for a while and no hand is in the picture. A card in the place of an equal
one isn't new. A mostly covered card is hidden, and a partly covered one has no sure name.
"""

from collections.abc import Callable, Sequence
from math import hypot
from typing import Any

from msgspec import Struct

from firmware.storage.found_table import parting_of, seat_zones
from firmware.table.watcher import DeferredOrders, EyesNews, EyesStarted
from firmware.twin.world import FRAME, World
from hardware.twin.rendering.scene import CARD
from hardware.twin.tabletop import Pose, TabletopCard
from referee.contract import TableLayout
from referee.match import Match
from tests.stepped import NEVER, Actor, SteppedTime
from vision.process.messages import ReadTable, TableRead, TroubleBegan, TroubleEnded
from vision.process.watching import ARM, RESTLESS
from vision.sightings import Sighting
from vision.table.camera import FROZEN
from vision.table.values import PlacedCard, Zones
from vision.table.zones import place_toward, zone_of
from vision.troubles import Problem

APART = 844.0, 556.0  # millimetres between the markers' centres, horizontally and vertically
STILL = 5  # unchanged observations before cards count
NEAR = 13.0  # millimetres within which two equal cards count as the same one
HIDDEN, DOUBTFUL = 0.75, 0.35
"""Covered shares from which a card is hidden, or unsure."""
FAULTS = {"unplugged": "missing", "black": "black", "frozen": "frozen"}
HAND = Problem("hand stays")


def zones_of(layout: TableLayout) -> Zones:
    return seat_zones(layout, *APART)


class KnownCard(Struct, frozen=True):
    """An observed card."""

    face: str
    pose: Pose
    is_sure: bool


class KeenEyes:
    """Observes the cards of the simulated world."""

    def __init__(self, match: Match, world: World, table: tuple[SteppedTime, Callable[[Any], None]]) -> None:
        (self._time, self._put), self._world, self._zones = table, world, zones_of(parting_of(match))
        self._possible = match.setup.game.table.deck(match.setup.house).counts
        self._known: tuple[KnownCard, ...] | None = None
        self._lying: tuple[TabletopCard, ...] = ()
        self._still = self._blind = self._reached = self._reading = 0
        self._asked: str | None = None
        self._wrong: Problem | None = None
        self._actor = Actor(self._time, self._look)
        self._put(EyesStarted(1))

    def tell(self, order: Any) -> None:
        """Handle an order; all except a new reading are ignored."""
        for each in order.made() if isinstance(order, DeferredOrders) else (order,):
            self._asked = each.asked if isinstance(each, ReadTable) else self._asked
        self._actor.wait_until(min(self._actor.due, self._time.seconds + FRAME))

    def close(self) -> None:
        self._actor.wait_until(NEVER)

    def _look(self) -> float:
        if self._sees() and self._is_still() and not 0 < self._reached < ARM:
            self._read(seen_of(self._lying, self._known or ()))
        return self._time.seconds + FRAME

    def _sees(self) -> bool:
        """Report camera faults; a frozen picture is detected after a while."""
        fault = self._world.view.fault
        self._blind = self._blind + 1 if fault else 0
        if fault is None:
            self._know_wrong(None)
        elif fault != "frozen" or self._blind > FROZEN:
            self._know_wrong(Problem(FAULTS[fault], {"camera": "twin"}))
        return fault is None

    def _know_wrong(self, wrong: Problem | None) -> None:
        if wrong == self._wrong:
            return
        if self._wrong is not None:
            self._say(TroubleEnded(self._wrong))
        if wrong is not None:
            self._known = None
            self._say(TroubleBegan(wrong))
        self._wrong, self._still = wrong, 0

    def _is_still(self) -> bool:
        """Track whether anything moves, and whether a hand stays."""
        was_held, lying = self._reached >= RESTLESS, self._world._table.lying
        self._reached = self._reached + FRAME if self._world.has_hand else 0
        if was_held != (self._reached >= RESTLESS):
            self._say(TroubleEnded(HAND) if was_held else TroubleBegan(HAND))
        self._still = self._still + 1 if lying == self._lying else 0
        self._lying = lying
        return self._still >= STILL

    def _read(self, seen: tuple[KnownCard, ...]) -> None:
        """Report all cards after a change, on request and at the first reading."""
        before, asked = self._known, self._asked
        if before == seen and asked is None:
            return
        self._known, self._asked, self._reading = seen, None, self._reading + 1
        is_change = before is not None and asked is None
        self._say(TableRead(tuple(map(self._placed, seen)), self._reading, asked or "", is_change=is_change))

    def _placed(self, card: KnownCard) -> PlacedCard:
        x, y = middle = round(card.pose.x, 1), round(card.pose.y, 1)
        right, down = CARD[0] / 2, CARD[1] / 2
        box = (x - right, y - down), (x + right, y - down), (x + right, y + down), (x - right, y + down)
        zone, is_possible = zone_of(self._zones, middle), self._possible.get(card.face, 0) > 0
        face = card.face if card.is_sure else None
        sighting = Sighting(face, card.is_sure, 0.9, (), box, "up", 1.0, possible=is_possible)
        return PlacedCard(sighting, middle, box, zone, place_toward(self._zones, middle))

    def _say(self, *news: object) -> None:
        for each in news:
            self._put(EyesNews(each))


def seen_of(lying: Sequence[TabletopCard], known: Sequence[KnownCard]) -> tuple[KnownCard, ...]:
    """Return the visible cards; a known card in its place stays known."""
    lying, left, seen = [card for card in lying if not card.is_held], list(known), list[KnownCard]()
    for number, card in enumerate(lying):
        same = next((each for each in left if each.face == card.face and _is_near(each.pose, card.pose)), None)
        covered = max((_share_covered(card.pose, each.pose) for each in lying[number + 1 :]), default=0.0)
        if same is not None:
            left.remove(same)
            seen.append(same)
        elif covered < HIDDEN:
            seen.append(KnownCard(card.face, card.pose, covered < DOUBTFUL))
    return tuple(seen)


def _is_near(one: Pose, other: Pose) -> bool:
    return hypot(one.x - other.x, one.y - other.y) < NEAR


def _share_covered(below: Pose, above: Pose) -> float:
    right, down = (1 - abs(above.x - below.x) / CARD[0]), (1 - abs(above.y - below.y) / CARD[1])
    return max(0.0, right) * max(0.0, down)
