"""Answers based on an image: the rulings that followed, and the other possible readings."""

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
    """A standing answer based on an image, and the rulings that followed."""

    step: Step
    rulings: tuple[Ruling, ...]
    picture: int
    """Number under which the image is stored: the answer's own, or that of a correction by photo."""
    is_by_phone: bool = False

    @property
    def number(self) -> int:
        return self.step.heard_at


def camera_answers(match: Match, photographed: frozenset[int] = frozenset()) -> Iterator[CameraAnswer]:
    """Yield the standing answers based on an image, newest first; undone answers are skipped.

    These are the camera's answers, and those given or corrected from a phone's photo.
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
    """Map answers to their newest correction from a photo."""
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
    """Return earlier answers with cards named by these rulings, such as the card that reveals a revoke."""
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
    """Split the percentage not covered by the read face among the guesses, in proportion to their scores."""
    left = 100 if card.face is None else 100 - read_percent(card)
    fits = sum(guess.score for guess in card.runners_up)
    # a single poor guess doesn't get the whole remainder: the card may be any other face
    share = left / max(1.0, fits)
    return tuple((guess.face, floor(guess.score * share)) for guess in card.runners_up)


MAX_OFFERS = 6  # most alternatives offered for a card


class Alternative(Struct, frozen=True):
    """The cards of an answer with one of them replaced."""

    wrong: str
    right: str
    score: float
    cards: tuple[str, ...]


def alternatives(game: Game, step: Step, cards: "Iterable[ReadCard]") -> tuple[Alternative, ...]:
    """Return the legal answers that differ from the reading in one card, likeliest first."""
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
    results = ((each, step_from(game, step.before, answer, step.heard_at)) for each, answer in answers)
    return tuple(each for each, after in results if not isinstance(after, Refusal))


def by_misread_card(found: Iterable[Alternative]) -> dict[str, tuple[Alternative, ...]]:
    """Group alternatives by the possibly misread card, likeliest card first."""
    groups: dict[str, tuple[Alternative, ...]] = {}
    for each in found:
        groups[each.wrong] = (*groups.get(each.wrong, ()), each)[:MAX_OFFERS]
    return groups


def _doubts(cards: "Iterable[ReadCard]") -> Iterator[tuple[str, str, float]]:
    """Yield the counted face, another possible face and its score, for each doubt about a card."""
    for card in cards:
        stands = card.face if card.said is None else card.said
        # if a person chose another face, the original reading is an alternative, too
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
"""The reviewed face of each card: None if as read, empty if the card doesn't count."""


def is_reviewed(card: "ReadCard") -> bool:
    """Return whether the review asks about a card; cards that are surely face down are skipped."""
    return card.facing == "up" or not card.sure


def reviewed_cards(cards: "Iterable[ReadCard]") -> "tuple[ReadCard, ...]":
    return tuple(card for card in cards if is_reviewed(card))


def possible_faces(card: "ReadCard", ask: Show) -> tuple[str, ...]:
    """Return the deck's faces that a card may be: the read face first, then the guesses."""
    could_be = dict.fromkeys((*([card.face] if card.face else []), *(guess.face for guess in card.runners_up)))
    return tuple(face for face in could_be if ask.deck.counts.get(face))


def said_of_cards(cards: "tuple[ReadCard, ...]", ask: Show, form: Mapping[str, str]) -> Said | None:
    """Parse the reviewed faces from a form; None if the form belongs to another review."""
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
    # None means that the reading was right
    return tuple(None if face == card.face else face for face, card in zip(faces, cards, strict=True))
