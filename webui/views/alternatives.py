"""Answers that rest on a picture: what was ruled on them, and what else a reading could have been."""

from collections.abc import Iterable, Iterator, Mapping
from math import floor
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Game, Refusal, Ruling, Show, Value
from referee.legal import ask_named
from referee.match import Correct, Match, Step, moments, step_from
from webui.views.controls import CARD, READ, Control

if TYPE_CHECKING:
    from firmware.services.photographs import ReadCard


class CameraAnswer(Struct, frozen=True):
    """A standing answer that rests on a picture, and the rulings that followed."""

    step: Step
    rulings: tuple[Ruling, ...]
    picture: int
    """The number that its picture is kept by: its own, or that of a correction made from a photograph."""
    is_by_phone: bool = False

    @property
    def number(self) -> int:
        return self.step.heard_at


def camera_answers(match: Match, photographed: frozenset[int] = frozenset()) -> Iterator[CameraAnswer]:
    """Yield the standing answers that rest on a picture, newest first; undone ones are left out.

    The camera's answers do, and those that were given or corrected from a phone's photograph.
    """
    corrections = _photographed_corrections(match, photographed)
    position = match.position
    while isinstance(position, Step):
        number = position.heard_at
        picture = corrections.get(number, number)
        is_by_phone = picture in photographed
        if is_by_phone or position.answer.sense == "camera":
            yield CameraAnswer(position, position.rulings, picture, is_by_phone)
        position = position.before


def pictured_answers(match: Match, photographed: frozenset[int]) -> frozenset[int]:
    return frozenset(ground.number for ground in camera_answers(match, photographed))


def _photographed_corrections(match: Match, photographed: frozenset[int]) -> dict[int, int]:
    """Map answers to the newest correction of each that came with a photograph."""
    if not photographed:
        return {}
    entries = [moment.entry for moment in moments(match)]
    made = [entry for entry in entries if isinstance(entry, Correct) and entry.moment in photographed]
    return {entry.heard_at: entry.moment for entry in reversed(made)}


def camera_answer_at(
    match: Match, heard_at: int, photographed: frozenset[int] = frozenset()
) -> CameraAnswer | None:
    return next((ground for ground in camera_answers(match, photographed) if ground.number == heard_at), None)


def related_answers(
    match: Match, ground: CameraAnswer, photographed: frozenset[int] = frozenset()
) -> tuple[int, ...]:
    """List earlier answers whose cards these rulings name, such as the card that reveals a revoke."""
    named = {face for ruling in ground.rulings for value in ruling.values.values() for face in _faces(value)}
    named -= set(_faces(ground.step.answer.value))
    found: list[int] = []
    for other in camera_answers(match, photographed):
        shown = named & set(_faces(other.step.answer.value))
        if other.number < ground.number and shown:
            named -= shown
            found.append(other.number)
    return tuple(sorted(found))


def _faces(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, tuple) else ()


def is_corrected(match: Match, heard_at: int) -> bool:
    entries = (moment.entry for moment in moments(match))
    return any(isinstance(entry, Correct) and entry.heard_at == heard_at for entry in entries)


def read_percent(card: "ReadCard") -> int:
    return floor(min(1.0, max(0.0, card.trust)) * 100)


def guess_shares(card: "ReadCard") -> tuple[tuple[str, int], ...]:
    """Share what is left by the face that was read among the guesses, in percent, as well as each fits."""
    left = 100 if card.face is None else 100 - read_percent(card)
    fits = sum(guess.score for guess in card.runners_up)
    # one guess that fits badly isn't all that is left: the rest may be any face
    share = left / max(1.0, fits)
    return tuple((guess.face, floor(guess.score * share)) for guess in card.runners_up)


MOST = 6  # most alternatives that are offered for a card


class Alternative(Struct, frozen=True):
    """The cards of an answer with one of them replaced."""

    wrong: str
    right: str
    score: float
    cards: tuple[str, ...]


def alternatives(game: Game, step: Step, cards: "Iterable[ReadCard]") -> tuple[Alternative, ...]:
    """List the legal answers that differ in one card from the reading, the likeliest first."""
    value = step.answer.value
    if not isinstance(value, tuple) or not isinstance(ask_named(step.before.asks, step.answer.ask), Show):
        return ()
    best: dict[tuple[str, str], float] = {}
    for wrong, right, score in _doubts(cards):
        if wrong in value:
            best[wrong, right] = max(score, best.get((wrong, right), 0.0))
    all_of_them = (
        Alternative(wrong, right, score, (*value[:place], right, *value[place + 1 :]))
        for (wrong, right), score in sorted(best.items(), key=lambda each: -each[1])
        for place in [value.index(wrong)]
    )
    answers = ((each, replace(step.answer, value=each.cards)) for each in all_of_them)
    heard = ((each, step_from(game, step.before, answer, step.heard_at)) for each, answer in answers)
    return tuple(each for each, after in heard if not isinstance(after, Refusal))


def by_misread_card(found: Iterable[Alternative]) -> dict[str, tuple[Alternative, ...]]:
    """Group alternatives by the card that would have been misread, the likeliest card first."""
    groups: dict[str, tuple[Alternative, ...]] = {}
    for each in found:
        groups[each.wrong] = (*groups.get(each.wrong, ()), each)[:MOST]
    return groups


def _doubts(cards: "Iterable[ReadCard]") -> Iterator[tuple[str, str, float]]:
    """Yield what each card counts as, what else it could be, and how well that fits."""
    for card in cards:
        stands = card.face if card.said is None else card.said
        # what was read is in doubt, too, where a person chose another face
        could_be = [(guess.face, guess.score) for guess in card.runners_up]
        if card.face is not None:
            could_be.append((card.face, card.trust))
        for face, score in could_be:
            if stands and face != stands:
                yield stands, face, score


def encode_cards(cards: tuple[str, ...]) -> str:
    return msgspec.json.encode(cards).decode()


def with_preset(control: Control, value: Value) -> Control:
    if not isinstance(value, tuple):
        return control
    piles = (
        replace(pile, preset=min(pile.most, max(pile.least, value.count(pile.field.removeprefix(CARD)))))
        for pile in control.piles
    )
    buttons = (replace(button, is_now=button.value in value) for button in control.buttons)
    return replace(control, piles=tuple(piles), buttons=tuple(buttons))


Said = tuple[str | None, ...]
"""What was said of each card that was read: None as read, empty if it doesn't count."""


def is_reviewed(card: "ReadCard") -> bool:
    """Return whether a person is asked about a card: one that surely lies face down isn't counted."""
    return card.facing == "up" or not card.sure


def reviewed_cards(cards: "Iterable[ReadCard]") -> "tuple[ReadCard, ...]":
    return tuple(card for card in cards if is_reviewed(card))


def possible_faces(card: "ReadCard", ask: Show) -> tuple[str, ...]:
    """List what a card of the deck can be chosen to be: as read first, then what else it could be."""
    could_be = dict.fromkeys((*([card.face] if card.face else []), *(guess.face for guess in card.runners_up)))
    return tuple(face for face in could_be if ask.deck.counts.get(face))


def said_of_cards(cards: "tuple[ReadCard, ...]", ask: Show, form: Mapping[str, str]) -> Said | None:
    """Read what a form says of each card; None if it isn't the form of this review."""
    if "card" in form:
        return None
    if "cards" in form:
        faces = tuple(card.face or "" for card in reviewed_cards(cards))
        return (None,) * len(cards) if form["cards"] == encode_cards(faces) else None
    return _said_card_by_card(cards, ask, form)


def _said_card_by_card(cards: "tuple[ReadCard, ...]", ask: Show, form: Mapping[str, str]) -> Said | None:
    sent, up = {field: face for field, face in form.items() if field.startswith(READ)}, reviewed_cards(cards)
    offered = {f"{READ}{number}": (*possible_faces(card, ask), "") for number, card in enumerate(up, 1)}
    if sent.keys() != offered.keys() or any(face not in offered[field] for field, face in sent.items()):
        return None
    chosen = (sent[field] for field in offered)
    faces = [next(chosen) if is_reviewed(card) else card.face for card in cards]
    # what was read isn't said
    return tuple(None if face == card.face else face for face, card in zip(faces, cards, strict=True))
