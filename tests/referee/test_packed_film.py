"""A film as bytes: unpacked, it is the film that was packed, and nothing was played again."""

import pytest

from referee import match as matches
from referee.film import film_of
from referee.games.catalogue import GAMES
from referee.match import Correct, TakeBack, seat_person, standing_answers
from referee.packed_film import PackedFilmError, pack_film, unpack_film
from referee.record import entry_line, read_film, record_lines, what_if_lines
from tests.given import allowed, present
from tests.webui.matches import play_match


@pytest.mark.parametrize("game", GAMES)
def test_a_film_is_unpacked_as_it_was_packed(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = play_match(GAMES[game])
    steps = standing_answers(match)
    corrected = [
        entry_line(Correct(match.number + number, step.heard_at, step.answer.value))
        for number, step in enumerate(steps[::-9])
    ]
    lines = what_if_lines(match, 3) + corrected + [entry_line(TakeBack(10**9))]
    reading = read_film(lines)
    film = film_of(present(reading.match))
    packed = pack_film(reading, film)
    monkeypatch.setattr(matches, "step_from", None)
    again, unpacked = unpack_film(packed)
    assert (again.fault, again.gaps, again.what_if) == (reading.fault, (), 3)
    assert again.fault is not None
    assert again.match is unpacked.match is unpacked.moments[-1].match
    for was, now in zip(film.moments, unpacked.moments, strict=True):
        one, other = was.match, now.match
        assert (one.state, one.asks, one.rulings) == (other.state, other.asks, other.rulings)
        assert (one.number, one.entry, one.reheard) == (other.number, other.entry, other.reheard)
        assert (was.round, was.step, was.later) == (now.round, now.step, now.later)
        assert was.is_telling == now.is_telling
    assert record_lines(unpacked.match) == record_lines(film.match)
    one, other = (
        [(step.heard_at, step.answer) for step in standing_answers(each.match)] for each in (film, unpacked)
    )
    assert one == other
    assert unpacked.turns == film.turns


def test_a_film_has_the_names_of_who_sat_there_at_each_moment() -> None:
    match = allowed(seat_person(play_match(GAMES["coyote"], moments=9), 1, "Zoé"))
    reading = read_film(record_lines(match))
    _again, film = unpack_film(pack_film(reading, film_of(present(reading.match))))
    assert [each.match.setup.names[1] for each in film.moments] == ["Bo"] * 10 + ["Zoé"]


def test_what_is_no_film_is_refused() -> None:
    reading = read_film(record_lines(play_match(GAMES["coyote"])))
    packed = pack_film(reading, film_of(present(reading.match)))
    for bad in (b"", b"no match", packed[:-1], packed.replace(b"coyote", b"cayote", 1)):
        with pytest.raises(PackedFilmError):
            unpack_film(bad)
