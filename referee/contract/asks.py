"""What passes between the referee and the world: asks and answers, rulings and refusals.

Values that are made for every answer are marked `gc=False`: frozen, they can't form cycles, and the
garbage collector need not walk through them.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from msgspec import Struct

from referee.contract.cards import Deck, Zone

TABLE: tuple[int, ...] = ()
"""The seats of an ask that any person at the table may answer."""


class Option(Struct, frozen=True, gc=False, cache_hash=True, omit_defaults=True, forbid_unknown_fields=True):
    """One thing to choose: a word, and what it is aimed at.

    Options of one word that all have a seat and a face are chosen by two taps: the player, then the card.
    """

    word: str
    seat: int | None = None
    face: str | None = None
    cell: tuple[int, int] | None = None


Value = int | Option | tuple[str, ...] | None
"""The value of an answer: a number, an option, the faces shown, or None for "done"."""


class Deadline(Struct, frozen=True):
    """How long an ask may stand, and what the clock then answers for each seat that hasn't.

    In a window it counts from the moment in which that window first had it, however many have answered since.
    """

    seconds: float
    value: Value = None


class Number(Struct, frozen=True, gc=False, tag="number", tag_field="kind", omit_defaults=True):
    """A whole number from `least` to `most`, none of the barred ones."""

    key: str
    seats: tuple[int, ...]
    least: int
    most: int
    barred: tuple[int, ...] = ()
    deadline: Deadline | None = None


class Choice(Struct, frozen=True, gc=False, tag="choice", tag_field="kind", omit_defaults=True):
    """One of the options.

    A window is open to several seats at once and stays the same while they answer one by one: an answer
    to an earlier moment of the same window is not stale.
    """

    key: str
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    window: int | None = None
    deadline: Deadline | None = None


class Show(Struct, frozen=True, gc=False, tag="show", tag_field="kind", omit_defaults=True):
    """A number of cards to lay face up in one zone of the table.

    `deck` says what cards there are, `among` how many of each face can still be there, `must` which are
    known to be. The seats are whose turn it is to lay; cards have no voice, so an answer may come without one.
    A zone of another seat is where they turn up a card of that seat's.
    `barred` are cards that the rules keep away from here now, each with the key of the words that say why.
    """

    key: str
    seats: tuple[int, ...]
    count: int
    zone: Zone
    deck: Deck
    among: Mapping[str, int]
    must: tuple[str, ...] = ()
    deadline: Deadline | None = None
    barred: Mapping[str, str] = {}
    is_anywhere: bool = False
    """Whether the cards laid may outgrow their zone, as rows do: then they count all over the table."""


class Done(Struct, frozen=True, tag="done", tag_field="kind", omit_defaults=True):
    """Something that hands do and no sense can see: it is over when a player says so."""

    key: str
    seats: tuple[int, ...]
    window: int | None = None
    deadline: Deadline | None = None


Ask = Number | Choice | Show | Done

Sense = Literal["button", "dial", "camera", "phone", "clock", "keyboard", "twin"]


class Answer(
    Struct,
    frozen=True,
    gc=False,
    tag="answer",
    tag_field="entry",
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """What a sense says to an ask; `moment` is the number of the moment that it saw."""

    moment: int
    ask: str
    value: Value = None
    seat: int | None = None
    sense: Sense = "keyboard"
    at: str = ""
    """The time of day, for people who read the record; no rule looks at it."""
    owners: tuple[int | None, ...] = ()
    """The seat of each card shown, in the order of the cards; None for one whose it isn't known."""
    tied: tuple[int, ...] = ()
    """Seats that gave the same answer in the same instant, and that the game hears after this one."""
    likely: str = ""
    """The one of these cards that the camera took for likely: it was shown, and no player said no."""


Datum = int | float | str | None | tuple[int | str, ...]


class Ruling(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the referee decided: a key and values, never a sentence; and by which rule."""

    key: str
    values: Mapping[str, Datum]
    rule: str = ""
    """The id of the rule in the book, or its topic where the house rules say which of several holds.

    Where several rules decided it together, the main one comes first, and a space is between them.
    """


def make_ruling(key: str, /, rule: str = "", **values: Datum) -> Ruling:
    return Ruling(key, values, rule)


class Reason(StrEnum):
    """Why an answer was not accepted."""

    STALE = "stale"
    FUTURE = "future"
    OVER = "over"
    NOT_ASKED = "not-asked"
    NOT_YOU = "not-you"
    WRONG_KIND = "wrong-kind"
    TOO_LOW = "too-low"
    TOO_HIGH = "too-high"
    BARRED = "barred"
    NO_SUCH_OPTION = "no-such-option"
    OTHER_PLAYER = "other-player"
    OTHER_CARD = "other-card"
    OTHER_PLACE = "other-place"
    CARD_COUNT = "card-count"
    UNKNOWN_CARD = "unknown-card"
    MORE_THAN_DECK = "more-than-deck"
    ALREADY_SEEN = "already-seen"
    CARD_BARRED = "card-barred"
    CARD_MISSING = "card-missing"
    OUT_OF_TURN = "out-of-turn"
    OWNERS = "owners"
    NAME = "name"
    SEATS = "seats"
    HOUSE = "house"
    NO_SUCH_RULE = "no-such-rule"
    RULE_VALUE = "rule-value"
    NOTHING_BACK = "nothing-back"
    NOT_YOURS_BACK = "not-yours-back"
    SEEN_BACK = "seen-back"
    NO_SUCH_MOMENT = "no-such-moment"
    TOO_LONG = "too-long"
    TOO_MUCH = "too-much"


class Refusal(Struct, frozen=True):
    """Why an answer was not accepted, tellable; the state stays as it was."""

    reason: Reason
    values: Mapping[str, Datum]


def make_refusal(reason: Reason, **values: Datum) -> Refusal:
    return Refusal(reason, values)


class CountChange(Struct, frozen=True, gc=False):
    """What a count of a seat is now, and what it would become."""

    seat: int
    count: str
    before: int
    after: int


class Ending(Struct, frozen=True, gc=False):
    """One way in which an option can end: what comes to light, and what follows from that."""

    key: str
    values: Mapping[str, Datum] = {}
    is_good: bool | None = None
    """Whether the one who chooses hopes for it; None where it is simply what comes next."""


class Effect(Struct, frozen=True, gc=False):
    """What follows from an option: data for one short line, the card that it is about, counts that change.

    Where it can end in several ways, the line says the act itself, and the endings what follows from it.
    """

    key: str
    values: Mapping[str, Datum] = {}
    face: str = ""
    changes: tuple[CountChange, ...] = ()
    endings: tuple[Ending, ...] = ()


def make_effect(key: str, face: str = "", changes: tuple[CountChange, ...] = (), **values: Datum) -> Effect:
    return Effect(key, values, face, changes)
