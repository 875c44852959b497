"""The review of a photograph: which cards a person is asked about, and what the form says of each."""

from collections.abc import Iterable, Mapping

from firmware.parts.evidence import ReadCard
from referee.contract import Show
from webui.drawing.alternatives import encode_cards
from webui.drawing.controls import READ

Said = tuple[str | None, ...]
"""What was said of each card that was read: None as read, empty if it doesn't count."""


def is_reviewed(card: ReadCard) -> bool:
    """Tell whether a person is asked about a card: one that surely lies face down isn't counted."""
    return card.is_up or not card.is_sure


def reviewed_cards(cards: Iterable[ReadCard]) -> tuple[ReadCard, ...]:
    """Pick the cards that a person is asked about."""
    return tuple(card for card in cards if is_reviewed(card))


def possible_faces(card: ReadCard, ask: Show) -> tuple[str, ...]:
    """List what a card of the deck can be chosen to be: as read first, then what else it could be."""
    could_be = dict.fromkeys((*([card.face] if card.face else []), *(guess.face for guess in card.guesses)))
    return tuple(face for face in could_be if ask.deck.counts.get(face))


def said_of_cards(cards: tuple[ReadCard, ...], ask: Show, form: Mapping[str, str]) -> Said | None:
    """Read what a form says of each card; None if it isn't the form of this review."""
    if "card" in form:
        return None
    if "cards" in form:
        faces = tuple(card.face or "" for card in reviewed_cards(cards))
        return (None,) * len(cards) if form["cards"] == encode_cards(faces) else None
    return _said_card_by_card(cards, ask, form)


def _said_card_by_card(cards: tuple[ReadCard, ...], ask: Show, form: Mapping[str, str]) -> Said | None:
    """Read what was chosen for each card, among what the page offered."""
    sent = {field: face for field, face in form.items() if field.startswith(READ)}
    offered = {
        f"{READ}{number}": (*possible_faces(card, ask), "")
        for number, card in enumerate(reviewed_cards(cards), 1)
    }
    if sent.keys() != offered.keys() or any(face not in offered[field] for field, face in sent.items()):
        return None
    chosen = (sent[field] for field in offered)
    return tuple(_change(card, next(chosen)) if is_reviewed(card) else None for card in cards)


def _change(card: ReadCard, face: str) -> str | None:
    """Give what was said of a card, unless it is what was read."""
    return None if face == card.face else face
