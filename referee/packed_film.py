"""A film as bytes: where the game stood at each moment, so that nothing has to be played again. Pure.

To play a record can take long, which is for a process of its own; who shows the film unpacks what came of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

import msgspec
from msgspec import Raw, Struct

from referee.contract import Answer, Game, Ruling
from referee.film import Call, Film, FilmMoment, Later, LeadChange
from referee.gaps import Gap
from referee.match import Entry, Match, Position, Setup, SitDown, Step, setup_after
from referee.record import Fault, ParsedRecord, first_setup, head_line, read_record


class PackedFilmError(ValueError):
    """Why bytes are no film."""


class _PackedPosition(Struct, frozen=True, array_like=True):
    """Where the game stood; of an answer that stands, what it was and on which position."""

    state: Raw
    rulings: tuple[Ruling, ...]
    answer: Answer | None = None
    heard_at: int = 0
    before: int = 0


class _PackedMoment(Struct, frozen=True, array_like=True):
    """A moment, and its place in the film."""

    position: int
    rulings: tuple[Ruling, ...]
    number: int
    entry: Entry | None
    reheard: int
    round: int
    step: int
    later: Later
    is_telling: bool


class _PackedFilm(Struct, frozen=True, array_like=True):
    """All of a film; asks follow from the state, and the rest of a match from its first line."""

    head: str
    positions: tuple[_PackedPosition, ...]
    moments: tuple[_PackedMoment, ...]
    turns: tuple[LeadChange, ...]
    calls: tuple[Call, ...]
    fault: Fault | None
    gaps: tuple[Gap, ...]
    what_if: int | None


_FILMS = msgspec.msgpack.Decoder(_PackedFilm)


def pack_film(reading: ParsedRecord, film: Film) -> bytes:
    positions = tuple(_positions(film.moments))
    places = {id(position): place for place, position in enumerate(positions)}
    packed = _PackedFilm(
        head_line(first_setup(film.match)),
        tuple(_pack_position(position, places) for position in positions),
        tuple(_pack_moment(moment, places[id(moment.match.position)]) for moment in film.moments),
        film.turns,
        film.calls,
        reading.fault,
        reading.gaps,
        reading.what_if,
    )
    return msgspec.msgpack.encode(packed)


def unpack_film(packed: bytes) -> tuple[ParsedRecord, Film]:
    try:
        told = _FILMS.decode(packed)
        begun = read_record([told.head]).match
        if begun is None or not told.moments:
            raise PackedFilmError("no match")
        positions = _unpack_positions(begun.setup.game, told.positions)
        moments = _unpack_moments(begun.setup, told.moments, positions)
    except (msgspec.DecodeError, IndexError) as error:
        raise PackedFilmError(str(error)) from error
    film = Film(moments[-1].match, moments, told.turns, told.calls)
    return ParsedRecord(film.match, told.fault, told.gaps, told.what_if), film


def _positions(moments: Iterable[FilmMoment]) -> Iterator[Position]:
    """List each position once, after the one on which it stands."""
    known = set[int]()
    for moment in moments:
        new = [*takewhile(lambda position: id(position) not in known, _line(moment.match.position))]
        known.update(map(id, new))
        yield from reversed(new)


def _line(position: Position) -> Iterator[Position]:
    while isinstance(position, Step):
        yield position
        position = position.before
    yield position


def _pack_position(position: Position, places: dict[int, int]) -> _PackedPosition:
    state = Raw(msgspec.msgpack.encode(position.state))
    if not isinstance(position, Step):
        return _PackedPosition(state, position.rulings)
    before = places[id(position.before)]
    return _PackedPosition(state, position.rulings, position.answer, position.heard_at, before)


def _pack_moment(moment: FilmMoment, place: int) -> _PackedMoment:
    match = moment.match
    said = (match.rulings, match.number, match.entry, match.reheard)
    return _PackedMoment(place, *said, moment.round, moment.step, moment.later, moment.is_telling)


def _unpack_positions(game: Game, packed: Iterable[_PackedPosition]) -> Sequence[Position]:
    states, made = msgspec.msgpack.Decoder(game.rules.state), list[Position]()
    for each in packed:
        state = states.decode(each.state)
        stood = (state, game.rules.asks(state), each.rulings)
        if each.answer is None:
            made.append(Position(*stood))
        else:
            made.append(Step(*stood, each.answer, each.heard_at, made[each.before]))
    return made


def _unpack_moments(
    setup: Setup, packed: Iterable[_PackedMoment], positions: Sequence[Position]
) -> tuple[FilmMoment, ...]:
    made, before, people = list[FilmMoment](), None, (*setup.names, *setup.came)
    for each in packed:
        stood = positions[each.position]
        if isinstance(each.entry, SitDown):
            setup = setup_after(setup, people, each.entry)
        match = Match(setup, stood, each.rulings, each.number, each.entry, before, reheard=each.reheard)
        made.append(FilmMoment(match, each.round, each.step, each.later, each.is_telling))
        before = match
    return tuple(made)
