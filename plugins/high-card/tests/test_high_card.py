"""High Card: its rules, its French, and the checks for all games."""

from firmware.language.catalogues import language
from firmware.start.games import hand_in_games
from hardware.twin.conformance import check_game
from high_card import GAME
from referee.contract import Answer, Option, Refusal
from referee.match import Match, Setup, begin, hear
from referee.sentences import listener_at, ruling_text

hand_in_games()


def match_after(*said: str) -> Match:
    """Apply answers in a match of two: words are options, numbers are cards."""
    match = begin(Setup(GAME, GAME.rules.house(), ("Ana", "Bo")))
    assert not isinstance(match, Refusal)
    for word in said:
        (ask,) = match.asks
        value = (word,) if word.isdecimal() else Option(word)
        after = hear(match, Answer(match.number, ask.key, value, ask.seats[0]))
        assert not isinstance(after, Refusal), after
        match = after
    return match


def test_highest_card_wins_the_trick_and_leads() -> None:
    match = match_after("double", "7", "12")
    assert match.state.points == (0, 2)
    assert match.asks[0].seats == (1,)


def test_french_sentences() -> None:
    match = match_after("double")
    told = [ruling_text(listener_at(match.setup, language("fr")), ruling) for ruling in match.rulings]
    assert told == ["Ana double\N{NO-BREAK SPACE}: deux points par pli\N{NARROW NO-BREAK SPACE}!"]


def test_passes_the_game_checks() -> None:
    assert list(check_game(GAME)) == []
