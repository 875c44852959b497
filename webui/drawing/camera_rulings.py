"""Answers that the camera gave, and the rulings that rest on them."""

from collections.abc import Iterator

from msgspec import Struct

from referee.contract import Ruling
from referee.match import Correct, Match, Step, moments


class CameraAnswer(Struct, frozen=True):
    """A standing answer of the camera, and the rulings that followed."""

    step: Step
    rulings: tuple[Ruling, ...]

    @property
    def number(self) -> int:
        """Give the answer's number."""
        return self.step.heard_at


def camera_answers(match: Match) -> Iterator[CameraAnswer]:
    """Yield the camera's standing answers, newest first; undone ones are left out."""
    position = match.position
    while position.step is not None:
        if position.step.answer.sense == "camera":
            yield CameraAnswer(position.step, position.rulings)
        position = position.step.before


def camera_answer_at(match: Match, heard_at: int) -> CameraAnswer | None:
    """Find an answer of the camera by its number."""
    return next((ground for ground in camera_answers(match) if ground.number == heard_at), None)


def related_answers(match: Match, ground: CameraAnswer) -> tuple[int, ...]:
    """List earlier answers whose cards these rulings name, such as the card that reveals a revoke."""
    named = {face for ruling in ground.rulings for value in ruling.values.values() for face in _faces(value)}
    named -= set(_faces(ground.step.answer.value))
    found: list[int] = []
    for other in camera_answers(match):
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
