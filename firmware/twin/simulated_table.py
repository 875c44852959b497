"""The simulated table: each viewer's view of the world, and actions of hands on its page.

Actions return False if they are not possible.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, suppress
from functools import lru_cache
from random import Random
from threading import Lock
from time import monotonic, sleep
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
from hardware.twin.dealer import cards_to_choose
from hardware.twin.rendering.renderer import BACK, Faces
from hardware.twin.strengths import STRENGTHS, Strength
from hardware.twin.tabletop import ReachableCard, Tabletop, TabletopCard, TabletopView
from referee.contract import DISCARD, PILE, Answer, Ask, Game, Option, Show, Zone, is_seen, kind_of
from referee.contract.words import Phrase, phrase
from referee.legal import ask_named
from referee.match import Match

BotStrength = Strength


def strengths_offered(game: Game) -> tuple[BotStrength, ...]:
    """Return the strengths of a game's bots; strong only if the game has a strong bot."""
    return tuple(each for each in STRENGTHS if each != "strong" or game.play.strong_bot)


def is_bot_strength(text: str) -> TypeGuard[BotStrength]:
    return text in STRENGTHS


Point = tuple[float, float]


class OffTableCard(Struct, frozen=True):
    """A card off the table: its place; without a face it shows its back."""

    where: str
    place: int
    face: str | None = None
    may: bool = False  # the viewer may lay it
    is_wanted: bool = False  # the viewer is asked to lay it now


class LaidCardView(Struct, frozen=True):
    """A card on the table, in millimetres from the middle and degrees; without a face it is face down."""

    number: int
    face: str | None
    x: float
    y: float
    angle: float
    may: bool = False  # the viewer may move it
    is_own: bool = False  # it belongs to the viewer or to no seat
    is_astray: bool = False  # it is requested, but outside its area
    is_held: bool = False
    may_flip: bool = False  # the viewer may turn it over
    before: int | None = None  # the seat in front of which it is; None in the middle


class Chair(Struct, frozen=True):
    """A seat of the simulated table, and its position."""

    at: Point
    cards: tuple[OffTableCard, ...] = ()  # in the hand, or worn on the forehead
    is_worn: bool = False
    open: tuple[str, ...] = ()  # cards face up in front of the seat, outside the camera's view
    taken: int = 0  # number of cards in the tricks it has won
    has_button: bool = False
    has_second: bool = False
    is_bot: bool = False


class TableView(Struct, frozen=True):
    """Everything that a viewer sees, except the lamps."""

    deck: str
    chairs: tuple[Chair, ...]
    laid: tuple[LaidCardView, ...]
    pile: int
    draw: OffTableCard | None  # the card that the viewer may draw now
    discard: int
    top: str | None  # the top card of the discards
    zone: tuple[Point, ...]  # outline of the area for requested cards
    zone_seat: int | None
    has_dial: bool
    has_button: bool  # the table has a button of its own
    wrong: tuple[str, ...]  # the active faults
    is_compared: bool = False
    """Whether cards of a grid are requested in the middle for an audit."""
    is_brought: bool = False  # they are in the middle
    zone_middle: Point | None = None  # position of the first requested card
    is_showing: bool = False
    """Whether read cards stay on show together with the result."""
    is_thinking: bool = False  # a bot is about to move, and may be hurried
    has_laid: bool = False  # the viewer has laid cards that are requested now
    set_aside: int = 0  # number of the viewer's own cards that lie face down
    is_stuck: bool = False
    """Whether cards are requested that neither the viewer nor anybody else can lay."""


class RequestedPose(Struct, frozen=True):
    """The position at which a player lays a card."""

    x: float
    y: float
    angle: float = 0.0
    is_up: bool | None = None  # None lays it as the ask requires


MISCHIEF = ("unplugged", "frozen", "black", "glare", "hand", "dirty", "extra", "wrong")


# actions


PICTURE = (252, 352)
MAX_CLICKS = 50  # maximum dial clicks in one request of a page
PICTURE_CACHE_SECONDS = 0.25  # seconds for which one picture of the eyes is shared by all pages
LIFT_TIMEOUT, LIFT_POLL_INTERVAL = 4.0, 0.05
"""Seconds for the eyes to see that cards were lifted, and between checks."""
PICTURE_TIMEOUT = 1.0  # seconds that pages wait for the eyes' picture before using the camera's


class SimulatedTable:
    """The simulated table: world, fingers, bots and lamps."""

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
            # newly dealt cards aren't picked up before people have seen the revealed ones
            sight = TabletopView(without_newly_dealt(sight.places, match), sight.lying)
        ask, discard = show_ask(match), sight.places.get(DISCARD, ())
        world = self.world
        going_on = {
            str(world.view.fault): world.view.fault is not None,
            "hand": world.has_hand,
            "glare": world.glare is not None,
            "dirty": self.fingers.is_dirty,
            "extra": world.has_strange,
            "wrong": world.has_swapped,
        }
        return TableView(
            deck=match.setup.deck.name,
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
            wrong=tuple(name for name, is_on in going_on.items() if is_on),
            is_compared=self._client.state().auditing is not None,
            is_brought=self.world.has_brought,
            zone_middle=None if ask is None else self.world.middle(ask.zone),
            is_showing=is_showing,
            is_thinking=any(not each.seats or self.bots.seats & {*each.seats} for each in match.asks),
            has_laid=seat is not None and self.world.has_laid_any(match, seat),
            set_aside=len(tabletop.face_down_of(Tabletop(sight.lying), Zone("hand", seat))),
            is_stuck=seat is not None and not is_showing and self._is_stuck(match, seat),
        )

    def is_possible(self, match: Match, answer: Answer) -> bool:
        """Return whether the cards allow an answer."""
        turns = match.setup.game.table.turns
        whole_turn = None if turns is None else turns.asks(match.state)
        if whole_turn is not None and answer.ask == whole_turn.key:
            return self.world.has_laid_turn(match)
        if self._has_drawn(match, answer.seat):
            return False
        return match.setup.game.play.is_fair(match.state, answer, self.world.truth(match))

    def _has_drawn(self, match: Match, seat: int | None) -> bool:
        """Return whether a seat has turned up the card of a pile that it is asked for, and must show it."""
        return seat is not None and any(
            kind_of(match.setup.game, zone).taken_by == "top" and tabletop.is_wanted(match, zone, seat)
            for zone in self.world.places_shown(match)
        )

    def has_laid_all(self) -> bool:
        """Return whether all cards that are asked for lie in their place."""
        match = self._client.moment()
        return all(self.world.has_laid(match, ask) for ask in match.asks if isinstance(ask, Show))

    def _is_stuck(self, match: Match, seat: int) -> bool:
        """Return whether a seat is asked only for cards, and nobody has a card left to lay for them."""
        asks = [ask for ask in match.asks if not ask.seats or seat in ask.seats]
        shows = [ask for ask in asks if isinstance(ask, Show)]
        if not shows or len(shows) < len(asks) or any(self.world.has_laid(match, ask) for ask in shows):
            return False
        seats = {other for ask in shows for other in ask.seats or range(len(match.setup.names))}
        return not any(
            self._is_asked_for(match, other, card) for other in seats for card in self.world.reach(match, other)
        ) and not any(
            self._card_view(card, seat, match).is_astray for card in self.world.sight(match, seat).lying
        )

    def _chair(
        self, sight: TabletopView, seat: int, match: Match, reach: tuple[ReachableCard, ...] | None
    ) -> Chair:
        """Return a player's seat, with the cards that the viewer can lay from it."""
        may = {(each.zone, each.place): each for each in reach or ()}
        game, own = match.setup.game, [zone for zone in sight.places if zone.seat == seat]
        # members of a shared clan can use its cards, too
        common = dict.fromkeys(zone for zone, _place in may if kind_of(game, zone).taken_by == "asked")
        places = (*tabletop.places_held(game, seat), *common)
        held = (
            (zone, place, face)
            for zone in places
            for place, face in in_order(match, zone, sight.places.get(zone, ()))
        )
        wanted = {here for here, card in may.items() if self._is_asked_for(match, seat, card)}
        return Chair(
            at=self.world.middle(Zone("seat", seat)),
            cards=tuple(
                OffTableCard(zone.name, place, face, (zone, place) in may, (zone, place) in wanted)
                for zone, place, face in held
            ),
            is_worn=any(sight.places.get(zone) and not tabletop.is_hand(game, zone) for zone in places),
            open=cards_before(sight, seat, match),
            taken=sum(len(sight.places[zone]) for zone in own if kind_of(game, zone).is_won),
            has_button=self.fingers.has(Key("call", seat)),
            has_second=self.fingers.has(Key("second", seat)),
            is_bot=seat in self.bots.seats,
        )

    def _draw(self, match: Match, seat: int | None, reach: tuple[ReachableCard, ...]) -> OffTableCard | None:
        """Return the card that a viewer may draw from the pile (face down) or from the middle."""
        game = match.setup.game
        top = next((each for each in reach if kind_of(game, each.zone).taken_by == "top"), None)
        if top is None or seat is None:
            return None
        face = top.face if is_seen(game, top.zone, seat) else None
        return OffTableCard(top.zone.name, top.place, face, True, self._is_asked_for(match, seat, top))

    def _is_asked_for(self, match: Match, seat: int, card: ReachableCard) -> bool:
        game = match.setup.game
        for ask in match.asks:
            if not isinstance(ask, Show) or (ask.seats and seat not in ask.seats):
                continue
            if card.zone in game.table.sources(match.state, ask) and not self.world.has_laid(match, ask):
                # cards that a player can't see are all equal to that player
                return not is_seen(game, card.zone, seat) or self._is_fair(match, ask, card.face)
        return False

    def _is_fair(self, match: Match, ask: Show, face: str) -> bool:
        if not ask.among.get(face) or face in ask.barred:
            return False
        answer = Answer(match.number, ask.key, (face,))
        return ask.count > 1 or match.setup.game.play.is_fair(match.state, answer, self.world.truth(match))

    def _card_view(self, card: TabletopCard, seat: int | None, match: Match) -> LaidCardView:
        pose, origin, ask = card.pose, card.origin, show_ask(match)
        is_wanted = ask is not None and origin is not None and tabletop.is_wanted(match, origin)
        may = seat is not None and tabletop.may_move(card, seat, self._protected_seats(match))
        return LaidCardView(
            number=card.number,
            face=card.face if pose.is_up else None,
            x=round(pose.x, 1),
            y=round(pose.y, 1),
            angle=round(pose.angle, 1),
            may=may,
            may_flip=may and seat is not None and self.world.may_turn_up(match, card, seat),
            is_own=origin is None or origin.seat in (None, seat),
            is_astray=is_wanted
            and ask is not None
            and not self.world.is_in(ask.zone, pose)
            and self._is_fair(match, ask, card.face),
            is_held=card.is_held,
            before=self.world.seat_at(pose),
        )

    def _protected_seats(self, match: Match) -> frozenset[int]:
        """Return the seats whose cards only they move: all, or after the match those of people."""
        bots = frozenset() if match.outcome is None else self.bots.seats
        return frozenset(range(len(match.setup.names))) - bots

    def picture(self, deck: str, face: str) -> bytes | None:
        faces, setup = self.world.deck(deck), self._client.moment().setup
        is_there = face == BACK or face in setup.deck.counts
        return _encode_face(faces, face) if faces is not None and is_there else None

    def camera(self) -> bytes | None:
        """Return the camera's picture, annotated with the eyes' readings."""
        seen = self.world.view.picture()
        if seen is None:
            return None
        # all pages share one picture of the eyes
        with self._lock:
            if monotonic() > self._until:
                self._picture = None
                with suppress(TimeoutError, CancelledError):
                    self._picture = self._client.picture().result(PICTURE_TIMEOUT).jpeg
                self._until = monotonic() + PICTURE_CACHE_SECONDS
            return self._picture or seen

    # cards

    def lay(self, seat: int, where: str, place: int, pose: RequestedPose | None) -> bool:
        match = self._client.moment()
        game = match.setup.game
        # the place may be another player's, if one of that player's cards is requested
        reach = [each for each in self.world.reach(match, seat) if each.zone.name == where]
        # the top card of a pile is meant, even if bots have drawn some since
        meant = (each for each in reach if each.place == place or kind_of(game, each.zone).taken_by == "top")
        card = next(meant, None)
        zone, place = (Zone(where, seat), place) if card is None else (card.zone, card.place)
        is_wanted = tabletop.is_wanted(match, zone)
        if pose is None:
            ask = show_ask(match)
            if is_wanted and ask is not None and self.world.has_laid(match, ask):
                # by an earlier tap, or by a bot
                return True
            # where a card was lifted unseen, the eyes take the next one for it
            end = monotonic() + LIFT_TIMEOUT
            while self._sees_lifted(match) and monotonic() < end:
                sleep(LIFT_POLL_INTERVAL)
            return is_wanted and self.world.place(match, seat, (zone, place), None, ask)
        # cards that aren't requested are laid face down, so that no slip reveals them
        is_up = is_wanted if pose.is_up is None else pose.is_up
        return self.world.place(match, seat, (zone, place), _pose(pose, is_up=is_up), None)

    def move(self, seat: int, number: int, pose: RequestedPose) -> bool:
        to = _pose(pose, is_up=pose.is_up is not False)
        return self._change(seat, number, lambda table: tabletop.move_card(table, number, to))

    def lift(self, seat: int, number: int) -> bool:
        """Pick up a card from the table."""
        return self._change(seat, number, lambda table: tabletop.lift_card(table, number))

    def take(self, seat: int, number: int) -> bool:
        return self._change(seat, number, lambda table: tabletop.take_cards(table, (number,)))

    def _change(self, seat: int, number: int, change: Callable[[Tabletop], Tabletop]) -> bool:
        match = self._client.moment()
        return self.world.change_card(match, number, seat, self._protected_seats(match), change)

    def withdraw(self, seat: int) -> bool:
        """Pick up the seat's cards for the current ask, to lay them again."""
        match = self._client.moment()
        had_laid = self.world.has_laid_any(match, seat)
        self.world.withdraw(match, frozenset({seat}))
        return had_laid

    def _sees_lifted(self, match: Match) -> bool:
        return len(self._client.state().cards or ()) > len(self.world.sight(match, None).lying)

    def cards_to_choose(self, match: Match, ask: Ask, seat: int) -> tuple[int, int] | None:
        return cards_to_choose(match, ask, seat)

    def prepare(self, match: Match, answer: Answer, chosen: tuple[str, ...]) -> Phrase | None:
        """Make an answer's unseen cards leave the hand first; returns why the cards don't allow the answer."""
        ask, value, seat = ask_named(match.asks, answer.ask), answer.value, answer.seat
        is_asked = ask is not None and (not ask.seats or seat in ask.seats)
        if not is_asked or self.world.view.fault == "unplugged":
            # the referee refuses other seats, whatever the cards; without a camera, people are believed
            return None
        if isinstance(ask, Show):
            is_true = not isinstance(value, tuple) or self.world.can_show(match, ask, value)
            return None if is_true else phrase("Those aren't the cards. Show the ones that are really there.")
        if isinstance(value, Option) and not self.is_possible(match, answer):
            return phrase("The cards don't allow that.")
        if ask is None or seat is None:
            return None
        counts = cards_to_choose(match, ask, seat)
        if counts is not None and isinstance(value, int):
            counts = value, value
        if counts is None or self.world.give(match, Zone("hand", seat), chosen, counts):
            return None
        return phrase("Choose the cards first, at the simulated table.")

    def why_not_back(self, match: Match) -> Phrase | None:
        """Return why the last answer can't be taken back: people have seen cards that follow from it."""
        if not self.world.places_shown(match):
            return None
        return phrase("Cards have been revealed since: only the host can correct that.")

    def bring(self) -> bool:
        """Push the cards of an audit into the middle."""
        span = self._client.state().auditing
        return span is not None and self.world.bring(self._client.moment(), span)

    # board

    def press(self, seat: int | None, role: Literal["call", "second", "push"], how: str) -> bool:
        match = self._client.moment()
        mine = ((ask, other) for ask in match.asks for other in ask.seats if seat in {None, other})
        # a button can't say which cards leave the hand, and none answers instead of a drawn card
        if any(cards_to_choose(match, ask, other) or self._has_drawn(match, other) for ask, other in mine):
            return False
        return self.fingers.press(Key(role, seat), how)

    def turn(self, clicks: int) -> bool:
        return abs(clicks) <= MAX_CLICKS and self.fingers.turn(clicks)

    # bots and faults

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


def in_order(match: Match, zone: Zone, cards: tuple[str | None, ...]) -> list[tuple[int, str | None]]:
    """Return a place's cards with their positions there; those of a hand by suit and rank."""
    if not tabletop.is_hand(match.setup.game, zone):
        return [*enumerate(cards)]
    order = [None, *match.setup.deck.counts]
    return sorted(enumerate(cards), key=lambda card: order.index(card[1]))


def without_newly_dealt(
    places: Mapping[Zone, tuple[str | None, ...]], match: Match
) -> dict[Zone, tuple[str | None, ...]]:
    """Remove cards dealt by the last rulings; drawn cards are on top of those held before."""
    dealt: Counter[Zone] = Counter()
    for ruling in match.rulings:
        for move in match.setup.game.table.moves(match.state, ruling):
            if move.source == PILE and move.target.seat is not None:
                dealt[move.target] += move.count or 0
    return {zone: cards[: max(0, len(cards) - dealt[zone])] for zone, cards in places.items()}


def cards_before(sight: TabletopView, seat: int, match: Match) -> tuple[str, ...]:
    """Return the face-up cards in front of a player; cards of grids are drawn separately."""
    game = match.setup.game
    own = (grid for grid in game.table.grids(game.shown.view(match.state, None)) if grid.seat == seat)
    in_rows = Counter(face for grid in own for row in (*grid.rows, grid.beside) for face in row)
    own_zones = (zone for zone in sight.places if zone.seat == seat)
    zones = (zone for zone in own_zones if kind_of(game, zone).seen_by == "all")
    faces = Counter(face for zone in zones for face in sight.places[zone] if face is not None)
    return tuple((faces - in_rows).elements())


class NoTwin(SimulatedTable):
    """The twin of a real table: it has no bots and no page."""

    is_there = False

    def __init__(self) -> None:
        pass

    def bot_seats(self) -> frozenset[int]:
        return frozenset()

    def leave(self, seat: int) -> None: ...

    def prepare(self, match: Match, answer: Answer, chosen: tuple[str, ...]) -> Phrase | None: ...

    def why_not_back(self, match: Match) -> Phrase | None: ...


def open_twin(
    ends: ExitStack,
    client: TableClient,
    world: World,
    wires: tuple[Board, Any],
    seats: tuple[RunOptions, HeldSeats],
    animals: Callable[[Sequence[str]], Sequence[str]] = tuple,
) -> SimulatedTable:
    """Seat bots where no person sits; the terminal controls the same world and fingers as the page."""
    (board, factory), (wished, held) = wires, seats
    shining, usual = BoardMonitor(board, factory), bot_seats(wished, len(client.moment().setup.names))
    rng = Random()  # noqa: S311 - bots
    bots = Bots(usual, client, world, rng, held, strength=wished.strength, animals=animals)
    ends.callback(bots.close)
    return SimulatedTable(client, world, Fingers(board, factory), bots, shining)


def bot_seats(wished: RunOptions, seats: int) -> frozenset[int]:
    """Return the bots' seats: the requested number of last seats; by default all but the first."""
    usual = 0 if wished.seats else seats - 1
    count = usual if wished.bots is None else min(wished.bots, seats)
    return frozenset(range(seats - count, seats))


def _pose(pose: RequestedPose, *, is_up: bool) -> tabletop.Pose:
    return tabletop.Pose(pose.x, pose.y, pose.angle, is_up)


@lru_cache(maxsize=256)
def _encode_face(faces: Faces, face: str) -> bytes:
    small = cv2.resize(faces(face), PICTURE, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".png", small)[1].tobytes()
