"""The three boxes of Coyote, their cards, and the house rules: each ambiguity that has an option."""

from typing import Final, Literal, get_args

from msgspec import Struct

from referee.contract import Reason, Refusal, make_refusal
from referee.contract.cards import Deck

CAVE = "?"
"""Tipi: the top card of the pile is drawn and counts instead."""
FOX = "max0"
"""Squaw: the strongest green counts nothing."""
TURN = "max-"
"""The strongest green left is subtracted instead of added."""
LEADER = "x2"
"""Chief: the count is doubled."""
NIGHT = "night"
"""Dusk: counts nothing; all cards are shuffled before the next round."""
DECOY = "0"
"""False Indian: an ordinary card that counts nothing."""

SPECIALS = (CAVE, FOX, TURN, LEADER, NIGHT)

_ALIASES = {"cave": CAVE, "fox": FOX, "leader": LEADER}

KIDULT = Deck(
    "coyote-kidult",
    {"20": 1, "15": 2, "10": 3, **dict.fromkeys("54321", 4), DECOY: 3, "-5": 2, "-10": 1}
    | {face: 1 for face in SPECIALS if face != TURN},
    _ALIASES,
)

_FEATHERS = {
    "20": 1,
    "15": 1,
    **{str(value): 2 for value in range(10, 0, -1)},
    "-5": 2,
    "-10": 1,
    **dict.fromkeys(SPECIALS, 1),
}

GIGAMIC = Deck("coyote-gigamic", _FEATHERS, {**_ALIASES, "0": NIGHT})
OLIPHANTE = Deck("coyote-oliphante", _FEATHERS, {**_ALIASES, "0": NIGHT})

VALUE = {face: int(face) for face in (*KIDULT.counts, *GIGAMIC.counts) if face not in SPECIALS}
"""What a card counts; special cards have no value of their own."""

EditionName = Literal["kidult", "gigamic", "oliphante"]
Doubling = Literal["greens", "total"]
"""What the leader doubles: the greens only, or the whole total."""
Power = Literal["approve", "double", "reverse", "extra", "restart", "next", "skip", "replace", "guess"]

USUAL_LIMIT: Final = 3
"""Marks that put a player out, unless the table agrees on more."""
_SIX: tuple[Power, ...] = ("approve", "double", "reverse", "extra", "restart", "next")


class Edition(Struct, frozen=True):
    """The rules in which a box differs from the others."""

    deck: Deck
    least_seats: int
    doubling: Doubling
    opener: Literal["loser", "winner"]
    marks_in_box: int
    powers: tuple[Power, ...]
    limits: dict[int, int]
    """The highest mark limit that may be agreed on, by number of players; elsewhere three."""


_TOKENS: tuple[Power, ...] = ("extra", "reverse", "skip", "replace", "guess")
EDITIONS: dict[str, Edition] = {
    "kidult": Edition(KIDULT, 2, "greens", "loser", 18, _SIX, {3: 5, 4: 4}),
    "gigamic": Edition(GIGAMIC, 2, "total", "loser", 18, _SIX, dict.fromkeys(range(2, 7), 5)),
    "oliphante": Edition(OLIPHANTE, 3, "greens", "winner", 12, _TOKENS, {3: 5, 4: 5}),
}
BOX_RULES: dict[EditionName, frozenset[str]] = {
    "gigamic": frozenset({"t_multi"}),
    "oliphante": frozenset(
        {"o_contest_after_token", "o_guess_stays", "boxes", *(f"{power}_tokens" for power in _TOKENS)}
    ),
}
"""The house rules of one box alone."""


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house rules of Coyote."""

    edition: EditionName = "kidult"
    limit: Literal[3, 4, 5] = USUAL_LIMIT
    x2: Literal["by_edition", "greens", "total"] = "by_edition"
    powers: tuple[Power | Literal["all"], ...] = ()
    direction_persists: bool = False
    anyone_may_contest: bool = False
    t_multi: bool = True
    o_contest_after_token: bool = False
    o_guess_stays: bool = False
    boxes: Literal[1, 2] = 1
    extra_tokens: int = 2
    skip_tokens: int = 2
    replace_tokens: int = 2
    reverse_tokens: int = 1
    guess_tokens: int = 1


def edition_of(house: House) -> Edition:
    """Give the edition of some house rules."""
    return EDITIONS[house.edition]


def deck_of(house: House) -> Deck:
    """Give the deck in play: one set of feathers, even with two boxes."""
    return EDITIONS[house.edition].deck


def doubling_of(house: House) -> Doubling:
    """Give what the leader doubles."""
    return EDITIONS[house.edition].doubling if house.x2 == "by_edition" else house.x2


def seats_of(house: House) -> range:
    """Give the numbers of players: up to six a box."""
    return range(edition_of(house).least_seats, 6 * house.boxes + 1)


def tokens_of(house: House, power: str) -> int:
    """Count Oliphante's tokens of a power: there are eight in the box, but how many of each is unknown."""
    tokens: int = getattr(house, f"{power}_tokens")
    return tokens


def idle_rules(house: House) -> frozenset[str]:
    """List the house rules that are another box's, and the powers that this one doesn't have."""
    own = edition_of(house).powers
    foreign = {f"powers.{power}" for power in get_args(Power) if power not in own}
    others = (rules for edition, rules in BOX_RULES.items() if edition != house.edition)
    return frozenset(foreign.union(*others))


def house_refusal(house: House, seats: int) -> Refusal | None:
    """Find a house rule that doesn't fit this box or this number of players."""
    edition = edition_of(house)
    most = edition.limits.get(seats, USUAL_LIMIT)
    if house.limit > most:
        return make_refusal(Reason.HOUSE, why="limit", limit=house.limit, seats=seats, most=most)
    if house.boxes == 2 and house.edition != "oliphante":
        return make_refusal(Reason.HOUSE, why="boxes")
    if any(not 0 <= tokens_of(house, power) <= 8 for power in _TOKENS):
        return make_refusal(Reason.HOUSE, why="tokens")
    for power in house.powers:
        if power not in edition.powers:
            return make_refusal(Reason.HOUSE, why="power", power=power, powers=edition.powers)
    return None


_NAMES: tuple[EditionName, ...] = get_args(EditionName)
SETTINGS = {name: House(edition=name) for name in _NAMES} | {
    f"{name}, all powers": House(edition=name, powers=("all",)) for name in _NAMES
}
