"""What if: other answers from a moment on, written into a link; nothing of it is kept anywhere. Pure."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from referee.branches import MOST, Branch
from referee.contract import Answer, Refusal
from referee.film import Film, play_branch
from referee.legal import ask_named
from referee.match import Match, moments
from referee.showing import board_of
from referee.telling import Listener
from webui.drawing.controls import Control, Misread, controls_of, value_of
from webui.drawing.film_step import FilmView, scene_of, sentences_of
from webui.drawing.grids import grids_of
from webui.drawing.looks import Look
from webui.drawing.rule_help import explain


class Asked(Struct, frozen=True):
    """Who is asked in a branch: the seat whose answers are offered, and all who may answer."""

    seat: int
    seats: tuple[int, ...]
    controls: tuple[Control, ...]


def answer_in_branch(branch: Branch, form: Mapping[str, str]) -> Branch | Refusal | None:
    """Go on with what a form says; None if that is no answer to what is asked."""
    ask = ask_named(branch.match.asks, form.get("ask", ""))
    seat = _number(form.get("seat", ""))
    value = Misread() if ask is None else value_of(ask, form)
    if ask is None or isinstance(value, Misread) or len(branch.answers) >= MOST:
        return None
    answer = Answer(branch.match.number, ask.key, value, seat if ask.seats else None, "phone")
    after = play_branch(branch.match, (answer,))
    return after if isinstance(after, Refusal) else Branch(branch.at, (*branch.answers, answer), after)


def asked_in(branch: Branch, film: Film, wish: str, listener: Listener) -> Asked | None:
    """Offer what a seat may answer: one that is wished for, that answered then, or whose turn it is."""
    match = branch.match
    if not match.asks:
        return None
    seats = tuple(sorted({seat for ask in match.asks for seat in ask.seats}))
    first = (_number(wish), _who_answered(branch, film), board_of(match).turn, *seats)
    seat = next((each for each in first if each in seats), 0)
    return Asked(seat or 0, seats, controls_of(match, seat or 0, listener, grids_of(match, None)))


def _who_answered(branch: Branch, film: Film) -> int | None:
    """Name the seat that answered in the match itself, as long as nothing else has been answered."""
    if branch.answers or branch.at >= film.last:
        return None
    entry = film.moments[branch.at + 1].match.entry
    return entry.seat if isinstance(entry, Answer) else None


def view_of_branch(view: FilmView, branch: Branch, listener: Listener, look: Look) -> FilmView:
    """Show where a branch has led instead of the moment that it leaves."""
    match = branch.match
    return replace(
        view,
        match=match,
        scene=scene_of(match, listener, look),
        told=sentences_of(match, listener),
        at="",
        later="",
        why=tuple(each for each in explain(match, match.rulings, listener) if each.rules),
    )


def story_of_branch(branch: Branch, listener: Listener) -> tuple[str, ...]:
    """Tell what the other answers brought, first to last."""
    told = (" ".join(sentences_of(each, listener)) for each in _branched(branch))
    return tuple(told)[::-1]


def _branched(branch: Branch) -> Sequence[Match]:
    start = branch.match.number - len(branch.answers)
    return [each for each in moments(branch.match) if each.number > start]


def _number(text: str) -> int | None:
    is_number = text.isascii() and text.isdecimal() and len(text) <= 2
    return int(text) if is_number else None
