"""Cards as the eyes tell them."""

from msgspec.structs import replace

from vision.process.messages import CardChanged, TableRead
from vision.sightings import RunnerUp, Sighting
from vision.table.zones import PlacedCard

MIDDLES = {"centre": (0.0, 0.0), "proof": (-200.0, 0.0), "discard": (200.0, 0.0), "seat 1": (0.0, 250.0)}


def card(  # noqa: PLR0913 - whatever else is usual
    face: str | None,
    place: int = 0,
    zone: str = "centre",
    *,
    sure: bool = True,
    possible: bool = True,
    facing: str = "up",
    shift: float = 0.0,
    over_more: bool = False,
) -> PlacedCard:
    """Place a card in a zone, the next one beside it."""
    x, y = MIDDLES[zone]
    middle = (x + 30 * place + shift, y)
    box = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    sighting = Sighting(face, sure, 0.9, (RunnerUp("5", 0.5),), box, facing, 1.0, possible=possible)  # type: ignore[arg-type]
    return PlacedCard(replace(sighting, more_below=over_more), middle, box, zone)


def unsure_card(place: int, *guesses: tuple[str, float], chance: float | None = None) -> PlacedCard:
    """Place a card that isn't certain, with how well each guess fits, and how probable the best one is."""
    placed = card(None, place, sure=False)
    others = tuple(RunnerUp(*guess) for guess in guesses)
    return replace(placed, card=replace(placed.card, runners_up=others, chance=chance))


def see_table(*cards: PlacedCard, asked: str = "", reading: int = 1) -> TableRead:
    """See all of the table."""
    return TableRead(cards, reading, asked)


def see_laid(each: PlacedCard, reading: int = 1) -> CardChanged:
    """See that a card was laid."""
    return CardChanged("laid", each, None, reading)


def see_taken(each: PlacedCard, reading: int = 1) -> CardChanged:
    """See that a card was taken."""
    return CardChanged("taken", each, None, reading)


def see_moved(before: PlacedCard, after: PlacedCard, reading: int = 1) -> CardChanged:
    """See that a card was moved."""
    return CardChanged("moved", after, before, reading)
