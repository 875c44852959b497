"""What the referee and the world say to each other: asks and answers, rulings and refusals.

At every moment the referee asks something of one seat, of several, or of the whole table. The asks are
the list of legal moves, and nothing else decides what is legal. These are the shapes; the four stories
in `docs/contract.md` show how games unlike each other go through them.

Values that are made for every answer are marked `gc=False`: frozen, they can't form cycles, and the
garbage collector need not walk through them.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Literal

from msgspec import Struct

from referee.decks import Deck
from referee.words import Words

TABLE: tuple[int, ...] = ()
"""The seats of an ask that anybody at the table may answer."""


class Zone(Struct, frozen=True, omit_defaults=True):
    """A place for cards: on the table, where the camera knows it by name, or out of its sight.

    The place of one player carries the seat.
    """

    name: str
    seat: int | None = None


CENTRE = Zone("centre")
PROOF = Zone("proof")
DISCARD = Zone("discard")
PILE = Zone("pile")


def before_seat(seat: int) -> Zone:
    """Name the place in front of a seat."""
    return Zone("seat", seat)


class Option(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One thing that may be chosen: a word, and what it is aimed at."""

    word: str
    seat: int | None = None
    face: str | None = None
    cell: tuple[int, int] | None = None


Value = int | Option | tuple[str, ...] | None
"""What an answer says: a number, an option, the faces shown, or nothing more than "done"."""


class Deadline(Struct, frozen=True):
    """How long an ask may stand, and what the clock then answers for every seat that has not.

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
    """So many cards, face up, in one zone of the table.

    `deck` says what cards there are, `among` how many of each face can still be there, `must` which are
    known to be. The seats are whose turn it is to lay; cards have no voice, so an answer may come without one.
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
    """Whether what is laid may outgrow its zone, as rows do: then it counts all over the table."""


class Done(Struct, frozen=True, tag="done", tag_field="kind", omit_defaults=True):
    """Something that hands do and no sense can see: say when it is done."""

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
    """When, for people who read the record; no rule looks at it."""
    owners: tuple[int, ...] = ()
    """Whose each shown card was, where the sense could tell; in the order of the cards."""
    tied: tuple[int, ...] = ()
    """Seats that said the same in the same instant, and that the game lets come after this one."""


Datum = int | float | str | None | tuple[int, ...] | tuple[str, ...]


class Ruling(Struct, frozen=True, gc=False):
    """What the referee decided: a key and values, never a sentence."""

    key: str
    values: Mapping[str, Datum]


def make_ruling(key: str, **values: Datum) -> Ruling:
    """Say a ruling by its key."""
    return Ruling(key, values)


class Reason(StrEnum):
    """Why an answer was not accepted."""

    STALE = "stale"
    OVER = "over"
    NOT_ASKED = "not-asked"
    NOT_YOU = "not-you"
    WRONG_KIND = "wrong-kind"
    TOO_LOW = "too-low"
    TOO_HIGH = "too-high"
    BARRED = "barred"
    NO_SUCH_OPTION = "no-such-option"
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


class Refusal(Struct, frozen=True):
    """Why an answer was not accepted, tellable; the state stays as it was."""

    reason: Reason
    values: Mapping[str, Datum]


def make_refusal(reason: Reason, **values: Datum) -> Refusal:
    """Refuse for a reason."""
    return Refusal(reason, values)


class Move(Struct, frozen=True):
    """What hands do with cards: so many (None: all) go from one place to another, which may be shuffled.

    Where it has been seen which cards go, `faces` says so; else they are the top ones.
    """

    source: Zone
    target: Zone
    count: int | None = None
    shuffled: bool = False
    faces: tuple[str, ...] = ()


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """How a match ended: who won, and why it is over."""

    reason: str
    winners: tuple[int, ...]


class Standing(Struct, frozen=True):
    """How a seat stands: its place, what it has (marks, coins, ...), and whether it still plays."""

    seat: int
    place: int
    counts: Mapping[str, int]
    out: bool = False


Cell = tuple[int, int]
"""A column and a row, from the left and from the top."""


class Span(Struct, frozen=True, gc=False):
    """Cells side by side in a row of somebody's grid: the first, and how many."""

    seat: int
    cell: Cell
    length: int


class CardGroup(Struct, frozen=True):
    """Cards of a grid that belong together, gaps and all, and what everybody may know of them."""

    span: Span
    is_whole: bool
    """Nothing is missing in it."""
    told: tuple[Ruling, ...] = ()


class Grid(Struct, frozen=True):
    """Somebody's cards in rows, a gap is an empty word; a cell keeps its name wherever the rows begin."""

    seat: int
    first: Cell
    """The name of the first cell of the first row."""
    rows: tuple[tuple[str, ...], ...]
    groups: tuple[CardGroup, ...] = ()
    beside: tuple[str, ...] = ()
    """Cards that belong to it and have no cell yet."""


class Transition(Struct, frozen=True, gc=False):
    """What an answer led to: the next state and the rulings on the way."""

    state: Any
    rulings: tuple[Ruling, ...]


class Stretch(Struct, frozen=True, gc=False):
    """A stretch of a match: what everybody could see before it, what was ruled, what could be seen after."""

    before: Any
    rulings: tuple[Ruling, ...]
    after: Any


class Feat(Struct, frozen=True, gc=False):
    """Something that a seat has done and that counts for its statistics: what, and how often or how much."""

    seat: int
    key: str
    count: int = 1


class Rate(Struct, frozen=True):
    """A share or an average of feats: so much of one for each of another."""

    key: str
    part: str
    whole: str
    is_share: bool = True


class TableLayout(Struct, frozen=True):
    """How a table is parted around its centre: so many players' places, each with these parts.

    The first half of the parts is in front, the others behind, from left to right as the player sees them.
    """

    count: int
    parts: tuple[str, ...] = ("seat",)


Scene = Mapping[Zone, tuple[str, ...]]
"""Which cards lie open where; a place that is left out is empty."""
Ways = tuple[tuple[Answer, ...], ...]
"""Ways to go on: answers that are legal one after the other."""


class Turns(Struct, frozen=True, kw_only=True):
    """Turns that are played with the cards alone, and read from what lies on the table once they are over."""

    asks: Callable[[Any], Choice | None]
    """How whoever is in turn may say that it is over; None while something else is to be said first."""
    begins: frozenset[str]
    """Keys of rulings with which a turn begins."""
    scene: Callable[[Any], Scene]
    """What should lie open, and where."""
    explained: Callable[[Any, Scene, Scene, int], Ways]
    """The ways in which one scene can have become the other from a state on, numbered from a moment."""


class StatisticsRules(Struct, frozen=True, kw_only=True):
    """What of a match counts for statistics: drawn from what everybody could see and was told."""

    ends: Callable[[Stretch], bool] = lambda _stretch: False
    """Whether a round is over with an answer; the end of a match always ends one."""
    opens: frozenset[str] = frozenset()
    """Keys of rulings that tell of the next round, where a round is over."""
    feats: Callable[[Stretch], tuple[Feat, ...]] = lambda _stretch: ()
    """What the seats have done in a round."""
    points: Callable[[Stretch], Mapping[str, int]] = lambda _stretch: {}
    """What a chart shows of a round beside the standings."""
    rates: tuple[Rate, ...] = ()
    begins: tuple[str, str] = ("", "")
    """The ruling that tells who begins, and its value that names the seat."""
    score: str = ""
    """Which count of the standings people take for the score."""
    is_most_best: bool = True


def order_of_arrival(_state: Any, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
    """Hear answers of the same instant in the order in which they happened to come."""
    return answers


def is_always_fair(_state: Any, _answer: Answer, _places: Mapping[Zone, tuple[str, ...]]) -> bool:
    """Call any legal answer fair: so it is where no rule binds a hidden card."""
    return True


def one_place_each(seats: int) -> TableLayout:
    """Part a table into a place for each player: so it is where nobody lays cards apart."""
    return TableLayout(seats)


def house_unchanged(house: Any, _counts: Mapping[str, int]) -> Any:
    """Leave the house rules as they are: so it is where every box has the same cards."""
    return house


def no_grids(_view: Any) -> tuple[Grid, ...]:
    """Show no grids: so it is where cards lie in no rows."""
    return ()


def no_audit(_state: Any, _span: Span, _seen: tuple[str, ...]) -> tuple[Ruling, ...]:
    """Tell nothing: so it is where there are no grids to compare with."""
    return ()


class Game(Struct, frozen=True, kw_only=True):
    """A game as the house knows it: a few types, and pure functions over a frozen state.

    `start` may refuse seats or house rules that don't go together; `hear` is only given answers that are
    legal for the asks. `view` names one by one what a viewer may see (a spectator is None). `insight` says
    what can be told, exactly and from public knowledge, about the round that has just been shown.
    """

    name: str
    words: Words
    house: type[Struct]
    settings: Mapping[str, Any]
    """House rules by name: the editions and their options, as tests and benchmarks go through them."""
    state: type[Struct]
    seats: Callable[[Any], range]
    start: Callable[[tuple[int, ...], Any, Outcome | None], Transition | Refusal]
    asks: Callable[[Any], tuple[Ask, ...]]
    hear: Callable[[Any, Answer], Transition | Refusal]
    standings: Callable[[Any], tuple[Standing, ...]]
    outcome: Callable[[Any], Outcome | None]
    view: Callable[[Any, int | None], Struct]
    insight: Callable[[Any], tuple[Ruling, ...]]
    deck: Callable[[Any], Deck]
    moves: Callable[[Any, Ruling], tuple[Move, ...]]
    """What hands do with the cards once they have heard a ruling; the state is the one it led to."""
    sources: Callable[[Any, Show], tuple[Zone, ...]]
    """From where the cards come that an ask wants to see laid."""
    in_order: Callable[[Any, tuple[Answer, ...]], tuple[Answer, ...]] = order_of_arrival
    """In which order answers are heard that no clock can tell apart; who gave way is noted in the first."""
    is_fair: Callable[[Any, Answer, Mapping[Zone, tuple[str, ...]]], bool] = is_always_fair
    """Whether one who plays fair may say so, with the cards where they really are: only the twin can ask."""
    no_way_back: frozenset[str] = frozenset()
    """Keys of rulings after which a player can't take back, because hidden cards have moved."""
    counting: StatisticsRules = StatisticsRules()
    """What of a match counts for statistics."""
    boxed: Callable[[Any, Mapping[str, int]], Any] = house_unchanged
    """The house rules with the counts of a box that was taught, where nobody knows them for all boxes."""
    grids: Callable[[Any], tuple[Grid, ...]] = no_grids
    """The grids of a view; an option with a cell is chosen on the grid of its seat, or of whoever is asked."""
    audited: Callable[[Any, Span, tuple[str, ...]], tuple[Ruling, ...]] = no_audit
    """What cards that were seen tell about a stretch of a grid: whether the record has the same."""
    parting: Callable[[int], TableLayout] = one_place_each
    """How the table is parted for so many players."""
    turns: Turns | None = None
    """How whole turns are read, where cards tell what was done."""
