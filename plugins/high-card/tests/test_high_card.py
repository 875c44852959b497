"""High Card: its rules, its golden playthrough, and all that every game has to hold."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.cli.replay import replay
from firmware.language.catalogues import language
from firmware.start.games import hand_in_games
from hardware.twin.conformance import check_game
from high_card import GAME
from referee.contract import Answer, Option, Refusal
from referee.match import Match, Setup, begin, hear
from referee.telling import listener_at, tell

FOLDER = Path(__file__).parent


@pytest.fixture(autouse=True)
def games() -> None:
    """Find the games that are installed."""
    hand_in_games()


def match_after(*said: str) -> Match:
    """Play a match of two: words are chosen, numbers are laid."""
    match = begin(Setup(GAME, GAME.rules.house(), ("Ana", "Bo")))
    assert not isinstance(match, Refusal)
    for word in said:
        (ask,) = match.asks
        value = (word,) if word.isdecimal() else Option(word)
        after = hear(match, Answer(match.number, ask.key, value, ask.seats[0]))
        assert not isinstance(after, Refusal), after
        match = after
    return match


def test_the_highest_card_takes_the_trick_and_leads() -> None:
    match = match_after("double", "7", "12")
    assert [ruling.key for ruling in match.rulings] == ["lays", "takes"]
    assert match.state.points == (0, 2)
    assert match.asks[0].seats == (1,)


def test_a_card_that_was_laid_is_not_laid_again() -> None:
    match = match_after("single", "7", "12")
    refused = hear(match, Answer(match.number, "card", ("7",), 1))
    assert isinstance(refused, Refusal)


def test_whoever_has_enough_points_wins() -> None:
    match = match_after("double", "30", "1", "29", "2", "28", "3")
    assert match.outcome is not None
    assert match.outcome.winners == (0,)
    assert match.asks == ()


def test_the_golden_playthrough_is_told_as_it_was() -> None:
    told = CliRunner().invoke(replay, [str(FOLDER / "playthrough.jsonl")])
    assert told.output == (FOLDER / "playthrough.txt").read_text(encoding="utf-8")


def test_it_speaks_french() -> None:
    match = match_after("double")
    told = [tell(listener_at(match.setup, language("fr")), ruling) for ruling in match.rulings]
    assert told == ["Ana double\N{NO-BREAK SPACE}: deux points par pli\N{NARROW NO-BREAK SPACE}!"]


def test_it_is_what_a_game_has_to_be() -> None:
    assert list(check_game(GAME)) == []
