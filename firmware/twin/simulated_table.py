"""The simulated table at work: each viewer's sight of the world, and what hands on a page do to it.

Actions return False if they are not possible.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, suppress
from functools import lru_cache
from random import Random
from threading import Lock
from time import monotonic
from typing import Any, Literal, TypeGuard

import cv2
from msgspec import Struct

from firmware.storage.configuration import RunOptions
from firmware.table.cards import show_ask
from firmware.table.client import TableClient
from firmware.twin.bot_seats import Bots, HeldSeats
from firmware.twin.simulated_board import BoardMonitor, Fingers
from firmware.twin.world import World
from hardware.board.board import Board, Key
from hardware.twin import tabletop
from hardware.twin.rendering.renderer import BACK, Faces
from hardware.twin.strengths import STRENGTHS, Strength
from hardware.twin.tabletop import ReachableCard, Tabletop, TabletopCard, TabletopView
from referee.contract import DISCARD, PILE, Answer, Game, Show, Zone
from referee.match import Match

BotStrength = Strength


def strengths_offered(game: Game) -> tuple[BotStrength, ...]:
    """List how well the bots of a game can play: strong only where a bot of it is."""
    return tuple(each for each in STRENGTHS if each != "strong" or game.play.strong_bot)


def is_bot_strength(text: str) -> TypeGuard[BotStrength]:
    return text in STRENGTHS


Point = tuple[float, float]


class OffTableCard(Struct, frozen=True):
    """A card off the table: where it is, and its place there; without a face it shows its back."""

    where: str
    place: int
    face: str | None = None
    may: bool = False  # the viewer may lay it
    is_wanted: bool = False  # the viewer is asked to lay it now


class LaidCardView(Struct, frozen=True):
    """A card on the table, in millimetres from the middle and degrees; without a face it lies face down."""

    number: int
    face: str | None
    x: float
    y: float
    angle: float
    may: bool = False  # the viewer may move it
    is_own: bool = False  # it belongs to the viewer or to no seat
    is_astray: bool = False  # it is asked for, but lies outside the area where it should
    is_held: bool = False
    before: int | None = None  # the seat before which it lies; none in the middle


class Chair(Struct, frozen=True):
    """A seat of the simulated table, and where it is."""

    at: Point
    cards: tuple[OffTableCard, ...] = ()  # in the hand, or worn on the forehead
    is_worn: bool = False
    open: tuple[str, ...] = ()  # cards that lie face up before the seat, outside the camera's view
    taken: int = 0  # number of cards in the tricks it has taken
    has_button: bool = False
    has_second: bool = False
    is_bot: bool = False


class TableView(Struct, frozen=True):
    """All that a viewer sees, except the lamps."""

    deck: str
    chairs: tuple[Chair, ...]
    laid: tuple[LaidCardView, ...]
    pile: int
    draw: OffTableCard | None  # the card of the pile that the viewer may draw now
    discard: int
    top: str | None  # the top card of the discards
    zone: tuple[Point, ...]  # the area where cards are asked for
    zone_seat: int | None
    has_dial: bool
    has_button: bool  # the table has a button of its own
    wrong: tuple[str, ...]  # the mischief that is going on
    is_compared: bool = False
    """Cards before a seat are wanted in the middle, to be compared with the record."""
    is_brought: bool = False  # they are in the middle
    zone_middle: Point | None = None  # where the first card is laid that is asked for
    is_showing: bool = False
    """What was read still lies there, so that people see it together with what came of it."""
    is_thinking: bool = False  # a bot is about to move, and may be hurried


class RequestedPose(Struct, frozen=True):
    """Where and how a player lays a card."""

    x: float
    y: float
    angle: float = 0.0
    is_up: bool | None = None  # None lays it as the ask wants it


MISCHIEF = ("unplugged", "frozen", "black", "glare", "hand", "dirty", "extra", "wrong")


# the table at work


PICTURE = (252, 352)
FASTEST = 50  # clicks of the dial that a page may ask for at once
GLANCE = 0.25  # seconds for which a picture of the eyes is shown to all pages that look
EYES = 1.0  # seconds that pages wait for a picture of the eyes; then they see what the camera sees


class SimulatedTable:
    """The simulated table: world, fingers, bots, and what shines."""

    is_there = True

    def __init__(
        self, client: TableClient, world: World, fingers: Fingers, bots: Bots, shining: BoardMonitor
    ) -> None:
        self._client, self._lock = client, Lock()
        self._picture: bytes | None = None
        self._until = 0.0
        self.world, self.fingers, self.bots, self.shining = world, fingers, bots, shining

    def table(self, seat: int | None) -> TableView:
        match = self._client.moment()
        is_showing = self.bots.is_showing(match)
        sight, reach = self.world.sight(match, seat), () if seat is None else self.world.reach(match, seat)
        if is_showing:
            # what is dealt for what comes next isn't taken up before people have seen what came to light
            sight = TabletopView(without_newly_dealt(sight.places, match), sight.lying)
        ask, discard = show_ask(match), sight.places.get(DISCARD, ())
        return TableView(
            deck=match.setup.game.table.deck(match.setup.house).name,
            chairs=tuple(
                self._chair(sight, other, match, reach if other == seat else None)
                for other in range(len(match.setup.names))
            ),
            laid=tuple(self._card_view(card, seat, match) for card in sight.lying),
            pile=len(sight.places.get(PILE, ())),
            draw=self._draw(match, seat, reach),
            discard=len(discard),
            top=discard[-1] if discard else None,
            zone=() if ask is None else self.world.zone(ask.zone),
            zone_seat=None if ask is None else ask.zone.seat,
            has_dial=self.fingers.has(Key("push")),
            has_button=self.fingers.has(Key("call")),
            wrong=tuple(self._active_mischief()),
            is_compared=self._client.state().auditing is not None,
            is_brought=self.world.has_brought,
            zone_middle=None if ask is None else self.world.middle(ask.zone),
            is_showing=is_showing,
            is_thinking=any(not each.seats or self.bots.seats & {*each.seats} for each in match.asks),
        )

    def _chair(
        self, sight: TabletopView, seat: int, match: Match, reach: tuple[ReachableCard, ...] | None
    ) -> Chair:
        """Show a player's place; of the viewer's own, what can be laid from there."""
        may = {(each.zone, each.place): each for each in reach or ()}
        game, own = match.setup.game, [zone for zone in sight.places if zone.seat == seat]
        # a player of a clan that several play has its cards at hand, too
        common = dict.fromkeys(zone for zone, _place in may if tabletop.kind_of(game, zone).taken_by == "asked")
        places = (*tabletop.places_held(game, seat), *common)
        held = ((zone, place, face) for zone in places for place, face in enumerate(sight.places.get(zone, ())))
        wanted = {here for here, card in may.items() if self._is_asked_for(match, seat, card)}
        return Chair(
            at=self.world.middle(Zone("seat", seat)),
            cards=tuple(
                OffTableCard(zone.name, place, face, (zone, place) in may, (zone, place) in wanted)
                for zone, place, face in held
            ),
            is_worn=any(sight.places.get(zone) and not tabletop.is_hand(game, zone) for zone in places),
            open=cards_before(sight, seat, match),
            taken=sum(len(sight.places[zone]) for zone in own if tabletop.kind_of(game, zone).is_won),
            has_button=self.fingers.has(Key("call", seat)),
            has_second=self.fingers.has(Key("second", seat)),
            is_bot=seat in self.bots.seats,
        )

    def _draw(self, match: Match, seat: int | None, reach: tuple[ReachableCard, ...]) -> OffTableCard | None:
        """Show the card that a viewer may take of the pile, or of the middle: one of the pile by its back."""
        game = match.setup.game
        top = next((each for each in reach if tabletop.kind_of(game, each.zone).taken_by == "top"), None)
        if top is None or seat is None:
            return None
        face = top.face if tabletop.is_seen(game, top.zone, seat) else None
        return OffTableCard(top.zone.name, top.place, face, True, self._is_asked_for(match, seat, top))

    def _is_asked_for(self, match: Match, seat: int, card: ReachableCard) -> bool:
        game = match.setup.game
        for ask in match.asks:
            if not isinstance(ask, Show) or (ask.seats and seat not in ask.seats):
                continue
            if card.zone in game.table.sources(match.state, ask) and not self.world.has_laid(ask):
                # what a player doesn't see can't be chosen either
                return not tabletop.is_seen(game, card.zone, seat) or self._is_fair(match, ask, card.face)
        return False

    def _is_fair(self, match: Match, ask: Show, face: str) -> bool:
        if not ask.among.get(face) or face in ask.barred:
            return False
        answer = Answer(match.number, ask.key, (face,))
        return ask.count > 1 or match.setup.game.play.is_fair(match.state, answer, self.world.truth(match))

    def _card_view(self, card: TabletopCard, seat: int | None, match: Match) -> LaidCardView:
        pose, origin, ask = card.pose, card.origin, show_ask(match)
        is_wanted = ask is not None and origin is not None and tabletop.is_wanted(match, origin)
        return LaidCardView(
            number=card.number,
            face=card.face if pose.is_up else None,
            x=round(pose.x, 1),
            y=round(pose.y, 1),
            angle=round(pose.angle, 1),
            may=seat is not None and tabletop.may_move(card, seat, self._people_seats()),
            is_own=origin is None or origin.seat in (None, seat),
            is_astray=is_wanted and ask is not None and not self.world.is_in(ask.zone, pose),
            is_held=card.is_held,
            before=self.world.seat_at(pose),
        )

    def _people_seats(self) -> frozenset[int]:
        return frozenset(range(len(self._client.moment().setup.names))) - self.bots.seats

    def picture(self, deck: str, face: str) -> bytes | None:
        faces, setup = self.world.deck(deck), self._client.moment().setup
        is_there = face == BACK or face in setup.game.table.deck(setup.house).counts
        return _encode_face(faces, face) if faces is not None and is_there else None

    def camera(self) -> bytes | None:
        """Give what the camera sees, with what the eyes have read in it."""
        seen = self.world.view.picture()
        if seen is None:
            return None
        # the eyes' own picture is taken once for all pages that look
        with self._lock:
            if monotonic() > self._until:
                self._picture = None
                with suppress(TimeoutError, CancelledError):
                    self._picture = self._client.picture().result(EYES).jpeg
                self._until = monotonic() + GLANCE
            return self._picture or seen

    # cards

    def lay(self, seat: int, where: str, place: int, pose: RequestedPose | None) -> bool:
        match = self._client.moment()
        # the place may be another player's, where a card of theirs is asked for
        reach = (each.zone for each in self.world.reach(match, seat) if each.place == place)
        zone = next((zone for zone in reach if zone.name == where), Zone(where, seat))
        is_wanted = tabletop.is_wanted(match, zone)
        if pose is None:
            return is_wanted and self.world.place(match, seat, (zone, place), None, show_ask(match))
        # a card that isn't asked for is laid face down, so that no slip of the hand gives it away
        is_up = is_wanted if pose.is_up is None else pose.is_up
        return self.world.place(match, seat, (zone, place), _pose(pose, is_up=is_up), None)

    def move(self, seat: int, number: int, pose: RequestedPose) -> bool:
        to = _pose(pose, is_up=pose.is_up is not False)
        return self._change(seat, number, lambda table: tabletop.move_card(table, number, to))

    def lift(self, seat: int, number: int) -> bool:
        """Take a card of the table into the fingers."""
        return self._change(seat, number, lambda table: tabletop.lift_card(table, number))

    def take(self, seat: int, number: int) -> bool:
        return self._change(seat, number, lambda table: tabletop.take_cards(table, (number,)))

    def _change(self, seat: int, number: int, change: Callable[[Tabletop], Tabletop]) -> bool:
        return self.world.change_card(number, seat, self._people_seats(), change)

    def arrange(self, seat: int, place: int, to: int) -> bool:
        self.world.arrange(self._client.moment(), Zone("hand", seat), place, to)
        return True

    def bring(self) -> bool:
        """Push what is compared with the record into the middle."""
        span = self._client.state().auditing
        return span is not None and self.world.bring(self._client.moment(), span)

    # the board

    def press(self, seat: int | None, role: Literal["call", "second", "push"], how: str) -> bool:
        return self.fingers.press(Key(role, seat), how)

    def turn(self, clicks: int) -> bool:
        return abs(clicks) <= FASTEST and self.fingers.turn(clicks)

    # bots, and what goes wrong

    def bot_seats(self) -> frozenset[int]:
        return self.bots.seats

    def leave(self, seat: int) -> None:
        self.bots.leave(seat)

    def mischief(self, what: str) -> bool:
        match what:
            case "hand":
                self.world.has_hand = not self.world.has_hand
            case "glare":
                self.world.toggle_glare()
            case "dirty":
                self.fingers.is_dirty = not self.fingers.is_dirty
            case "extra":
                return self.world.add_strange(show_ask(self._client.moment()))
            case "wrong":
                return self.world.swap_one()
            case "unplugged" | "frozen" | "black":
                self.world.view.fault = None if self.world.view.fault == what else what
            case _:
                return False
        return True

    def set_right(self) -> None:
        self.fingers.is_dirty = False
        self.world.set_right()
        self.bots.look_again()

    def _active_mischief(self) -> list[str]:
        world = self.world
        going_on = {
            str(world.view.fault): world.view.fault is not None,
            "hand": world.has_hand,
            "glare": world.glare is not None,
            "dirty": self.fingers.is_dirty,
            "extra": world.has_strange,
            "wrong": world.has_swapped,
        }
        return [name for name, is_on in going_on.items() if is_on]


def without_newly_dealt(
    places: Mapping[Zone, tuple[str | None, ...]], match: Match
) -> dict[Zone, tuple[str | None, ...]]:
    """List the cards that players held before the last ruling; those just drawn lie on top of them."""
    dealt: Counter[Zone] = Counter()
    for ruling in match.rulings:
        for move in match.setup.game.table.moves(match.state, ruling):
            if move.source == PILE and move.target.seat is not None:
                dealt[move.target] += move.count or 0
    return {zone: cards[: max(0, len(cards) - dealt[zone])] for zone, cards in places.items()}


def cards_before(sight: TabletopView, seat: int, match: Match) -> tuple[str, ...]:
    """List the cards that lie open before a player, but not those of a grid: that is drawn by itself."""
    game = match.setup.game
    own = (grid for grid in game.table.grids(game.shown.view(match.state, None)) if grid.seat == seat)
    in_rows = Counter(face for grid in own for row in (*grid.rows, grid.beside) for face in row)
    own_zones = (zone for zone in sight.places if zone.seat == seat)
    zones = (zone for zone in own_zones if tabletop.kind_of(game, zone).seen_by == "all")
    faces = Counter(face for zone in zones for face in sight.places[zone] if face is not None)
    return tuple((faces - in_rows).elements())


class NoTwin(SimulatedTable):
    """What a real table has in its place: no bot plays there, and no page shows it."""

    is_there = False

    def __init__(self) -> None:
        pass

    def bot_seats(self) -> frozenset[int]:
        return frozenset()

    def leave(self, seat: int) -> None: ...


def open_twin(
    ends: ExitStack,
    client: TableClient,
    world: World,
    wires: tuple[Board, Any],
    seats: tuple[RunOptions, HeldSeats],
    animals: Callable[[Sequence[str]], Sequence[str]] = tuple,
) -> SimulatedTable:
    """Let bots sit down where no person does; the terminal moves the same world and fingers as the page."""
    (board, factory), (wished, held) = wires, seats
    shining, usual = BoardMonitor(board, factory), bot_seats(wished, len(client.moment().setup.names))
    rng = Random()  # noqa: S311 - bots
    bots = Bots(usual, client, world, rng, held, strength=wished.strength, animals=animals)
    ends.callback(bots.close)
    return SimulatedTable(client, world, Fingers(board, factory), bots, shining)


def bot_seats(wished: RunOptions, seats: int) -> frozenset[int]:
    """Choose the last seats for bots: so many as were wished for; if nothing was said, all but the first."""
    usual = 0 if wished.seats else seats - 1
    count = usual if wished.bots is None else min(wished.bots, seats)
    return frozenset(range(seats - count, seats))


def _pose(pose: RequestedPose, *, is_up: bool) -> tabletop.Pose:
    return tabletop.Pose(pose.x, pose.y, pose.angle, is_up)


@lru_cache(maxsize=256)
def _encode_face(faces: Faces, face: str) -> bytes:
    small = cv2.resize(faces(face), PICTURE, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".png", small)[1].tobytes()
