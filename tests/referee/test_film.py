"""A film marks corrections and assigns rounds to moments; the walks build films of whole matches."""

from random import Random

from hardware.twin.player import play_on
from referee.contract import Answer, Option
from referee.film import Call, close_calls, film_of, is_put_right, lead_changes
from referee.games.catalogue import GAMES
from referee.match import Correct, TakeBack, hear, moments, standing_answers
from tests.given import allowed
from tests.referee.read_cards import called_match
from tests.referee.tables import after_any, new_match


def test_undone_round_end_restores_the_round() -> None:
    for seed in range(10):
        match, rng = new_match(GAMES["coyote"], "kidult", 3), Random(seed)
        while match.asks and film_of(match).moments[-1].round < 2:
            match = after_any(match, rng)
        step = standing_answers(match)[-2]
        back = allowed(hear(match, Correct(match.number, step.heard_at)))
        assert film_of(back).moments[-1].round == 1


def test_film_marks_corrected_and_undone_answers() -> None:
    match = new_match(GAMES["coyote"], "kidult", 3)
    for answer in (Answer(0, "opener", Option("opens", seat=0)), Answer(1, "announce", 5, 0)):
        match = allowed(hear(match, answer))
    for putting_right, later in (
        (hear(match, Correct(2, 1, 7)), "corrected"),
        (hear(match, Correct(2, 1, 5)), ""),
        (hear(match, TakeBack(2, 0)), "undone"),
    ):
        film = film_of(allowed(putting_right))
        assert [moment.later for moment in film.moments] == ["", "", later, ""]
        assert [is_put_right(moment.match) for moment in film.moments] == [False, False, False, True]
        assert film.last == 3


def test_lead_changes_are_found() -> None:
    # in Coup all active players share first place, so nobody leads before the end
    for name, game in GAMES.items():
        matches = (
            play_on(new_match(game, next(iter(game.rules.settings)), 3), Random(seed)) for seed in range(10)
        )
        turned = any(lead_changes([*moments(match)][::-1]) for match in matches)
        assert turned == (name != "coup"), name


def test_close_calls_and_unchallenged_bluffs_are_found() -> None:
    film = film_of(called_match(Answer(4, "reveal", ("5", "3", "0"))))
    # 8 is one less than Bo's 9; Ana's 4 was right
    assert close_calls(film) == film.calls == (Call(5, 1),)
    film = film_of(called_match(Answer(4, "reveal", ("3", "0", "0"))))
    assert film.calls == (Call(5, 6, has_held=True),)
    assert close_calls(film) == film.calls, "of none that was close, the nearest"
    struck = called_match(Answer(4, "reveal", ("5", "3", "0")), Correct(5, 4))
    assert film_of(struck).calls == ()
