"""A game as seen by the rest of the program: types, and pure functions over a frozen state."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct

from referee.contract.asks import Answer, Ask, Choice, Effect, Option, Refusal, Ruling, Show
from referee.contract.board import Board, Cue, Gesture, Mood, Question, Situation
from referee.contract.cards import PILE, ZONE_KINDS, Deck, Zone, ZoneKind, hand_of
from referee.contract.coaching import Coach, no_judgements
from referee.contract.finish import FinishRules
from referee.contract.layout import Grid, Move, Scene, Span, TableLayout
from referee.contract.rule_book import Chapter
from referee.contract.verdicts import Verdicts
from referee.contract.words import Words

Ways = tuple[tuple[Answer, ...], ...]
"""Possible continuations, each a sequence of legal answers."""


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """How a match ended: the winners and the reason."""

    reason: str
    winners: tuple[int, ...]


class Standing(Struct, frozen=True):
    """A seat's rank, its counts (marks, coins, ...), and whether it is out."""

    seat: int
    place: int
    counts: Mapping[str, int]
    out: bool = False


class Transition(Struct, frozen=True, gc=False):
    """Result of an answer: the next state and the rulings that led to it."""

    state: Any
    rulings: tuple[Ruling, ...]


class Stretch(Struct, frozen=True, gc=False):
    """Part of a match: the public view before it, its rulings, and the public view after it."""

    before: Any
    rulings: tuple[Ruling, ...]
    after: Any


class Feat(Struct, frozen=True, gc=False):
    """An event credited to a seat in the statistics, with its count."""

    seat: int
    key: str
    count: int = 1
    ruling: int | None = None
    """Index of the ruling in the stretch; the feat is credited to the person seated then.

    None if the whole stretch counts: the feat is credited to the person seated at its end.
    """


class Rate(Struct, frozen=True):
    """A share or an average: the feat `part` divided by the feat `whole`."""

    key: str
    part: str
    whole: str
    is_share: bool = True


class Turns(Struct, frozen=True, kw_only=True):
    """Reads whole turns from the cards on the table, for games played with cards alone."""

    asks: Callable[[Any], Choice | None]
    """Returns the choice with which the player in turn may end the turn; None if another ask comes first."""
    begins: frozenset[str]
    """Keys of rulings that start a turn."""
    scene: Callable[[Any], Scene]
    """Returns the cards that should be face up, by zone."""
    explained: Callable[[Any, Scene, Scene, int], Ways]
    """Returns the answers that lead from one scene to another, numbered from the given moment."""


class StatisticsRules(Struct, frozen=True, kw_only=True):
    """How a match is counted in the statistics, computed from public views and rulings."""

    ends: Callable[[Stretch], bool] = lambda _stretch: False
    """Returns whether an answer ended a round; the end of a match always does."""
    opens: frozenset[str] = frozenset()
    """Keys of rulings that belong to the next round."""
    feats: Callable[[Stretch], tuple[Feat, ...]] = lambda _stretch: ()
    """Returns the feats of a round."""
    points: Callable[[Stretch], Mapping[str, int]] = lambda _stretch: {}
    """Returns a round's values for the chart, in addition to the standings."""
    rates: tuple[Rate, ...] = ()
    begins: tuple[str, str] = ("", "")
    """Key of the ruling that names the starting player, and the name of its value with the seat."""
    score: str = ""
    """Key of the count that is the score."""
    is_most_best: bool = True


def from_hands_or_pile(_state: Any, ask: Show) -> tuple[Zone, ...]:
    return tuple(hand_of(seat) for seat in ask.seats) or (PILE,)


class Rules(Struct, frozen=True, kw_only=True):
    """The rules of a game: pure functions over a frozen state.

    `start` may refuse seats or house rules that don't fit together. `hear` receives only answers that are legal
    for the asks.
    """

    house: type[Struct]
    settings: Mapping[str, Any]
    """Named settings: editions and sets of house rules, for tests and benchmarks."""
    state: type[Struct]
    seats: Callable[[Any], range]
    start: Callable[[tuple[int, ...], Any, Outcome | None], Transition | Refusal]
    asks: Callable[[Any], tuple[Ask, ...]]
    hear: Callable[[Any, Answer], Transition | Refusal]
    standings: Callable[[Any], tuple[Standing, ...]]
    outcome: Callable[[Any], Outcome | None]
    """Returns the outcome of a state without asks."""
    in_order: Callable[[Any, tuple[Answer, ...]], tuple[Answer, ...]] = lambda _state, answers: answers
    """Returns the order of simultaneous answers; the first one lists the seats that gave way."""
    no_way_back: frozenset[str] = frozenset()
    """Keys of rulings that can't be undone, because hidden cards moved."""
    idle_rules: Callable[[Any], frozenset[str]] = lambda _house: frozenset()
    """House rules with no effect in the chosen edition; single values as "rule.value"."""
    boxed: Callable[[Any, Mapping[str, int]], Any] = lambda house, _counts: house
    """Returns house rules adapted to the counts of the user's own deck, for games whose boxes differ."""


class OnTable(Struct, frozen=True, kw_only=True):
    """Cards on the table: the deck, its zones and moves, and grids."""

    deck: Callable[[Any], Deck]
    moves: Callable[[Any, Ruling], tuple[Move, ...]] = lambda _state, _ruling: ()
    """Returns the card moves that follow a ruling; the state is the one after the ruling."""
    sources: Callable[[Any, Show], tuple[Zone, ...]] = from_hands_or_pile
    zones: Mapping[str, ZoneKind] = {}
    """The game's own zones by name, in addition to `ZONE_KINDS`."""
    parting: Callable[[int], TableLayout] = TableLayout
    """Returns the layout of the table for a number of players."""
    grids: Callable[[Any], tuple[Grid, ...]] = lambda _view: ()
    """Returns the grids of a view; an option with a cell is chosen on its seat's grid, or the asked seat's."""
    audited: Callable[[Any, Span, tuple[str, ...]], tuple[Ruling, ...]] = lambda _state, _span, _seen: ()
    """Returns rulings that report whether cards seen in a span of a grid match the record."""
    turns: Turns | None = None
    """Reads whole turns from the table, for games in which the cards show each action.

    Such a game needs places: a card counts only in the zone it is asked for.
    """


class Shown(Struct, frozen=True, kw_only=True):
    """What people see of a state, or of a view of it."""

    view: Callable[[Any, int | None], Struct] = lambda state, _viewer: state
    """Returns what a seat or a spectator (None) may see.

    The default is the full state, for games whose state has no hidden cards.
    """
    situation: Callable[[Any], Situation | None] = lambda _view: None
    """Returns the situation of a view for one sentence."""
    questions: Callable[[Any, tuple[Ask, ...]], tuple[Question, ...]] | None = None
    """Groups a view's asks into questions, each ask in exactly one; the question that stops play comes first.

    By default each ask is its own question, about the situation.
    """
    board: Callable[[Any], Board] = lambda _view: Board()
    """Returns the board of a view: labelled facts and face-up cards, each with its weight."""
    excused: Mapping[str, str] = {}
    """View fields deliberately missing from situation and board, with the reason."""
    insight: Callable[[Any], tuple[Ruling, ...]] = lambda _state: ()
    """Returns exact conclusions from public information about the round that was just revealed."""
    verdicts: Verdicts | None = None
    """Rulings that decide or claim; the default is derived from the cues."""


class Feel(Struct, frozen=True, kw_only=True):
    """Moods, button presses and artwork of a game. References have the form `package.module:NAME`."""

    cues: Mapping[str, Cue] = {}
    """Mood of each ruling; rulings without one are silent."""
    option_moods: Mapping[str, Mood] = {}
    """Mood of choosing an option, by its word; a call is announced on every page."""
    gestures: Mapping[str, Gesture] = {}
    """Press for each option word that needs more than a single press."""
    art: str = ""
    """The game's artwork; the default is plain cards."""
    look: str = ""
    """Page style while the game is played; the default is plain."""
    picture: str = ""
    """Function that lays out a table for the game's picture."""


class Book(Struct, frozen=True, kw_only=True):
    """The rule book as data, the effects of options, and the reasons why some are unavailable."""

    chapters: tuple[Chapter, ...] = ()
    options: Mapping[str, str] = {}
    """Rules for each option word: ids or topics, separated by spaces; the default is the rule named like it."""
    asks: Mapping[str, str] = {}
    """Rules that let the referee ask, by ask key, in the same format."""
    refusals: Mapping[str, str] = {}
    """Rules behind refusals, by reason, in the same format."""
    why_not: Callable[[Any, int | None, Option], Refusal | None] = lambda _state, _seat, _option: None
    """Returns the condition that prevents a seat from choosing an option, as a refusal with its reason."""
    effect: Callable[[Any, int | None, Option], Effect | None] = lambda _state, _seat, _option: None
    """Returns the public effect of an option for the seat that chooses it."""
    withheld: Callable[[Any, Choice], tuple[Option, ...]] = lambda _state, _ask: ()
    """Returns options that players expect in a choice but can't choose now; `why_not` gives the reason."""


Trait = Literal["bluffs", "doubts", "dares"]
"""How players differ: whether they bluff, challenge others, or take risks."""


class Play(Struct, frozen=True, kw_only=True):
    """Bots of a game (as `package.module:NAME`) and its post-match coach."""

    bot: str = ""
    """The game's bot; by default bots pick a random legal answer."""
    strong_bot: str = ""
    """A bot that wins at least three of five matches against plain ones; by default none is offered."""
    traits: tuple[Trait, ...] = ()
    """Traits that affect the game's bots; each bot then receives its temper as `temper`."""
    is_fair: Callable[[Any, Answer, Mapping[Zone, tuple[str, ...]]], bool] = lambda _state, _answer, _places: (
        True
    )
    """Returns whether a fair player may give this answer with these cards; used by the twin only."""
    coach: Coach = no_judgements
    """Reviews the decisions of a finished match."""


class Game(Struct, frozen=True, kw_only=True):
    """A game in parts. A simple one defines words, rules, table and display; the rest have defaults."""

    name: str
    words: Words
    rules: Rules
    table: OnTable
    shown: Shown
    feel: Feel = Feel()
    book: Book = Book()
    counting: StatisticsRules = StatisticsRules()
    finish: FinishRules = FinishRules()
    play: Play = Play()


HIDDEN = ZoneKind()  # a place that its game doesn't declare


def kind_of(game: Game, zone: Zone) -> ZoneKind:
    """Return a place's kind from its game, or the standard kind."""
    return game.table.zones.get(zone.name) or ZONE_KINDS.get(zone.name, HIDDEN)


def is_seen(game: Game, zone: Zone, seat: int | None) -> bool:
    """Return whether a viewer sees a place's faces: its own hand, others' foreheads, open cards."""
    seen_by = kind_of(game, zone).seen_by
    viewers = {"players", "owner" if zone.seat == seat else "others"}
    return seen_by == "all" or (seat is not None and seen_by in viewers)
