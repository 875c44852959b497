"""The cards under the twin's camera, their visibility, and the permission to move them: pure.

The dealer's truth gives each card's place in the game. The tabletop holds the cards on the table now; such a
card retains its owner until a ruling moves it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from math import hypot
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from hardware.twin.dealer import Truth
from hardware.twin.rendering.scene import SceneCard
from referee.contract import PILE, Game, Show, Zone, hand_of, is_seen, kind_of
from referee.contract.cards import ZONE_KINDS
from referee.match import Match

MAX_STAYING = 5  # maximum number of cards that stay in one place; further ones are removed for lack of space
APART = (68.0, 94.0)  # millimetres between neighbouring cards
ROW = 5
FARTHEST = (430.0, 320.0)
"""Maximum distance of a card's middle from the table's, in millimetres, within the picture."""

Places = Mapping[Zone, tuple[str, ...]]


class Pose(Struct, frozen=True):
    """A card's position, angle and side."""

    x: float
    y: float
    angle: float = 0.0
    is_up: bool = True


class TabletopCard(Struct, frozen=True):
    """A card on the table."""

    number: int
    face: str
    origin: Zone | None
    """The card's true place; None for a card that doesn't belong to the match."""
    pose: Pose
    is_held: bool = False
    is_gathered: bool = False  # it belongs to a pile again, but still lies open


class Tabletop(Struct, frozen=True):
    """All cards under the camera."""

    lying: tuple[TabletopCard, ...] = ()
    laid: int = 0  # number of cards laid so far; the source of unique numbers


class ReachableCard(Struct, frozen=True):
    """A card within reach that isn't on the table: its place, its position there, and its face."""

    zone: Zone
    place: int
    face: str


class TabletopView(Struct, frozen=True):
    """One viewer's view: the cards of each place (None is a back), and the cards on the table."""

    places: Mapping[Zone, tuple[str | None, ...]]
    lying: tuple[TabletopCard, ...]


# kinds of places


def is_hand(game: Game, zone: Zone) -> bool:
    """Return whether only the viewers of this place choose its cards."""
    return kind_of(game, zone).seen_by in {"owner", "players"}


def is_in_reach(game: Game, zone: Zone) -> bool:
    """Return whether a player's hand on the twin may lay cards of a place."""
    return kind_of(game, zone).taken_by != "none"


def places_held(game: Game, seat: int) -> tuple[Zone, ...]:
    """Return the places whose cards a seat has at hand, except open ones on the table."""
    kinds = {**game.table.zones, **ZONE_KINDS, **game.table.zones}
    held = (name for name, kind in kinds.items() if kind.taken_by == "owner" and kind.seen_by != "all")
    return tuple(Zone(name, seat) for name in held)


# laying, moving, taking


def lay_card(table: Tabletop, face: str, origin: Zone | None, pose: Pose) -> Tabletop:
    card = TabletopCard(table.laid + 1, face, origin, keep_in_view(pose))
    return Tabletop((*table.lying, card), table.laid + 1)


def move_card(table: Tabletop, number: int, pose: Pose) -> Tabletop:
    """Move or turn a card on the table; it ends up on top."""
    others = tuple(card for card in table.lying if card.number != number)
    mine = tuple(card for card in table.lying if card.number == number)
    return replace(
        table, lying=(*others, *(replace(card, pose=keep_in_view(pose), is_held=False) for card in mine))
    )


def lift_card(table: Tabletop, number: int) -> Tabletop:
    lying = tuple(replace(card, is_held=card.is_held or card.number == number) for card in table.lying)
    return replace(table, lying=lying)


def take_cards(table: Tabletop, numbers: Iterable[int]) -> Tabletop:
    gone = frozenset(numbers)
    return replace(table, lying=tuple(card for card in table.lying if card.number not in gone))


def keep_in_view(pose: Pose) -> Pose:
    x, y = (min(max(at, -most), most) for at, most in zip((pose.x, pose.y), FARTHEST, strict=True))
    return replace(pose, x=x, y=y, angle=pose.angle % 360)


def card_numbered(table: Tabletop, number: int) -> TabletopCard | None:
    return next((card for card in table.lying if card.number == number), None)


def scene_cards(table: Tabletop) -> tuple[SceneCard, ...]:
    return tuple(
        SceneCard(card.face if card.pose.is_up else None, card.pose.x, card.pose.y, card.pose.angle)
        for card in table.lying
        if not card.is_held
    )


def spots(middle: tuple[float, float], rng: Random) -> Iterator[Pose]:
    """Yield poses for cards in rows around a middle, nearest first, slightly rotated.

    They stay within whole rows and columns, as do the areas of the table.
    """
    for number in range(ROW * ROW):
        row, column = divmod(number, ROW)
        across = ((column + 1) // 2) * (1 if column % 2 else -1) * APART[0]
        down = ((row + 1) // 2) * (1 if row % 2 else -1) * APART[1]
        shift = (rng.uniform(-1.5, 1.5), rng.uniform(-1.5, 1.5))
        x, y = (
            min(max(by + more, -(abs(by) or 2)), abs(by) or 2)
            for by, more in zip((across, down), shift, strict=True)
        )
        yield Pose(middle[0] + x, middle[1] + y, rng.uniform(-3, 3))


def nearest_first(poses: Iterable[Pose], wanted: Pose) -> list[Pose]:
    """Return the wanted pose, then the others, nearest first."""
    return [wanted, *sorted(poses, key=lambda pose: hypot(pose.x - wanted.x, pose.y - wanted.y))]


def is_free(table: Tabletop, pose: Pose) -> bool:
    """Return whether a card fits here without covering another."""
    return all(
        abs(card.pose.x - pose.x) > 0.94 * APART[0] or abs(card.pose.y - pose.y) > 0.94 * APART[1]
        for card in table.lying
    )


# effects of rulings on cards on the table


def follow_moves(game: Game, table: Tabletop, before: Truth, after: Truth) -> Tabletop:
    """Update the true places of the cards on the table after moves.

    Gathered cards leave the table when they are dealt, and open ones when they are taken into a hand.
    """
    lying: list[TabletopCard] = []
    gone = Counter[tuple[Zone | None, str]]()
    for card in table.lying:
        # of equal cards, the laid one has moved rather than one in a hand
        place = card.origin, card.face
        has_stayed = gone[place] >= _count_lost(card, before, after)
        gone[place] += not has_stayed
        if has_stayed:
            lying.append(card)
            continue
        home = _new_home(game, card.face, before, after)
        # shared and hidden; face-down cards there may not be turned
        is_gathered = home.seat is None and kind_of(game, home).seen_by == "none"
        was_open = card.origin is not None and kind_of(game, card.origin).stays
        is_taken = card.is_gathered or (was_open and is_hand(game, home))
        if not is_taken and (card.pose.is_up or not is_gathered):
            lying.append(replace(card, origin=home, is_gathered=is_gathered))
    return replace(table, lying=tuple(lying))


def _count_lost(card: TabletopCard, before: Truth, after: Truth) -> int:
    """Return how many cards of this face have left a card's place."""
    if card.origin is None:
        return 0
    was, now = (truth.get(card.origin, ()).count(card.face) for truth in (before, after))
    return was - now


def _new_home(game: Game, face: str, before: Truth, after: Truth) -> Zone:
    """Return the place that gained a card of this face; open places first."""
    got = [zone for zone, cards in after.items() if cards.count(face) > before.get(zone, ()).count(face)]
    return next((zone for zone in sorted(got, key=lambda zone: not kind_of(game, zone).stays)), PILE)


def tidy_table(game: Game, table: Tabletop, mark: int) -> Tabletop:
    """Remove cards up to a mark, which were read, except those that the game leaves open."""
    homes = Counter(card.origin for card in table.lying)
    stays = {
        zone for zone, count in homes.items() if zone and kind_of(game, zone).stays and count <= MAX_STAYING
    }
    read = (card for card in table.lying if card.number <= mark and card.origin is not None)
    return take_cards(table, [card.number for card in read if card.origin not in stays])


# visibility


def cards_at_home(truth: Truth, table: Tabletop) -> Truth:
    left = {zone: list(cards) for zone, cards in truth.items()}
    for card in table.lying:
        cards = left.get(card.origin, []) if card.origin else []
        if card.face in cards:
            cards.remove(card.face)
    return {zone: tuple(cards) for zone, cards in left.items()}


def tabletop_view(game: Game, truth: Truth, table: Tabletop, seat: int | None) -> TabletopView:
    """Return a viewer's cards; of unseen places only the number of cards."""
    places = {
        zone: cards if is_seen(game, zone, seat) else (None,) * len(cards)
        for zone, cards in cards_at_home(truth, table).items()
    }
    return TabletopView(places, table.lying)


def known_cards(game: Game, truth: Truth, seat: int) -> Places:
    """Return the cards whose faces a seat knows, for its bot."""
    return {zone: cards for zone, cards in truth.items() if is_seen(game, zone, seat)}


# permission to take cards


def cards_in_reach(truth: Truth, table: Tabletop, match: Match, seat: int) -> tuple[ReachableCard, ...]:
    """Return the cards that a seat may lay: its own, and those that it may take from the pile now."""
    game = match.setup.game
    own, tops = list[ReachableCard](), list[ReachableCard]()
    for zone, cards in cards_at_home(truth, table).items():
        taken_by = kind_of(game, zone).taken_by
        is_own = taken_by == "owner" and zone.seat == seat
        every = [ReachableCard(zone, place, face) for place, face in enumerate(cards)]
        if is_own or (taken_by == "asked" and is_wanted(match, zone, seat)):
            own += every
        elif taken_by == "top" and is_wanted(match, zone, seat):
            tops += every[-1:]
    return (*own, *tops)


def is_wanted(match: Match, zone: Zone, seat: int | None = None) -> bool:
    """Return whether cards of a place are requested: of anyone, or of one seat."""
    return count_wanted(match, zone, seat) > 0


def count_wanted(match: Match, zone: Zone, seat: int | None = None) -> int:
    """Return how many cards of a place may be requested: of anyone, or of one seat."""
    shows = [ask for ask in match.asks if isinstance(ask, Show)]
    mine = (ask for ask in shows if seat is None or not ask.seats or seat in ask.seats)
    return sum(ask.count for ask in mine if zone in match.setup.game.table.sources(match.state, ask))


def is_shown(match: Match, card: TabletopCard) -> bool:
    """Return whether a hidden card is face up for an ask."""
    if card.origin is None or card.is_gathered or not card.pose.is_up:
        return False
    return kind_of(match.setup.game, card.origin).seen_by != "all" and is_wanted(match, card.origin)


def may_move(card: TabletopCard, seat: int, others: frozenset[int]) -> bool:
    """Return whether a seat may touch a card on the table; cards of these other seats are theirs to move."""
    return card.origin is None or card.origin.seat is None or card.origin.seat not in others - {seat}


def hand_for(match: Match, ask: Show, seat: int) -> Zone:
    """Return the hand that a seat lays from: its own, or a shared one."""
    game = match.setup.game
    hands = (zone for zone in game.table.sources(match.state, ask) if is_hand(game, zone))
    return next((zone for zone in hands if zone.seat in (None, seat)), hand_of(seat))


def move_in_hand(truth: Truth, zone: Zone, place: int, to: int) -> Truth:
    cards = list(truth.get(zone, ()))
    if not 0 <= place < len(cards):
        return truth
    card = cards.pop(place)
    cards.insert(min(max(to, 0), len(cards)), card)
    return {**truth, zone: tuple(cards)}


def face_down_of(table: Tabletop, hand: Zone) -> tuple[str, ...]:
    return tuple(card.face for card in table.lying if card.origin == hand and not card.pose.is_up)


def laid_last(game: Game, truth: Truth, table: Tabletop) -> Truth:
    """Move face-down cards to the end of their hand, where cards are given away unseen."""
    for card in table.lying:
        home = card.origin
        cards = () if home is None or card.pose.is_up else truth.get(home, ())
        if home is not None and card.face in cards and is_hand(game, home):
            truth = move_in_hand(truth, home, cards.index(card.face), len(cards))
    return truth


def reorder_hand(truth: Truth, zone: Zone, cards: tuple[str, ...]) -> Truth:
    """Reorder a hand; ignore an order with other cards than the hand's."""
    return {**truth, zone: cards} if sorted(truth.get(zone, ())) == sorted(cards) else truth


def cards_due(match: Match, truth: Truth, ask: Show, seats: frozenset[int]) -> tuple[tuple[Zone, str], ...]:
    """Return the cards that an ask requires of some seats without a choice: worn or drawn ones."""
    found: list[tuple[Zone, str]] = []
    game = match.setup.game
    for zone in game.table.sources(match.state, ask):
        cards = truth.get(zone, ())
        is_top = kind_of(game, zone).taken_by == "top"
        if is_top and seats and (not ask.seats or set(ask.seats) <= seats):
            found += [(zone, card) for card in cards[-ask.count :]]
        elif zone.seat in seats and not is_hand(game, zone):
            # a single seat shows only its newest card, the whole table shows all
            found += [(zone, card) for card in (cards[-ask.count :] if ask.seats else cards)]
    return tuple(found)


def was_answered_by_cards(match: Match) -> bool:
    """Return whether the last answer was laid cards."""
    before, entry = match.before, match.entry
    asks = before.asks if before is not None else ()
    return any(isinstance(ask, Show) and ask.key == getattr(entry, "ask", "") for ask in asks)


def cards_laid_by(table: Tabletop, match: Match, truth: Truth, seats: frozenset[int]) -> tuple[int, ...]:
    """Return the numbers of the cards that some seats have laid for the current asks."""
    shows = [ask for ask in match.asks if isinstance(ask, Show)]
    due = {origin for ask in shows for origin, _face in cards_due(match, truth, ask, seats)}
    hands = {zone for seat in seats for zone in places_held(match.setup.game, seat)}
    hands = {zone for zone in hands if is_hand(match.setup.game, zone)}
    hands |= {hand_for(match, ask, seat) for ask in shows for seat in seats.intersection(ask.seats)}
    return tuple(card.number for card in table.lying if card.origin in due | hands)
