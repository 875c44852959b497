"""Answers that rest on a picture, of the camera or a phone, and the rulings that followed."""

from collections.abc import Iterable, Iterator
from math import floor

from msgspec import Struct

from firmware.parts.evidence import Guess, ReadCard
from referee.contract import Ruling
from referee.match import Correct, Match, Step, moments


class CameraAnswer(Struct, frozen=True):
    """A standing answer that rests on a picture, and the rulings that followed."""

    step: Step
    rulings: tuple[Ruling, ...]
    picture: int
    """The number that its picture is kept by: its own, or that of a correction made from a photograph."""
    is_by_phone: bool = False
    """Whether a phone took the picture."""

    @property
    def number(self) -> int:
        """Give the answer's number."""
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
    """List the numbers of the answers that rest on a picture."""
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
    """Find an answer that rests on a picture by its number."""
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
    """Read a value that may name cards."""
    if isinstance(value, str):
        return (value,)
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, tuple) else ()


def is_corrected(match: Match, heard_at: int) -> bool:
    """Tell whether the host has corrected an answer."""
    entries = (moment.entry for moment in moments(match))
    return any(isinstance(entry, Correct) and entry.heard_at == heard_at for entry in entries)


def newest_camera_answer(match: Match) -> int | None:
    """Give the number of the newest standing answer that rests on the camera's own picture."""
    return next((ground.number for ground in camera_answers(match)), None)


WHOLE = 100


class GuessShare(Struct, frozen=True):
    """A face that the camera thought of, and its share in percent."""

    face: str
    percent: int


def read_percent(card: ReadCard) -> int:
    """Give the share of the face that was read."""
    return floor(min(1.0, max(0.0, card.score)) * WHOLE)


def guess_shares(card: ReadCard) -> tuple[GuessShare, ...]:
    """Share what is left by the face that was read among the guesses, as well as each fits."""
    left = WHOLE if card.face is None else WHOLE - read_percent(card)
    fits = sum(guess.score for guess in card.guesses)
    # one guess that fits badly isn't all that is left: the rest may be any face
    return tuple(_shared(card.guesses, left / max(1.0, fits)))


def _shared(guesses: Iterable[Guess], share: float) -> Iterator[GuessShare]:
    return (GuessShare(guess.face, floor(guess.score * share)) for guess in guesses)
