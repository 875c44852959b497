"""What a reading could also have been: corrections of one tap, and a picker that starts with the record."""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from firmware.parts.evidence import ReadCard
from referee.contract import Show, Value
from referee.legal import ask_named, refusal
from referee.match import Step
from webui.drawing.controls import CARD, Control

MOST = 6
"""Most alternatives that are offered for a card."""


class Alternative(Struct, frozen=True):
    """The cards of an answer with one of them replaced."""

    wrong: str
    right: str
    score: float
    cards: tuple[str, ...]


def alternatives(step: Step, cards: Iterable[ReadCard]) -> tuple[Alternative, ...]:
    """List the legal answers that differ in one card from the reading, the likeliest first."""
    value = step.answer.value
    if not isinstance(value, tuple) or not isinstance(ask_named(step.before.asks, step.answer.ask), Show):
        return ()
    best: dict[tuple[str, str], float] = {}
    for wrong, right, score in _doubts(cards):
        if wrong in value:
            best[wrong, right] = max(score, best.get((wrong, right), 0.0))
    all_of_them = (
        Alternative(*pair, score, with_card_replaced(value, *pair))
        for pair, score in sorted(best.items(), key=lambda each: -each[1])
    )
    return tuple(each for each in all_of_them if _is_legal(step, each.cards))


def by_misread_card(found: Iterable[Alternative]) -> dict[str, tuple[Alternative, ...]]:
    """Group alternatives by the card that would have been misread, the likeliest card first."""
    groups: dict[str, tuple[Alternative, ...]] = {}
    for each in found:
        groups[each.wrong] = (*groups.get(each.wrong, ()), each)[:MOST]
    return groups


def _doubts(cards: Iterable[ReadCard]) -> Iterator[tuple[str, str, float]]:
    """Yield what each card counts as, what else it could be, and how well that fits."""
    for card in cards:
        stands = card.face if card.said is None else card.said
        # what was read is in doubt, too, where a person chose another face
        could_be = [(guess.face, guess.score) for guess in card.guesses]
        if card.face is not None:
            could_be.append((card.face, card.score))
        for face, score in could_be:
            if stands and face != stands:
                yield stands, face, score


def with_card_replaced(value: tuple[str, ...], wrong: str, right: str) -> tuple[str, ...]:
    """Replace one card by another."""
    place = value.index(wrong)
    return (*value[:place], right, *value[place + 1 :])


def _is_legal(step: Step, cards: tuple[str, ...]) -> bool:
    return refusal(step.before.asks, replace(step.answer, value=cards)) is None


def encode_cards(cards: tuple[str, ...]) -> str:
    """Encode cards as a form sends them."""
    return msgspec.json.encode(cards).decode()


def with_preset(control: Control, value: Value) -> Control:
    """Let a picker start with the recorded cards."""
    if not isinstance(value, tuple):
        return control
    piles = (
        replace(pile, preset=min(pile.most, max(pile.least, value.count(pile.field.removeprefix(CARD)))))
        for pile in control.piles
    )
    buttons = (replace(button, is_now=button.value in value) for button in control.buttons)
    return replace(control, piles=tuple(piles), buttons=tuple(buttons))
