"""What a moment of a film is drawn from, on a page and in a file."""

from collections.abc import Mapping

from msgspec import Struct

from firmware.parts.evidence import SeenCard
from referee.contract import Answer
from referee.film import Film
from referee.match import Correct
from referee.telling import Language, listener_at
from webui.drawing.film_step import reading_text, view_of_step
from webui.drawing.looks import LookBook


class StepEvidence(Struct, frozen=True):
    """What a moment rests on: the address of the picture, and its cards."""

    picture: str = ""
    seen: tuple[SeenCard, ...] = ()
    clip: str = ""
    """The address of the clip, if one is kept."""


def step_values(
    book: LookBook, film: Film, number: int, language: Language, evidence: StepEvidence
) -> Mapping[str, object]:
    """Give all that a moment is drawn from, but where its film is."""
    listener, look = listener_at(film.match.setup, language), book.look_of(film.match)
    return {
        "film": view_of_step(film, number, listener, look, evidence.seen),
        "look": look,
        "picture": evidence.picture,
        "clip": evidence.clip,
        "reading": reading_text(evidence.seen, listener),
    }


def pictured_answer(film: Film, number: int) -> int | None:
    """Name the answer whose picture belongs to a moment; those of answers that don't stand are never shown."""
    moment = film.moments[number]
    match moment.match.entry:
        case Answer(value=tuple()) if moment.later != "undone":
            return number - 1
        case Correct(heard_at=heard_at) if film.moments[heard_at + 1].later != "undone":
            return number - 1
        case _:
            return None
