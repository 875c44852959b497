"""Random matches under house rules by a curious player, and the rules they cite."""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hardware.twin.player import any_answer
from referee.contract import Answer, Ask, Choice, Game, Number, Option, Refusal, Show, Value
from referee.kit.answers import cards_said
from referee.match import Match, Setup, begin, hear
from tests.referee.rule_coverage import Citation, Kind, citations_of, cite_refusal

NAMES = tuple(f"P{number}" for number in range(1, 15))
MOST_MOMENTS = 1500
"""Maximum number of moments per match; later ones add nothing new."""
WRONG_CARDS: tuple[Value, ...] = ((), ("no such card",))


class CuriousPlayer:
    """Chooses at random, with a preference for rare options and for cards that were named."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._chosen = Counter[str]()
        self._named = ""

    def answer(self, match: Match) -> Answer:
        answer = any_answer(match.asks, match.number, self._rng)
        ask = next(ask for ask in match.asks if ask.key == answer.ask)
        match ask:
            case Choice():
                return replace(answer, value=self._choose(ask))
            case Show() if self._named in ask.among and not ask.must and self._rng.random() < 0.5:
                return replace(answer, value=self._cards_with_named(ask, answer))
            case _:
                return answer

    def _choose(self, ask: Choice) -> Option:
        seldom = min(self._chosen[option.word] for option in ask.options)
        options = [option for option in ask.options if self._chosen[option.word] == seldom]
        option = self._rng.choice(options if self._rng.random() < 0.5 else ask.options)
        self._chosen[option.word] += 1
        self._named = option.face or self._named
        return option

    def _cards_with_named(self, ask: Show, answer: Answer) -> Value:
        cards = list(cards_said(answer))
        if self._named not in cards:
            cards[0] = self._named
        return tuple(cards) if all(cards.count(card) <= ask.among[card] for card in cards) else answer.value


class RuleRow(Struct, frozen=True):
    """The number of citations of a rule."""

    game: str
    rule: str
    rulings: int
    refusals: int
    options: int
    asks: int

    @property
    def is_reached(self) -> bool:
        return any((self.rulings, self.refusals, self.options, self.asks))


class GameCoverage(Struct, frozen=True):
    """The rules of a game with their citations, and texts without a rule."""

    game: str
    rules: tuple[RuleRow, ...]
    groundless: tuple[str, ...]


def cover_rules(game: Game, houses: Iterable[Any], matches: int, seed: int) -> GameCoverage:
    """Play a game under some house rules and count the cited rules."""
    found, groundless = Counter[tuple[str, Kind]](), set[str]()
    for cited in _all_citations(game, houses, matches, Random(seed)):
        found.update((rule, cited.kind) for rule in cited.rules)
        if not cited.rules and cited.kind != "ask":
            groundless.add(f"{cited.kind} {cited.key}")
    rows = (
        RuleRow(game.name, rule.id, *(found[rule.id, kind] for kind in ("ruling", "refusal", "option", "ask")))
        for chapter in game.book.chapters
        for rule in chapter.rules
    )
    return GameCoverage(game.name, tuple(rows), tuple(sorted(groundless)))


def _all_citations(game: Game, houses: Iterable[Any], matches: int, rng: Random) -> Iterator[Citation]:
    for house in houses:
        for seats in range(len(NAMES)):
            refused = begin(Setup(game, house, NAMES[:seats]))
            if isinstance(refused, Refusal):
                yield cite_refusal(game, house, refused)
        for _match in range(matches):
            yield from _citations_of_match(game, house, rng)


def _citations_of_match(game: Game, house: Any, rng: Random) -> Iterator[Citation]:
    sizes = game.rules.seats(house)
    # small tables produce more kinds of endings
    match = begin(Setup(game, house, NAMES[: min(sizes) if rng.random() < 0.5 else rng.choice(sizes)]))
    if isinstance(match, Refusal):
        return
    seen, player = set[tuple[str, Option]](), CuriousPlayer(rng)
    while match.asks and match.number < MOST_MOMENTS:
        yield from _citations_of_refusals(match, seen, rng)
        after = hear(match, player.answer(match))
        if isinstance(after, Refusal):
            raise TypeError(f"{game.name}: {after.reason}")
        match = after
    yield from citations_of(match)


def _citations_of_refusals(match: Match, seen: set[tuple[str, Option]], rng: Random) -> Iterator[Citation]:
    ask = rng.choice(match.asks)
    for value in _wrong_values(match, ask, seen, rng):
        seat = rng.choice(ask.seats) if ask.seats else None
        refused = hear(match, Answer(match.number, ask.key, value, seat))
        if isinstance(refused, Refusal):
            yield cite_refusal(match.setup.game, match.setup.house, refused, ask.key)


def _wrong_values(match: Match, ask: Ask, seen: set[tuple[str, Option]], rng: Random) -> Iterable[Value]:
    """Yield values that were legal at another moment, expected but unavailable, or out of range."""
    match ask:
        case Choice():
            offered = {(ask.key, option) for option in ask.options}
            seen |= offered
            others = sorted(seen - offered, key=repr)
            some = rng.sample(others, min(3, len(others)))
            return (*(option for _key, option in some), *match.setup.game.book.withheld(match.state, ask))
        case Number():
            return (ask.least - 1, ask.most + 1, *ask.barred)
        case Show():
            return (*WRONG_CARDS, tuple(rng.choices(list(ask.deck.counts), k=ask.count)))
        case _:
            return (3,)
