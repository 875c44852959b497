"""A game as the rest of the program knows it: types, and pure functions over a frozen state."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct

from referee.contract.asks import Answer, Ask, Choice, Effect, Option, Refusal, Ruling, Show
from referee.contract.board import Board, Cue, Gesture, Mood, Question, Situation
from referee.contract.cards import PILE, Deck, Zone, ZoneKind, hand_of
from referee.contract.coaching import Coach, no_judgements
from referee.contract.layout import Grid, Move, Scene, Span, TableLayout
from referee.contract.rule_book import Chapter
from referee.contract.verdicts import Verdicts
from referee.contract.words import Words

Ways = tuple[tuple[Answer, ...], ...]
"""Ways to go on, each as answers that are legal one after the other."""


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


class Transition(Struct, frozen=True, gc=False):
    """What an answer led to: the next state, and the rulings on the way to it."""

    state: Any
    rulings: tuple[Ruling, ...]


class Stretch(Struct, frozen=True, gc=False):
    """Part of a match: the public view before it, the rulings in it, the public view after it."""

    before: Any
    rulings: tuple[Ruling, ...]
    after: Any


class Feat(Struct, frozen=True, gc=False):
    """Something that a seat did and that counts for its statistics: what, and how often or how much."""

    seat: int
    key: str
    count: int = 1
    ruling: int | None = None
    """The place in the stretch of the ruling on what was done, which is credited to who sat there then.

    None for what counts by the whole stretch: it is credited to who sits there in its end.
    """


class Rate(Struct, frozen=True):
    """A share or an average of feats: so much of one for each of another."""

    key: str
    part: str
    whole: str
    is_share: bool = True


class Turns(Struct, frozen=True, kw_only=True):
    """How whole turns are read from the table, in games that are played with the cards alone."""

    asks: Callable[[Any], Choice | None]
    """The option with which the player in turn may end the turn; None while something else comes first."""
    begins: frozenset[str]
    """Keys of rulings with which a turn begins."""
    scene: Callable[[Any], Scene]
    """Which cards should lie open, and where."""
    explained: Callable[[Any, Scene, Scene, int], Ways]
    """The ways from one scene to another, starting from a state; answers are numbered from a moment."""


class StatisticsRules(Struct, frozen=True, kw_only=True):
    """What of a match counts for statistics, drawn from public views and rulings."""

    ends: Callable[[Stretch], bool] = lambda _stretch: False
    """Whether a round is over with an answer; the end of a match always ends a round."""
    opens: frozenset[str] = frozenset()
    """Keys of rulings that already belong to the next round."""
    feats: Callable[[Stretch], tuple[Feat, ...]] = lambda _stretch: ()
    """What the seats did in a round."""
    points: Callable[[Stretch], Mapping[str, int]] = lambda _stretch: {}
    """What a chart shows of a round besides the standings."""
    rates: tuple[Rate, ...] = ()
    begins: tuple[str, str] = ("", "")
    """The ruling that tells who begins, and the name of its value with the seat."""
    score: str = ""
    """Which count of the standings is the score."""
    is_most_best: bool = True


def from_hands_or_pile(_state: Any, ask: Show) -> tuple[Zone, ...]:
    return tuple(hand_of(seat) for seat in ask.seats) or (PILE,)


class Rules(Struct, frozen=True, kw_only=True):
    """What a player finds in the rule book: pure functions over a frozen state.

    `start` may refuse seats or house rules that don't go together; `hear` is only given answers that are
    legal for the asks.
    """

    house: type[Struct]
    settings: Mapping[str, Any]
    """Named settings: editions and sets of house rules that tests and benchmarks play."""
    state: type[Struct]
    seats: Callable[[Any], range]
    start: Callable[[tuple[int, ...], Any, Outcome | None], Transition | Refusal]
    asks: Callable[[Any], tuple[Ask, ...]]
    hear: Callable[[Any, Answer], Transition | Refusal]
    standings: Callable[[Any], tuple[Standing, ...]]
    outcome: Callable[[Any], Outcome | None]
    in_order: Callable[[Any, tuple[Answer, ...]], tuple[Answer, ...]] = lambda _state, answers: answers
    """The order of answers that no clock can tell apart; the first one notes the seats that gave way."""
    no_way_back: frozenset[str] = frozenset()
    """Keys of rulings after which a player can't take back, because hidden cards moved."""
    idle_rules: Callable[[Any], frozenset[str]] = lambda _house: frozenset()
    """House rules, and values of them as "rule.value", that mean nothing in the edition that was agreed."""
    boxed: Callable[[Any, Mapping[str, int]], Any] = lambda house, _counts: house
    """The house rules with the counts of a taught deck, for games whose boxes differ."""


class OnTable(Struct, frozen=True, kw_only=True):
    """What lies on the table: the deck, where its cards lie and go, and grids."""

    deck: Callable[[Any], Deck]
    moves: Callable[[Any, Ruling], tuple[Move, ...]] = lambda _state, _ruling: ()
    """What hands do with the cards after a ruling, laid ones, too; the state is the one it led to."""
    sources: Callable[[Any, Show], tuple[Zone, ...]] = from_hands_or_pile
    zones: Mapping[str, ZoneKind] = {}
    """What the game's own places for cards are, by name, beside those of `ZONE_KINDS`."""
    parting: Callable[[int], TableLayout] = TableLayout
    """The parts of the table for a number of players."""
    grids: Callable[[Any], tuple[Grid, ...]] = lambda _view: ()
    """The grids of a view; an option with a cell is chosen on the grid of its seat, or of the seat asked."""
    audited: Callable[[Any, Span, tuple[str, ...]], tuple[Ruling, ...]] = lambda _state, _span, _seen: ()
    """Whether cards that were seen in part of a grid match the record, as rulings."""
    turns: Turns | None = None
    """How whole turns are read from the table, where cards tell what was done."""


class Shown(Struct, frozen=True, kw_only=True):
    """What people are shown of a state, or of a view of it."""

    view: Callable[[Any, int | None], Struct] = lambda state, _viewer: state
    """What a seat may see, or a spectator (None): by default all of the state, as no hidden card is in it."""
    situation: Callable[[Any], Situation | None] = lambda _view: None
    """What a view is about, in one whole sentence."""
    questions: Callable[[Any, tuple[Ask, ...]], tuple[Question, ...]] | None = None
    """The asks of a view as whole questions, each ask in one; the one that stops play comes first.

    Without it each ask is a question of its own, about the situation.
    """
    board: Callable[[Any], Board] = lambda _view: Board()
    """The labelled facts and open cards of a view, each with its weight."""
    excused: Mapping[str, str] = {}
    """Fields of the view that are neither in its situation nor on its board, each with the reason."""
    insight: Callable[[Any], tuple[Ruling, ...]] = lambda _state: ()
    """What can be told, exactly and from public knowledge, about the round that has just been shown."""
    verdicts: Verdicts | None = None
    """Which rulings decide something and which claim something new; without it, the cues tell."""


class Feel(Struct, frozen=True, kw_only=True):
    """How a game feels and looks: moods, presses, artwork; references are given as `package.module:NAME`."""

    cues: Mapping[str, Cue] = {}
    """The moods of rulings; a ruling without one passes quietly."""
    option_moods: Mapping[str, Mood] = {}
    """How it feels to choose an option, by its word: a call is an event of its own on every page."""
    gestures: Mapping[str, Gesture] = {}
    """How options are pressed, by their words, where one press can't say it."""
    art: str = ""
    """The game's artwork; without it, cards are drawn plainly."""
    look: str = ""
    """How pages look while it is played; without it, they look plain."""
    picture: str = ""
    """The function that lays a table for the game's picture."""


class Book(Struct, frozen=True, kw_only=True):
    """The rule book as data, what options bring, and why some can't be chosen."""

    chapters: tuple[Chapter, ...] = ()
    options: Mapping[str, str] = {}
    """The rules behind options, by their words: ids or topics in a row; else the rule of that name."""
    asks: Mapping[str, str] = {}
    """The rules that let the referee ask, by the keys of the asks, likewise."""
    refusals: Mapping[str, str] = {}
    """The rules by which answers are refused, by the reasons, likewise."""
    why_not: Callable[[Any, int | None, Option], Refusal | None] = lambda _state, _seat, _option: None
    """Which condition fails where a seat can't choose an option, so that the refusal can say it."""
    effect: Callable[[Any, int | None, Option], Effect | None] = lambda _state, _seat, _option: None
    """What an option would bring the seat that chooses it, as all may know."""
    withheld: Callable[[Any, Choice], tuple[Option, ...]] = lambda _state, _ask: ()
    """Options that people look for in a choice, but that can't be chosen now; `why_not` says why."""


Trait = Literal["bluffs", "doubts", "dares"]
"""What sets players apart: that they say what isn't so, challenge others, try what may fail."""


class Play(Struct, frozen=True, kw_only=True):
    """Who plays besides people, and who looks at decisions afterwards; bots as `package.module:NAME`."""

    bot: str = ""
    """The game's bot; without it, bots give any legal answer."""
    strong_bot: str = ""
    """A bot that wins at least three of five against plain ones; without it, none is offered as strong."""
    traits: tuple[Trait, ...] = ()
    """What shows of a bot's temper in this game; the bot is handed its temper then, as `temper`."""
    is_fair: Callable[[Any, Answer, Mapping[Zone, tuple[str, ...]]], bool] = lambda _state, _answer, _places: (
        True
    )
    """Whether a fair player may answer so, with the cards where they really are; only the twin asks."""
    coach: Coach = no_judgements
    """What could be known of the decisions of a match, once it is over."""


class Game(Struct, frozen=True, kw_only=True):
    """A game in parts; a simple one gives its words, its rules, what lies on the table and what is shown."""

    name: str
    words: Words
    rules: Rules
    table: OnTable
    shown: Shown
    feel: Feel = Feel()
    book: Book = Book()
    counting: StatisticsRules = StatisticsRules()
    play: Play = Play()
