"""Messages between the referee and its inputs: asks, answers, rulings and refusals.

Types created for every answer set `gc=False`. They are frozen and can't form cycles, so the garbage collector
can skip them.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from msgspec import Struct

from referee.contract.cards import Deck, Zone

TABLE: tuple[int, ...] = ()
"""Seats of an ask that anyone at the table may answer."""


class Option(Struct, frozen=True, gc=False, cache_hash=True, omit_defaults=True, forbid_unknown_fields=True):
    """One choice: an action word and its target, if any.

    If every option with the same word has both a seat and a face, the player picks the seat, then the card.
    """

    word: str
    seat: int | None = None
    face: str | None = None
    cell: tuple[int, int] | None = None


Value = int | Option | tuple[str, ...] | None
"""Value of an answer: a number, an option, the faces shown, or None for "done"."""


class Deadline(Struct, frozen=True):
    """Time limit of an ask, and the answer given for each seat that hasn't answered by then.

    In a window, time counts from the first moment with this deadline, regardless of later answers.
    """

    seconds: float
    value: Value = None


class Number(Struct, frozen=True, gc=False, tag="number", tag_field="kind", omit_defaults=True):
    """A whole number from `least` to `most`, except the barred ones."""

    key: str
    seats: tuple[int, ...]
    least: int
    most: int
    barred: tuple[int, ...] = ()
    deadline: Deadline | None = None


class Choice(Struct, frozen=True, gc=False, tag="choice", tag_field="kind", omit_defaults=True):
    """One of the options.

    A window is open to several seats at once and stays open while they answer one by one. An answer to an
    earlier moment of the same window is not stale.
    """

    key: str
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    window: int | None = None
    deadline: Deadline | None = None


class Show(Struct, frozen=True, gc=False, tag="show", tag_field="kind", omit_defaults=True):
    """Cards to place face up in one zone of the table; the camera accepts them anywhere in its view.

    `deck` defines the possible cards, `among` the maximum number of each face, and `must` the required faces.
    `seats` are the players who may place them; the camera can't tell, so an answer may have no seat. If the
    zone belongs to another seat, they turn up that player's cards. `barred` maps each card not allowed in this
    zone to the key of the text that explains why.
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
    may_leave_view: bool = False
    """Whether cards laid earlier may be out of the camera's view, as in long rows; then none is missing."""


class Done(Struct, frozen=True, tag="done", tag_field="kind", omit_defaults=True):
    """A manual action that no sensor detects. It ends when a player confirms it."""

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
    """An answer to an ask, with its input. `moment` is the number of the moment it answers."""

    moment: int
    ask: str
    value: Value = None
    seat: int | None = None
    sense: Sense = "keyboard"
    at: str = ""
    """Local time, for readers of the record; no rule uses it."""
    owners: tuple[int | None, ...] = ()
    """Owner of each card shown, in card order; None if unknown."""
    tied: tuple[int, ...] = ()
    """Seats that gave the same answer at the same instant; the game processes them after this one."""
    likely: str = ""
    """The card that the camera reported as likely; it was displayed and no player objected."""


Datum = int | float | str | None | tuple[int | str, ...]


class Ruling(Struct, frozen=True, gc=False, omit_defaults=True):
    """A decision of the referee as a key and values, with the rule behind it; sentences are made elsewhere."""

    key: str
    values: Mapping[str, Datum]
    rule: str = ""
    """Id of the rule in the book, or its topic if the house rules select between several rules.

    If several rules apply together, they are separated by spaces, the main one first.
    """


def make_ruling(key: str, /, rule: str = "", **values: Datum) -> Ruling:
    return Ruling(key, values, rule)


class Reason(StrEnum):
    """Reason for refusing an answer."""

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
    """A refused answer: the reason, and values for its sentence. The state doesn't change."""

    reason: Reason
    values: Mapping[str, Datum]


def make_refusal(reason: Reason, **values: Datum) -> Refusal:
    return Refusal(reason, values)


class CountChange(Struct, frozen=True, gc=False):
    """A seat's count before and after a change."""

    seat: int
    count: str
    before: int
    after: int


class Ending(Struct, frozen=True, gc=False):
    """One possible outcome of an option: the revealed fact and its consequence."""

    key: str
    values: Mapping[str, Datum] = {}
    is_good: bool | None = None
    """Whether the player who chose the option wants this outcome; None if it is neutral."""


class Effect(Struct, frozen=True, gc=False):
    """Consequence of an option: data for one short line, the card concerned, and changed counts.

    If several outcomes are possible, the line describes the action and `endings` describe the outcomes.
    """

    key: str
    values: Mapping[str, Datum] = {}
    face: str = ""
    changes: tuple[CountChange, ...] = ()
    endings: tuple[Ending, ...] = ()


def make_effect(key: str, face: str = "", changes: tuple[CountChange, ...] = (), **values: Datum) -> Effect:
    return Effect(key, values, face, changes)
