"""What rests on the camera: the answers that stand and that it gave, and what was ruled by them: pure."""

from collections.abc import Iterator

from msgspec import Struct

from referee.contract import Ruling
from referee.match import Correct, Match, Step, moments


class CameraAnswer(Struct, frozen=True):
    """An answer that the camera gave and that stands, and the rulings that followed."""

    step: Step
    rulings: tuple[Ruling, ...]

    @property
    def number(self) -> int:
        """Give the number by which people know the answer."""
        return self.step.heard_at


def camera_answers(match: Match) -> Iterator[CameraAnswer]:
    """Walk back through the answers of the camera that stand; what was struck isn't shown any more."""
    position = match.position
    while position.step is not None:
        if position.step.answer.sense == "camera":
            yield CameraAnswer(position.step, position.rulings)
        position = position.step.before


def camera_answer_at(match: Match, heard_at: int) -> CameraAnswer | None:
    """Find an answer of the camera by its number."""
    return next((ground for ground in camera_answers(match) if ground.number == heard_at), None)


def related_answers(match: Match, ground: CameraAnswer) -> tuple[int, ...]:
    """List the earlier answers whose cards the rulings name, too: of a revoke, the card that denied."""
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
    """Tell whether the host has put an answer right."""
    entries = (moment.entry for moment in moments(match))
    return any(isinstance(entry, Correct) and entry.heard_at == heard_at for entry in entries)
