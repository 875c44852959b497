"""Three moments of an evening: each is what its words say, of the matches that were played to their end."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from firmware.language.catalogues import language
from referee.coaching import ToldAnalysis, ToldDecision, ToldSeat
from referee.contract import Game, Kind
from referee.film import Film, film_of
from referee.games.catalogue import GAMES
from referee.match import Match
from referee.showing import moods_of
from tests.webui.matches import play_match
from webui.pages.film.sharing import CALLS, EveningMoment, moments_of_evening

ENGLISH = language("en")
CHOICE, SWING, CALL, END = "The costliest choice", "The lead changes", "A call", "Open to the last"


def films_of(*matches: Match) -> dict[int, Film]:
    return {number: film_of(match) for number, match in enumerate(matches, 1)}


def found_in(
    films: dict[int, Film], analyses: Mapping[int, ToldAnalysis] | None = None
) -> dict[str, EveningMoment]:
    found = moments_of_evening(tuple(films.items()), ENGLISH, analyses or {})
    assert len({(each.match, each.at) for each in found}) == len(found)
    assert all(each.told and each.time for each in found)
    return {each.kind: each for each in found}


def moved(moment: Match) -> int:
    """Count places by another way: seat by seat."""
    assert moment.before is not None
    game = moment.setup.game
    before, now = game.rules.standings(moment.before.state), game.rules.standings(moment.state)
    return sum(abs(one.place - two.place) for one in before for two in now if one.seat == two.seat)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_each_moment_is_what_its_words_say(game: Game) -> None:
    films = films_of(*(play_match(game, seed=seed) for seed in range(2)), play_match(game, moments=9))
    found = found_in(films)
    assert all(films[each.match].match.outcome is not None for each in found.values())
    if SWING in found:
        swing = found[SWING]
        (turn,) = (turn for turn in films[swing.match].turns if turn.number == swing.at)
        names = films[swing.match].match.setup.names
        assert swing.told.startswith(f"{names[turn.seat]} takes the lead from {names[turn.before]}")
    if END in found:
        assert found[END].at == films[found[END].match].last
    calls = [
        each.match
        for number, film in films.items()
        for each in film.moments
        if number < 3 and each.later != "undone" and moods_of(each.match) & CALLS
    ]
    # a call that is the change of lead, too, is told once
    if calls and CALL in found:
        chosen = films[found[CALL].match].moments[found[CALL].at].match
        assert moved(chosen) == max(map(moved, calls))
    assert CALL in found or not calls or SWING in found


def test_the_choice_that_gave_most_of_a_chance_away_stands_for_the_lead_where_it_is_known() -> None:
    films = films_of(play_match(GAMES["coyote"]), play_match(GAMES["coyote"], seed=1))
    costly = ToldDecision(4, Kind.CHANCE, 0.5, ("Bo said 9.", "It would have held.", "No more."))
    cheap, points = replace(costly, moment=2, loss=0.1), replace(costly, moment=3, kind=Kind.POINTS, loss=9.0)
    known = {2: ToldAnalysis(0, (ToldSeat("Bo", (cheap, costly, points), (4,)),))}
    found = found_in(films, known)
    assert SWING not in found
    assert (found[CHOICE].match, found[CHOICE].at) == (2, films[2].moments[5].match.number)
    assert found[CHOICE].told == "Bo said 9. It would have held."
    none_costly = {2: ToldAnalysis(0, (ToldSeat("Bo", (points,), ()),))}
    assert CHOICE not in found_in(films, none_costly)


def test_an_evening_of_open_matches_has_none() -> None:
    assert found_in(films_of(play_match(GAMES["coyote"], moments=9))) == {}
    assert found_in({}) == {}
