"""The overlay: what it cries, which cards it shows, and that it knows no more than any spectator."""

from collections.abc import Iterator
from random import Random

import pytest

from firmware.language.catalogues import language
from firmware.start.pages.look_door import Looks
from referee.contract import Game, Mood, Ruling
from referee.cues import cue_for, moods_of
from referee.games.catalogue import GAMES
from referee.match import Match, moments
from referee.public_moment import public_moment
from referee.showing import board_of
from referee.telling import listener_at
from tests.webui.matches import play_match
from webui.drawing.looks import LookBook
from webui.drawing.overlay_view import CRIES, FANNED, OverlayView, overlay_of

BOOK = LookBook(Looks())


def overlay_at(match: Match) -> OverlayView:
    return overlay_of(match, listener_at(match.setup, language("en")), BOOK.look_of(match))


def some_moments(game: Game) -> Iterator[Match]:
    """Give moments of some matches, the end among them."""
    rng = Random(game.name)
    for seed in range(3):
        played = list(moments(play_match(game, ("Ana", "Bo", "Chloé", "Dan"), seed)))
        yield from (played[0], *rng.sample(played, min(len(played), 60)))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_it_shows_what_every_spectator_knows(game: Game) -> None:
    for match in some_moments(game):
        overlay, told = overlay_at(match), public_moment(match, listener_at(match.setup, language("en")))
        if overlay.newest is not None:
            assert 0 < len(overlay.newest.cards) <= FANNED
            faces = [(card.face, card.seat) for card in told.new_cards]
            assert all((card.face, card.seat) in faces for card in overlay.newest.cards)
        assert set(overlay.said) <= set(range(4))
        assert [plate.seat for plate in overlay.plates if plate.has_turn] or match.outcome or told.turn is None


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_it_cries_the_greatest_of_what_has_happened(game: Game) -> None:
    for match in some_moments(game):
        cry, greatest = overlay_at(match).cry, [mood for mood in CRIES if mood in moods_of(match)]
        if match.outcome is not None:
            assert cry is not None
            assert cry.mood == Mood.WIN
        else:
            assert (cry and cry.mood) == (greatest[0] if greatest else None)


@pytest.mark.parametrize(("game", "word"), [("coyote", "Coyote!"), ("coup", "Challenge!")])
def test_a_call_is_cried_in_the_games_own_word_if_it_has_one(game: str, word: str) -> None:
    called = next(
        match for match in some_moments(GAMES[game]) if Mood.CALL in moods_of(match) and not match.outcome
    )
    cry = overlay_at(called).cry
    assert cry is not None
    assert (cry.word, cry.mood) == (word, Mood.CALL)
    assert cry.line


def test_the_number_that_stands_is_beside_who_said_it() -> None:
    bids = 0
    for match in some_moments(GAMES["coyote"]):
        headline = board_of(match).headline
        if headline is not None and headline.key == "bid":
            bids += 1
            assert overlay_at(match).said == {headline.values["seat"]: str(headline.values["number"])}
        elif Mood.CALL not in moods_of(match):
            assert not overlay_at(match).said
    assert bids


def test_whose_number_is_doubted_is_called_and_the_number_stays_beside_them() -> None:
    calls = 0
    for match in some_moments(GAMES["coyote"]):
        [*called] = [ruling for ruling in match.rulings if ruling.key in {"called", "called-double"}]
        overlay = overlay_at(match)
        assert overlay.called == {ruling.values["bidder"] for ruling in called}
        if called:
            calls += 1
            assert overlay.said == {called[0].values["bidder"]: str(called[0].values["number"])}
    assert calls


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_who_calls_is_never_called(game: Game) -> None:
    for match in some_moments(game):
        callers = {ruling.values["seat"] for ruling in match.rulings if _is_call(match, ruling)}
        called = overlay_at(match).called
        assert not called & callers
        assert called <= set(range(len(match.setup.names)))
        assert not called or callers


def _is_call(match: Match, ruling: Ruling) -> bool:
    cue = cue_for(match.setup.game, ruling)
    return cue is not None and cue.mood is Mood.CALL
