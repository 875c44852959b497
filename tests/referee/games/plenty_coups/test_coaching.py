"""Turns verified by an independent search; better actions, found by playing on with hidden cards dealt anew."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import takewhile
from random import Random
from typing import Any

import pytest
from msgspec import Struct

from referee.coaching import line_of
from referee.contract import Answer, HeardAnswer, Option, Ruling, Show
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.coaching import WEIGHED, deal_hidden
from referee.games.plenty_coups.hands import hand, moves
from referee.games.plenty_coups.state import PLENTY_COUPS as DECK
from referee.kit.coaching import cards_held
from tests.referee.laboratories import StillLaboratory, match_by_bots
from tests.tiers import tiered

COSTS = {"breed": "horse", "feat": "staff", "taunt": "staff", "score": "staff"}
LAID = frozenset(
    {"raids", "repels", "discards", "breeds", "feat", "proposes", "seals", "neutral-ally", "taunts", "proves"}
)
"""Rulings that show a card of the hand."""


def cards_of(values: Any) -> tuple[str, ...]:
    named = values.get("weapons") or values.get("cards") or values["card"]
    return (named,) if isinstance(named, str) else tuple(named)


def shown_later(line: tuple[HeardAnswer, ...], place: int, seat: int) -> Counter[str]:
    """Return the cards a hand shows before its next hidden draw, without those it takes meanwhile."""
    laid, taken = Counter[str](), Counter[str]()
    for ruling in (ruling for heard in line[place:] for ruling in heard.rulings):
        values = ruling.values
        if ruling.key == "exchange" and seat in {values["seat"], values["target"]}:
            break
        if values.get("seat") != seat:
            continue
        if ruling.key == "draws":
            break
        if ruling.key == "takes":
            taken[values["card"]] += 1
        elif ruling.key in LAID:
            # the shown card may be one that was taken meanwhile
            for card in cards_of(values):
                if taken[card]:
                    taken[card] -= 1
                else:
                    laid[card] += 1
    return laid


Herds = tuple[tuple[int, int], ...]  # horses and marker renown of each clan


def lead(herds: Herds, seat: int) -> int:
    renown = [(feats if herd else max(0, feats - 1)) + max(0, herd - 5) for herd, feats in herds]
    return renown.pop(seat) - max(renown)


def herds_after(herds: Herds, rulings: Iterable[Ruling]) -> Herds:
    """Count horses and markers from rulings until the turn ends."""
    horses, feats = [herd for herd, _feats in herds], [feats for _herd, feats in herds]
    for ruling in takewhile(lambda ruling: ruling.key != "turn-over", rulings):
        values: Any = ruling.values
        match ruling.key:
            case "breeds":
                horses[values["seat"]] += 1
            case "takes-horse":
                horses[values["seat"]] += 1
                horses[values["target"]] -= 1
            case "donates":
                horses[values["seat"]] -= 2
                horses[values["target"]] += 2
            case "gains" | "loses":
                feats[values["seat"]] = values["feats"]
    return tuple(zip(horses, feats, strict=True))


class Spot(Struct):
    """A position in a turn: the state, the clan's known cards, and all counts."""

    state: Any
    held: Counter[str]
    herds: Herds
    is_over: bool = False


def ways(spot: Spot) -> Iterator[tuple[Answer, Spot]]:
    """Yield every possible action with the cards that the clan holds."""
    for ask in PLENTY_COUPS.rules.asks(spot.state):
        if isinstance(ask, Show):
            values: list[Any] = [(card,) for card in spot.held if spot.held[card] and ask.among.get(card)]
        else:
            values = [each for each in ask.options if each.word not in COSTS or spot.held[COSTS[each.word]]]
        for value in values:
            spent = value if isinstance(value, tuple) else (COSTS[value.word],) if value.word in COSTS else ()
            answer = Answer(0, ask.key, value, ask.seats[0])
            heard = PLENTY_COUPS.rules.hear(spot.state, answer)
            is_over = any(ruling.key == "turn-over" for ruling in heard.rulings)
            herds = herds_after(spot.herds, heard.rulings)
            yield answer, Spot(heard.state, spot.held - Counter(spent), herds, is_over)


def outcomes(spot: Spot, seat: int) -> Iterator[int]:
    """Yield the result of each line; a line that needs a missing card is dropped."""
    if spot.is_over or type(spot.state.stage).__name__ not in {"Acting", "Returning", "Deed"}:
        yield lead(spot.herds, seat)
        return
    for _answer, after in ways(spot):
        yield from outcomes(after, seat)


@pytest.mark.parametrize("seed", range(tiered(3, 40)))
def test_best_turns_match_a_second_search(seed: int) -> None:
    line = tuple(line_of(match_by_bots("plenty-coups", "rule text", 2 + seed % 5, seed)))
    judged = PLENTY_COUPS.play.coach(line, StillLaboratory())
    assert judged
    for judgement in judged:
        place = next(place for place, heard in enumerate(line) if heard.moment == judgement.moment)
        state, seat, said = line[place].state, judgement.seat, line[place].answer.value
        assert isinstance(said, Option)
        held = shown_later(line, place, seat) | Counter(state.clans[seat].known)
        if said.word in COSTS:
            held |= Counter([COSTS[said.word]])
        spot = Spot(state, held, tuple((clan.herd, clan.feats) for clan in state.clans))
        found = {answer.value: list(outcomes(after, seat)) for answer, after in ways(spot)}
        assert judgement.worth == max(found[said])


AIMED = frozenset({"raid", "donate", "gift"})


class Enriching(StillLaboratory):
    """Gives a clan one more horse for each of certain actions, over a herd that already counts."""

    def __init__(self, words: frozenset[str]) -> None:
        super().__init__()
        self.words = words

    def play_until(self, state: Any, places: Any, answer: Answer, is_over: Any, seed: float) -> object:
        del seed
        self.plays += 1
        seat, option = state.turn.seat, answer.value
        assert PLENTY_COUPS.play.is_fair(state, answer, places)
        assert not is_over(state)
        return state.with_clan(seat, herd=20 + (option.word in self.words))


def test_action_with_a_higher_lead_at_the_end_is_better() -> None:
    """Only the last decisions of each clan are compared: those before depend on too much that follows."""
    line = tuple(line_of(match_by_bots("plenty-coups", "rule text", 4)))
    found = PLENTY_COUPS.play.coach(line, Enriching(AIMED))
    better = [each for each in found if each.better is not None]
    assert better
    for each in better:
        assert isinstance(each.better, Option)
        assert (each.better.word in AIMED, each.remarks[-1].key) == (True, "coach-rather-against")
        assert each.remarks[-1].values["target"] == each.better.seat != each.seat
    assert {(each.loss, each.remarks[-1].values["gain"]) for each in better} == {(1.0, 1.0)}
    for seat in range(4):
        own = [each.moment for each in found if each.seat == seat]
        last = [each.moment for each in better if each.seat == seat]
        assert len(last) <= WEIGHED
        assert not last or min(last) > own[len(own) // 2]


@pytest.mark.parametrize("rules", ["rule text", "other rules"])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_hidden_cards_are_dealt_anew(rules: str, seats: int) -> None:
    """All 54 cards are somewhere; the clan keeps the cards it certainly held, others those taken in public."""
    line = tuple(line_of(match_by_bots("plenty-coups", rules, seats)))
    shown = [cards_held(line, moves, hand(line[0].state, seat)) for seat in range(seats)]
    for place, heard in enumerate(line):
        turn = heard.state.turn
        if type(heard.state.stage).__name__ not in {"Acting", "Returning"} or turn.seat >= seats:
            continue
        held = tuple(
            (Counter(shown[turn.seat][place]) | Counter(heard.state.clans[turn.seat].known)).elements()
        )
        places = deal_hidden(heard.state, turn.seat, held, Random(place))
        assert Counter(card for cards in places.values() for card in cards) == Counter(DECK.counts)
        assert not Counter(held) - Counter(places[hand(heard.state, turn.seat)])
        for who, clan in enumerate(heard.state.clans):
            if heard.state.holder(who) == who:
                cards = places[hand(heard.state, who)]
                assert len(cards) == clan.cards
                assert not Counter(clan.known) - Counter(cards)
