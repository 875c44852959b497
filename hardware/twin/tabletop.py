"""What lies where under the twin's camera, who sees which card, and who may move it: pure.

The dealer's truth says whose every card is. The tabletop says which of them lie on the table just now; a card
that lies there is still its owner's, until a ruling makes hands put it elsewhere.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from hardware.twin.dealer import Truth
from hardware.twin.rendering.scene import SceneCard
from referee.contract import CENTRE, DISCARD, PILE, PROOF, Show, Zone
from referee.match import Match

PARTS = frozenset({"seat", "herd", "camp", "taunt"})
"""Parts of a player's place where cards lie open."""
OPEN = frozenset({CENTRE.name, PROOF.name, DISCARD.name, "box", "territory", "aside", *PARTS})
"""Places where cards lie open to everybody."""
STAYING = frozenset({CENTRE.name, PROOF.name, *PARTS})
"""Places on the table where cards stay as long as the game leaves them there."""
MOST = 5
"""Cards that stay in one place; with more of them there is no room, and they are put aside."""
SHARED = (PILE, CENTRE)
"""Nobody's places, of which whoever is asked takes the top card: a pile, or what waits in the middle."""
COMMON = Zone("neutral-hand")
"""A hand that several players play from in turn: whoever sits at the table knows it."""
OWN = frozenset({"hand", "worn", "covered", "seat"})
"""Places whose cards are in their player's hands."""
APART = (68.0, 95.0)
"""Millimetres from one card to the next."""
ROW = 5
FARTHEST = (430.0, 320.0)
"""Millimetres from the middle that a card's own middle may be away: what lies farther isn't seen."""

Places = Mapping[Zone, tuple[str, ...]]


class Pose(Struct, frozen=True):
    """How a card lies."""

    x: float
    y: float
    angle: float = 0.0
    is_up: bool = True


class TabletopCard(Struct, frozen=True):
    """A card on the table."""

    number: int
    face: str
    origin: Zone | None
    """Where it belongs by the truth; None is a card that has no business here."""
    pose: Pose
    is_held: bool = False
    """Somebody has it in the fingers just now."""


class Tabletop(Struct, frozen=True):
    """All that lies under the camera."""

    lying: tuple[TabletopCard, ...] = ()
    laid: int = 0
    """How many cards have been laid so far: no two have the same number."""


class ReachableCard(Struct, frozen=True):
    """A card within reach that doesn't lie on the table: where it is, which one there, what it shows."""

    zone: Zone
    place: int
    face: str


class TabletopView(Struct, frozen=True):
    """What one viewer sees: the cards of every place (None: a back), and what lies on the table."""

    places: Mapping[Zone, tuple[str | None, ...]]
    lying: tuple[TabletopCard, ...]


# laying, moving, taking


def lay_card(table: Tabletop, face: str, origin: Zone | None, pose: Pose) -> Tabletop:
    """Lay a card."""
    card = TabletopCard(table.laid + 1, face, origin, keep_in_view(pose))
    return Tabletop((*table.lying, card), table.laid + 1)


def move_card(table: Tabletop, number: int, pose: Pose) -> Tabletop:
    """Lay a card that lies here elsewhere, or otherwise: it comes to lie on top."""
    others = tuple(card for card in table.lying if card.number != number)
    mine = tuple(card for card in table.lying if card.number == number)
    return replace(
        table, lying=(*others, *(replace(card, pose=keep_in_view(pose), is_held=False) for card in mine))
    )


def lift_card(table: Tabletop, number: int) -> Tabletop:
    """Take a card into the fingers: the camera doesn't see it any more."""
    lying = tuple(replace(card, is_held=card.is_held or card.number == number) for card in table.lying)
    return replace(table, lying=lying)


def take_cards(table: Tabletop, numbers: Iterable[int]) -> Tabletop:
    """Take cards off the table, back to where they belong."""
    gone = frozenset(numbers)
    return replace(table, lying=tuple(card for card in table.lying if card.number not in gone))


def keep_in_view(pose: Pose) -> Pose:
    """Keep a card where the camera sees it."""
    x, y = (min(max(at, -most), most) for at, most in zip((pose.x, pose.y), FARTHEST, strict=True))
    return replace(pose, x=x, y=y, angle=pose.angle % 360)


def card_numbered(table: Tabletop, number: int) -> TabletopCard | None:
    """Find a card that lies here."""
    return next((card for card in table.lying if card.number == number), None)


def scene_cards(table: Tabletop) -> tuple[SceneCard, ...]:
    """Give what the camera sees of it."""
    return tuple(
        SceneCard(card.face if card.pose.is_up else None, card.pose.x, card.pose.y, card.pose.angle)
        for card in table.lying
        if not card.is_held
    )


def spots(middle: tuple[float, float], rng: Random) -> Iterator[Pose]:
    """Offer places for cards in rows around a middle, the nearest first, none quite straight."""
    for number in range(ROW * ROW):
        row, column = divmod(number, ROW)
        across = ((column + 1) // 2) * (1 if column % 2 else -1) * APART[0]
        down = ((row + 1) // 2) * (1 if row % 2 else -1) * APART[1]
        shift = (rng.uniform(-1.5, 1.5), rng.uniform(-1.5, 1.5))
        yield Pose(middle[0] + across + shift[0], middle[1] + down + shift[1], rng.uniform(-3, 3))


def is_free(table: Tabletop, pose: Pose) -> bool:
    """Tell whether no card lies so near that one would cover the other."""
    return all(
        abs(card.pose.x - pose.x) > 0.93 * APART[0] or abs(card.pose.y - pose.y) > 0.93 * APART[1]
        for card in table.lying
    )


# what rulings do with what lies here


def follow_moves(table: Tabletop, before: Truth, after: Truth) -> Tabletop:
    """Note where the cards on the table belong after hands have moved cards."""
    lying: list[TabletopCard] = []
    for card in table.lying:
        same = sum(1 for other in lying if (other.origin, other.face) == (card.origin, card.face))
        has_stayed = card.origin is None or after.get(card.origin, ()).count(card.face) > same
        home = card.origin if has_stayed else _new_home(card.face, before, after)
        lying.append(replace(card, origin=home))
    return replace(table, lying=tuple(lying))


def _new_home(face: str, before: Truth, after: Truth) -> Zone | None:
    """Find the place that has got a card of this face; one that lies open first."""
    got = [zone for zone, cards in after.items() if cards.count(face) > before.get(zone, ()).count(face)]
    return next((zone for zone in sorted(got, key=lambda zone: zone.name not in STAYING)), PILE)


def tidy_table(table: Tabletop, mark: int) -> Tabletop:
    """Put away what was laid up to a mark and has been read, but for what the game leaves open on the table."""
    homes = Counter(card.origin for card in table.lying)
    stays = {zone for zone, count in homes.items() if zone and zone.name in STAYING and count <= MOST}
    read = (card for card in table.lying if card.number <= mark and card.origin is not None)
    return take_cards(table, [card.number for card in read if card.origin not in stays])


# who sees what


def is_seen(zone: Zone, seat: int | None) -> bool:
    """Tell whether a viewer sees the faces of a place: the own hand, the others' foreheads, what lies open."""
    if zone.name in OPEN:
        return True
    if seat is None:
        return False
    if zone.name == COMMON.name:
        return True
    return zone.seat == seat if zone.name == "hand" else zone.name == "worn" and zone.seat != seat


def cards_at_home(truth: Truth, table: Tabletop) -> Truth:
    """Leave out what lies on the table."""
    left = {zone: list(cards) for zone, cards in truth.items()}
    for card in table.lying:
        cards = left.get(card.origin, []) if card.origin else []
        if card.face in cards:
            cards.remove(card.face)
    return {zone: tuple(cards) for zone, cards in left.items()}


def tabletop_view(truth: Truth, table: Tabletop, seat: int | None) -> TabletopView:
    """Say what a viewer sees; of what isn't seen, only how many cards there are."""
    places = {
        zone: cards if is_seen(zone, seat) else (None,) * len(cards)
        for zone, cards in cards_at_home(truth, table).items()
    }
    return TabletopView(places, table.lying)


def known_cards(truth: Truth, seat: int) -> Places:
    """Give the cards whose faces a seat knows, for whoever thinks for it."""
    return {zone: cards for zone, cards in truth.items() if is_seen(zone, seat)}


# who may take what


def cards_in_reach(truth: Truth, table: Tabletop, match: Match, seat: int) -> tuple[ReachableCard, ...]:
    """List the cards that a seat may lay: its own, and what the moment lets it take from the pile."""
    home = cards_at_home(truth, table)
    own = [
        ReachableCard(zone, place, face)
        for zone, cards in home.items()
        if (zone.seat == seat and zone.name in OWN) or (zone == COMMON and _may_take_of(match, seat, zone))
        for place, face in enumerate(cards)
    ]
    tops = [
        ReachableCard(zone, len(home[zone]) - 1, home[zone][-1])
        for zone in SHARED
        if home.get(zone) and _may_take_of(match, seat, zone)
    ]
    return (*own, *tops)


def _may_take_of(match: Match, seat: int, zone: Zone) -> bool:
    game, state = match.setup.game, match.state
    return any(
        isinstance(ask, Show) and (not ask.seats or seat in ask.seats) and zone in game.sources(state, ask)
        for ask in match.asks
    )


def is_wanted(match: Match, zone: Zone) -> bool:
    """Tell whether an ask wants to see cards of a place."""
    shows = [ask for ask in match.asks if isinstance(ask, Show)]
    return any(zone in match.setup.game.sources(match.state, ask) for ask in shows)


def may_move(card: TabletopCard, seat: int, others: frozenset[int]) -> bool:
    """Tell whether a seat may touch a card on the table: not one of the others who look after their own."""
    return card.origin is None or card.origin.seat is None or card.origin.seat not in others - {seat}


def hand_for(match: Match, ask: Show, seat: int) -> Zone:
    """Name the hand that a seat lays from for an ask: its own, or one that it shares."""
    sources = match.setup.game.sources(match.state, ask)
    return COMMON if COMMON in sources else Zone("hand", seat)


def move_in_hand(truth: Truth, zone: Zone, place: int, to: int) -> Truth:
    """Put a card of a hand at another place in it."""
    cards = list(truth.get(zone, ()))
    if not 0 <= place < len(cards):
        return truth
    card = cards.pop(place)
    cards.insert(min(max(to, 0), len(cards)), card)
    return {**truth, zone: tuple(cards)}


def reorder_hand(truth: Truth, zone: Zone, cards: tuple[str, ...]) -> Truth:
    """Hold a hand in another order; other cards than it has are no order of it."""
    return {**truth, zone: cards} if sorted(truth.get(zone, ())) == sorted(cards) else truth


def cards_due(match: Match, truth: Truth, ask: Show, seats: frozenset[int]) -> tuple[tuple[Zone, str], ...]:
    """List the cards that an ask wants of some seats where nobody has to choose: what is worn, or drawn."""
    found: list[tuple[Zone, str]] = []
    for zone in match.setup.game.sources(match.state, ask):
        cards = truth.get(zone, ())
        if zone in SHARED and seats and (not ask.seats or set(ask.seats) <= seats):
            found += [(zone, card) for card in cards[-ask.count :]]
        elif zone.seat in seats and zone.name != "hand":
            # of one seat only the newest is wanted, of the whole table all
            found += [(zone, card) for card in (cards[-ask.count :] if ask.seats else cards)]
    return tuple(found)


def was_answered_by_cards(match: Match) -> bool:
    """Tell whether the last answer was cards that were laid."""
    before, entry = match.before, match.entry
    asks = before.asks if before is not None else ()
    return any(isinstance(ask, Show) and ask.key == getattr(entry, "ask", "") for ask in asks)


def cards_laid_by(table: Tabletop, match: Match, truth: Truth, seats: frozenset[int]) -> tuple[int, ...]:
    """Number the cards that some seats have laid for what is asked now."""
    shows = [ask for ask in match.asks if isinstance(ask, Show)]
    due = {origin for ask in shows for origin, _face in cards_due(match, truth, ask, seats)}
    hands = {Zone("hand", seat) for seat in seats}
    return tuple(card.number for card in table.lying if card.origin in due | hands)
