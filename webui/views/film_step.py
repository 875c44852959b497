"""A single moment of a film for a page: window, table from above, timeline, sentences; pure functions."""

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin
from typing import Any

from msgspec import Struct

from firmware.services.photographs import ReadCard
from referee.contract import Answer
from referee.contract.words import Phrase, phrase
from referee.film import CLOSE_MARGIN, Film, LeadChange, close_calls, is_put_right
from referee.legal import ask_named
from referee.match import Correct, Match
from referee.moment_view import MomentView, RowView, answer_text, ruling_texts, view_of
from referee.record import ParsedRecord
from referee.sentences import Language, labelled_text, listener_at, round_text
from webui.views.alternatives import read_percent
from webui.views.grids import whole_grid
from webui.views.looks import Look, LookBook
from webui.views.rule_help import explain
from webui.views.screen_view import ScreenView, screen_of, winners_text
from webui.views.words import page_text

# timeline of a film: rounds scaled by their number of moments, with marks for important moments

REEL_WIDTH = 1116.0
LEFT = 2.0
GAP = 4.0
LEGIBLE, NAMED = 34.0, 70.0
"""Least width of a piece for its number, and least distance between numbered pieces."""
REEL_EDGE = 14.0  # margin at both ends, so that marks aren't cut off
APART = 26.0  # least distance between marks of a kind, so that they remain distinct


def reel_of(film: Film, number: int) -> Mapping[str, Any]:
    """Return the timeline of a film: its rounds, its marks, and the current place."""
    at = place_of(film, number)
    turns = tuple(_apart(_mark_at(film, each.number) for each in film.turns))
    put_right = [each for each, moment in enumerate(film.moments) if is_put_right(moment.match)]
    telling = [each for each, moment in enumerate(film.moments) if moment.is_telling and each not in put_right]
    rulings = (_mark_at(film, each) for each in telling)
    return {
        "pieces": tuple(_pieces(film, at)),
        # a ruling at the moment of a change of lead has no mark of its own
        "rulings": tuple(_apart(x for x in rulings if all(abs(x - turn) >= APART for turn in turns))),
        "put_right": tuple(_apart(_mark_at(film, each) for each in put_right)),
        "turns": turns,
        "head": _mark_at(film, number),
    }


def place_of(film: Film, number: int) -> float:
    return round(LEFT + REEL_WIDTH * (number + 0.5) / len(film.moments), 1)


def _mark_at(film: Film, number: int) -> float:
    """Return the position of a moment's mark, moved inwards at the ends so that it isn't cut off."""
    return min(max(place_of(film, number), LEFT + REEL_EDGE), LEFT + REEL_WIDTH - REEL_EDGE)


def _pieces(film: Film, at: float) -> Iterator[Mapping[str, object]]:
    """Yield a piece for each round; a round appears twice after a correction that reaches back to it."""
    begins, share, last, named = 0, REEL_WIDTH / len(film.moments), film.last, -NAMED
    for number, moment in enumerate(film.moments):
        if number == last or film.moments[number + 1].round != moment.round:
            x, width = LEFT + share * begins, max(2.0, share * (number + 1 - begins) - GAP)
            seen = min(width, max(0.0, at - x))
            is_named = width >= LEGIBLE or x - named >= NAMED
            named = x if is_named else named
            label = str(moment.round) if is_named else ""
            yield {"x": round(x, 1), "width": round(width, 1), "seen": round(seen, 1), "label": label}
            begins = number + 1


def _apart(places: Iterator[float]) -> Iterator[float]:
    last = -APART
    for place in places:
        if place - last >= APART:
            last = place
            yield place


WIDTH, HEIGHT = 560.0, 400.0
CARD = (63.0, 88.0)
OPEN, OWN = 1.1, 0.55  # card scale in the middle and in front of a seat
MOST_ROWS, MOST_IN_ROW = 3, 24  # most rows drawn in the middle, and most cards in each
ROOM, OWN_ROOM = 290.0, 120.0  # greatest width of a row in the middle and in front of a seat
TILT = -7.0  # degrees by which a claimed card is tilted
EDGE = 0.7  # margin around the cards of an image, in card widths


class ClothCard(Struct, frozen=True):
    """A card on the cloth, with its position as an SVG transform."""

    face: str
    name: str
    place: str
    kind: str = ""


class Cloth(Struct, frozen=True):
    """Table from above."""

    box: str
    cards: tuple[ClothCard, ...]
    names: Sequence[Mapping[str, object]] = ()  # names of the seats, and their positions
    is_seen: bool = False


def cloth_of_board(told: MomentView) -> Cloth:
    """Arrange a board's open cards: shared ones in the middle, others in front of their seats."""
    seats = range(len(told.listener.names))
    rows = [row for row in told.rows if row.cards]
    shared = [row for row in rows if row.row.seat is None or row.claimed_by][:MOST_ROWS]
    size = OPEN if len(shared) == 1 else OPEN * 1.6 / max(2, len(shared))
    pitch = CARD[1] * size + 8
    top = HEIGHT / 2 - pitch * (len(shared) - 1) / 2
    cards = list[ClothCard]()
    for number, row in enumerate(shared):
        cards += _row(row, (WIDTH / 2, top + number * pitch), size, ROOM)
    for seat in seats:
        own = [row for row in rows if row.row.seat == seat and not row.claimed_by]
        x, y = _seat_place(seat, len(seats))
        # the second row is behind the first, so draw it first
        for number, row in reversed(list(enumerate(own[:2]))):
            cards += _row(row, (x, y - 30 - 20 * number), OWN, OWN_ROOM)
    names = [
        {"x": round(x), "y": round(y + 16), "text": told.name(seat), "has_turn": told.board.turn == seat}
        for seat in seats
        for x, y in [_seat_place(seat, len(seats))]
    ]
    return Cloth(f"0 0 {WIDTH:g} {HEIGHT:g}", tuple(cards), names)


def cloth_of_picture(cards: Sequence[ReadCard], told: MomentView) -> Cloth:
    corners = [corner for card in cards for corner in card.outline]
    left, right = (end(x for x, _y in corners) for end in (min, max))
    top, low = (end(y for _x, y in corners) for end in (min, max))
    edge = EDGE * max(abs(b - a) for card in cards for a, b in zip(*card.outline[::2], strict=True))
    box = (left - edge, top - edge, right - left + 2 * edge, low - top + 2 * edge)
    drawn = tuple(_seen(card, told) for card in cards)
    return Cloth(" ".join(f"{each:.0f}" for each in box), drawn, is_seen=True)


def _seen(card: ReadCard, told: MomentView) -> ClothCard:
    """Fit a card into its outline; face-down and unread cards show their backs."""
    (x, y), (right, up), _far, (left, low) = card.outline
    across = (right - x) / CARD[0], (up - y) / CARD[0]
    down = (left - x) / CARD[1], (low - y) / CARD[1]
    numbers = (*across, *down, x, y)
    face, place = card.face or "", " ".join(f"{each:.3f}" for each in numbers)
    return ClothCard(face, told.face(face), f"matrix({place}) translate(31.5 44)")


def _row(row: RowView, middle: tuple[float, float], size: float, room: float) -> Iterator[ClothCard]:
    cards = row.cards[:MOST_IN_ROW]
    pitch = min(CARD[0] * size + 6, (room - CARD[0] * size) / max(1, len(cards) - 1))
    first = middle[0] - pitch * (len(cards) - 1) / 2
    turn = TILT if row.claimed_by else 0.0
    for number, card in enumerate(cards):
        place = f"translate({first + number * pitch:.0f} {middle[1]:.0f}) rotate({turn:g}) scale({size:g})"
        kind = "faded" if card.is_struck else "said" if turn else ""
        yield ClothCard(card.face, f"{row.name} {card.name}", place, kind)


def _seat_place(seat: int, seats: int) -> tuple[float, float]:
    """Return the position of a seat: the first at the bottom, the others clockwise."""
    turn = pi / 2 + 2 * pi * seat / seats
    return WIDTH / 2 + 215 * cos(turn), HEIGHT / 2 + 20 + 145 * sin(turn)


LEADS: Mapping[str, Phrase] = {
    "": phrase("{name} takes the lead from {before}."),
    "to the end": phrase("{name} takes the lead from {before} and keeps it to the end."),
    "at the end": phrase("{name} overtakes {before} at the end and wins."),
}
JUMPS = 100
"""Most entries in the list of rounds; longer matches list every second, third, ... round."""


class FilmPlace(Struct, frozen=True):
    """A position to jump to: its moment and text."""

    number: int
    text: str
    is_now: bool = False
    is_undone: bool = False
    where: str = ""  # the round, in lists about the whole film


class Scene(Struct, frozen=True):
    """Everything on the table at a moment, as a spectator sees it."""

    screen: ScreenView
    cloth: Cloth
    grids: tuple[Mapping[str, object], ...]
    """Each player's grid of cards, drawn like the one in the window."""
    winners: str
    over: str = ""


def view_of_step(
    film: Film, number: int, language: Language, look: Look, seen: Sequence[ReadCard]
) -> Mapping[str, object]:
    """Return template values for a moment; `seen` are the cards in the image behind its answer."""
    moment = film.moments[number]
    match, entry = moment.match, moment.match.entry
    steps = [(each.match, each.later) for each in film.moments if each.round == moment.round]
    where = phrase("{round}, step {step} of {steps}")
    now = round_text(language, match.setup.game.words, moment.round)
    return {
        "scene": scene_of(match, language, look, seen),
        "told": sentences_of(match, language),
        "why": [
            each
            for each in explain(match.setup, match.rulings, ruling_texts(match, language), language)
            if each.rules
        ],
        "number": number,
        "last": film.last,
        "reel": reel_of(film, number),
        "where": page_text(language, where, round=now, step=moment.step, steps=len(steps)),
        "later": moment.later,
        "at": "" if entry is None else entry.at[11:19],
        "round": now,
        "steps": [
            FilmPlace(each.number, told_at_once(each, language), each.number == number, later == "undone")
            for each, later in steps
        ],
        "jumps": jumps_of(film, number, language),
        "rounds": film.moments[-1].round,
        "turns": sorted(_chapters(film, number, language), key=lambda line: line.number),
    }


def _chapters(film: Film, now: int, language: Language) -> Iterator[FilmPlace]:
    """Yield the highlights: changes of lead, close moments, and successful bluffs."""
    for change in film.turns:
        told = turn_text(film.moments[change.number].match, change, language)
        yield _chapter(film, change.number, now, told, language)
    for call in close_calls(film):
        verdict = view_of(film.moments[call.number].match, language).verdict
        kind = (
            phrase("A close call: {told}")
            if call.margin <= CLOSE_MARGIN
            else phrase("The closest call: {told}")
        )
        if verdict is not None:
            told = page_text(language, kind, told=verdict.text)
            yield _chapter(film, call.number, now, told, language)
    for call in (each for each in film.calls if each.has_held):
        scene = view_of(film.moments[call.number].match, language).scene
        for held in () if scene is None else scene.held:
            told = page_text(language, phrase("Successful bluff: {told}"), told=held)
            yield _chapter(film, call.number, now, told, language)


def _chapter(film: Film, number: int, now: int, told: str, language: Language) -> FilmPlace:
    moment = film.moments[number]
    where = round_text(language, moment.match.setup.game.words, moment.round)
    return FilmPlace(number, told, number == now, where=where)


def turn_text(match: Match, change: LeadChange, language: Language) -> str:
    names = match.setup.names
    return page_text(language, LEADS[change.kept], name=names[change.seat], before=names[change.before])


def scene_of(match: Match, language: Language, look: Look, seen: Sequence[ReadCard] = ()) -> Scene:
    """Return the table; cards are placed as in the image, otherwise as on the board."""
    told = view_of(match, language)
    return Scene(
        screen=screen_of(told, look, None, is_small=True),
        cloth=cloth_of_picture(seen, told) if seen else cloth_of_board(told),
        grids=tuple(
            {"label": told.name(grid.seat), "lines": whole_grid(grid, told.listener)}
            for grid in told.grids
            if grid.rows
        ),
        winners=winners_text(told),
    )


def told_at_once(match: Match, language: Language) -> str:
    """Return a moment's sentences on one line, each with a final punctuation mark."""
    said = sentences_of(match, language)
    return " ".join(each if each[-1:] in ".!?…" else f"{each}." for each in said)


def sentences_of(match: Match, language: Language) -> tuple[str, ...]:
    """Return a moment's rulings, or its answer if there were none."""
    if told := ruling_texts(match, language):
        return told
    answer, before = match.entry, match.before
    if not isinstance(answer, Answer) or before is None:
        return (page_text(language, phrase("The match begins.")),)
    if answer.seat is not None and getattr(ask_named(before.asks, answer.ask), "window", None) is not None:
        # the content of simultaneous answers appears only in rulings
        return (page_text(language, phrase("{name} has answered."), name=match.setup.names[answer.seat]),)
    return (answer_text(listener_at(before.setup, language), match.setup.game, before.state, answer),)


def reading_text(seen: Sequence[ReadCard], told: MomentView) -> str:
    shares = [(read_percent(each), each.face) for each in seen if each.face]
    if not shares:
        return ""
    least, face = min(shares)
    return page_text(
        told.listener.language,
        phrase("cards read: {count}; highest confidence {most} %, lowest {least} % ({card})"),
        count=len(shares),
        most=max(shares)[0],
        least=least,
        card=told.face(face or ""),
    )


def title_of_film(match: Match, language: Language) -> str:
    """Return a match's game title and, once it is decided, the winners."""
    title = language.gettext(match.setup.game.words.title)
    if match.decided is None:
        return title
    return labelled_text(language, title, winners_text(view_of(match, language)))


def jumps_of(film: Film, now: int, language: Language) -> tuple[FilmPlace, ...]:
    firsts = [each for number, each in enumerate(film.moments) if each.step == 1 and number]
    every = -(-len(firsts) // JUMPS) or 1
    current = film.moments[now].round
    jumps = [FilmPlace(0, page_text(language, phrase("The beginning")), now == 0)]
    for each in firsts[::every]:
        text = round_text(language, each.match.setup.game.words, each.round)
        jumps.append(FilmPlace(each.match.number, text, 0 < now < film.last and each.round == current))
    end = page_text(language, phrase("The end"))
    return (*jumps, FilmPlace(film.last, end, 0 < now == film.last))


class StepEvidence(Struct, frozen=True):
    """Evidence of a moment: the address of its image, and the cards in it."""

    picture: str = ""
    seen: tuple[ReadCard, ...] = ()


class FilmSource(Struct, frozen=True, eq=False):
    """A film to watch: the address of its pages, its record, and a mark that changes with the record."""

    home: str  # empty in a single-file film, which contains all moments
    film: Film
    reading: ParsedRecord
    mark: str = ""
    number: int | None = None


def step_values(
    book: LookBook, source: FilmSource, number: int, language: Language, evidence: StepEvidence
) -> Mapping[str, object]:
    film = source.film
    look, told = book.look_of(film.match), view_of(film.moments[number].match, language)
    return {
        "film": view_of_step(film, number, language, look, evidence.seen),
        "look": look,
        "picture": evidence.picture,
        "reading": reading_text(evidence.seen, told),
        "film_home": source.home,
    }


def pictured_answer(film: Film, number: int) -> int | None:
    """Return the answer whose image belongs to a moment; images of undone answers are never shown."""
    moment = film.moments[number]
    match moment.match.entry:
        case Answer(value=tuple()) if moment.later != "undone":
            return number - 1
        case Correct(heard_at=heard_at) if film.moments[heard_at + 1].later != "undone":
            return number - 1
        case _:
            return None
