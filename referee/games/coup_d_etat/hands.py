"""Card moves in Coup d'État, fair play, and statistics."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from referee.contract import Move
from referee.contract.asks import Answer, Ruling, Show, Value
from referee.contract.cards import CENTRE, DISCARD, OPEN_KIND, PILE, Zone, ZoneKind, before_seat, hand_of
from referee.contract.game import Feat, Rate, StatisticsRules, Stretch
from referee.games.coup_d_etat.dominos import PASS, fitting_cards
from referee.games.coup_d_etat.state import (
    CONTRACTS,
    COUP,
    HAND,
    LEFT_OUT_BY_THREE,
    ORDER,
    SUIT,
    Dealt,
    Laying,
    Playing,
    State,
)
from referee.games.coup_d_etat.tricks import ask_card
from referee.kit.answers import number_named, seat_named
from referee.kit.hidden_hands import lay_in_centre
from referee.kit.tricks import follows

BOX = Zone("box")  # zone of the 8s and 7s, which three players leave out
ZONES = {BOX.name: OPEN_KIND, "taken": ZoneKind(is_won=True)}

Places = Mapping[Zone, tuple[str, ...]]


def trick_pile(seat: int) -> Zone:
    return Zone("taken", seat)


def moves(state: State, ruling: Ruling) -> tuple[Move, ...]:
    values: Mapping[str, Any] = ruling.values
    match ruling.key:
        case "deal":
            # gather and shuffle all cards, then deal from the President's left; the last stays in the middle
            owned, seats = (hand_of, trick_pile, before_seat), range(len(state.money))
            gathered = [Move(place(seat), PILE) for place in owned for seat in seats]
            order = (*state.clockwise(state.president), state.president)
            dealt = [Move(PILE, hand_of(seat), HAND) for seat in order]
            found = (*gathered, Move(CENTRE, PILE), Move(DISCARD, PILE, shuffled=True), *dealt)
        case "declines" | "swaps":
            hand = hand_of(values["seat"])
            found = (Move(hand, DISCARD, 1, faces=(COUP,)), Move(PILE, hand, 1, shuffled=True))
        case "plays" | "lays":
            found = lay_in_centre(values["seat"], values["card"])
        case "drew":
            found = (Move(PILE, before_seat(values["seat"]), 1, faces=(values["card"],)),)
        case "trick":
            found = (Move(CENTRE, trick_pile(values["seat"])),)
        case "middle":
            found = (Move(PILE, trick_pile(values["seat"]), 1),)
        case "low-aside":
            found = (Move(PILE, BOX, len(LEFT_OUT_BY_THREE), faces=LEFT_OUT_BY_THREE),)
        case _:
            found = ()
    return found


def sources(_state: State, ask: Show) -> tuple[Zone, ...]:
    return (PILE,) if ask.key in {"draw", "middle"} else tuple(hand_of(seat) for seat in ask.seats)


def is_fair(state: State, answer: Answer, places: Places) -> bool:
    stage, value = state.stage, answer.value
    match stage:
        case Dealt() if answer.ask == "nobody":
            return COUP in places[PILE]
        case Dealt():
            return answer.seat is not None and COUP in places[hand_of(answer.seat)]
        case Playing() if answer.ask in {"card", "only"}:
            return _is_fair_play(state, stage, value, places[hand_of(state.next_to_play(stage))])
        case Laying() if answer.ask in {"domino", "pass"}:
            fitting = fitting_cards(state.house, stage)
            if value == PASS:
                return not fitting & set(places[hand_of(stage.turn)])
            return isinstance(value, tuple) and value[0] in fitting
        case _:
            return True


def _is_fair_play(state: State, playing: Playing, value: Value, held: tuple[str, ...]) -> bool:
    """Follow suit if possible; the Coup card may always be played, unless a house rule forbids it."""
    if not isinstance(value, tuple):
        return {SUIT[card] for card in held} <= {*playing.deal.terms.no_lead, SUIT[COUP]}
    (card,), show = value, ask_card(state, playing)[-1]
    if not isinstance(show, Show) or not show.among[card]:
        return False
    return follows(ORDER, card, playing.suit, held) or (card == COUP and state.house.coup_card == "free")


TOLD = {
    **{f"{name}-president": "contracts" for name in CONTRACTS},
    **{f"{name}-coup": "coups" for name in CONTRACTS},
    "coup-won": "coups-won",
    "revoke": "revokes",
    "revoke-said": "revokes",
    "false-pass": "revokes",
}
FLOWS = frozenset({"pays", "pays-bank", "takes-bank", "gives-back"})
"""Rulings on money won or lost in a deal; loans and repayments don't count."""


def ends(stretch: Stretch) -> bool:
    """Return whether a deal is over and another begins, except after a misdeal."""
    keys = {ruling.key for ruling in stretch.rulings}
    return "deal" in keys and not keys & {"redeal", "drew"}


def feats(stretch: Stretch) -> Iterator[Feat]:
    counted = [
        Feat(seat_named(each), TOLD[each.key], ruling=place)
        for place, each in enumerate(stretch.rulings)
        if each.key in TOLD
    ]
    choice = next((feat for feat in counted if feat.key in {"contracts", "coups"}), None)
    yield from (
        replace(feat, ruling=choice.ruling) if feat.key == "coups-won" and choice else feat for feat in counted
    )
    chooser = choice.seat if choice is not None and choice.key == "contracts" else None
    for seat in range(len(stretch.before.money)):
        gain = sum(
            number_named(each, "amount") * ((each.values["payee"] == seat) - (each.values["payer"] == seat))
            for each in stretch.rulings
            if each.key in FLOWS
        )
        yield Feat(seat, "deals")
        yield Feat(seat, "money-won", max(gain, 0))
        yield Feat(seat, "money-lost", max(-gain, 0))
        if gain > 0:
            yield Feat(seat, "deals-won")
        if gain > 0 and seat == chooser:
            yield Feat(seat, "contracts-made", ruling=choice.ruling if choice else None)


COUNTING = StatisticsRules(
    ends=ends,
    opens=frozenset({"tour", "deal"}),
    feats=lambda stretch: tuple(feats(stretch)),
    rates=(
        Rate("rate-contracts", "contracts-made", "contracts"),
        Rate("rate-coups", "coups-won", "coups"),
        Rate("rate-deals", "deals-won", "deals"),
        Rate("mean-won", "money-won", "deals", is_share=False),
        Rate("mean-lost", "money-lost", "deals", is_share=False),
    ),
    begins=("tour", "president"),
    score="money",
)
