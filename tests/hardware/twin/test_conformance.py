"""The check of a game: ours have nothing to mend, and each fault is told with what to write where."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from hardware.twin.conformance import check_game
from referee.contract import Board, Cue, Game, Mood, Move, Ruling, Standing
from referee.games.catalogue import GAMES

EXAMPLE = Path(__file__).parents[3] / "examples" / "high-card"


@pytest.mark.parametrize("name", GAMES)
def test_our_games_lack_nothing(name: str) -> None:
    assert check_game(GAMES[name]) == ()


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """Give the example, which isn't installed."""
    monkeypatch.syspath_prepend(str(EXAMPLE))
    from high_card import GAME  # noqa: PLC0415 - not before its folder is there

    one = replace(GAME, settings={"short": GAME.house()}, seats=lambda _house: range(2, 3))
    yield one
    for module in [module for module in sys.modules if module.split(".")[0] == "high_card"]:
        del sys.modules[module]


def without(words: object, field: str, key: str) -> object:
    """Forget the words of something."""
    kept = {name: phrase for name, phrase in getattr(words, field).items() if name != key}
    return replace(words, **{field: kept})


WORDS = {
    "rulings": ("lays", "the ruling “lays” has no words: write them in `rulings` of the words."),
    "asks": ("card", "the question “card” has no words: write them in `asks` of the words."),
    "options": ("double", "the option “double” has no words: write them in `options` of the words."),
    "situations": ("leads", "the situation “leads” has no words: write them in `situations` of the words."),
    "facts": ("worth", "the fact “worth” has no words: write them in `facts` of the words."),
    "cards": ("trick", "the row “trick” has no words: write them in `cards` of the words."),
    "counts": ("points", "the count “points” has no words: write them in `counts` of the words."),
    "house": ("length", "the house rule “length” has no words: add it to `house` of the words."),
}


@pytest.mark.parametrize("field", WORDS)
def test_missing_words_are_named(game: Game, field: str) -> None:
    key, sentence = WORDS[field]
    assert sentence in check_game(replace(game, words=without(game.words, field, key)))


def test_hands_that_do_nothing_are_told_what_to_do(game: Game) -> None:
    found = check_game(replace(game, moves=lambda _state, _ruling: ()))
    assert any("`moves` says how cards come there" in sentence for sentence in found)


@pytest.mark.parametrize(
    ("forgotten", "sentence"),
    [("lays", "`moves` leaves it where it was"), ("takes", "clear them away in `moves`")],
)
def test_a_move_that_is_forgotten_is_missed(game: Game, forgotten: str, sentence: str) -> None:
    def moves(state: object, ruling: Ruling) -> tuple[Move, ...]:
        return () if ruling.key == forgotten else game.moves(state, ruling)

    assert any(sentence in found for found in check_game(replace(game, moves=moves)))


def test_cards_that_arent_there_cant_be_moved(game: Game) -> None:
    def moves(state: object, ruling: Ruling) -> tuple[Move, ...]:
        return tuple(replace(move, count=move.count and 40) for move in game.moves(state, ruling))

    assert any("takes cards that aren't there" in found for found in check_game(replace(game, moves=moves)))


def test_gestures_options_and_cues_are_distinct(game: Game) -> None:
    pressed = replace(game, gestures={"single": "short", "double": "short"})
    assert "a short press says single, double at once: give each another gesture in `gestures`, or none." in (
        check_game(pressed)
    )
    same = {**game.words.options, "double": game.words.options["single"]}
    alike = check_game(replace(game, words=replace(game.words, options=same)))
    assert any("both read “one point a trick”" in found for found in alike)
    moods = check_game(replace(game, cues={"takes": Cue(Mood.TRICK, "winner"), "trick": Cue(Mood.TRICK)}))
    assert any("its value “winner”" in found for found in moods)
    assert any("`cues` names “trick”" in found for found in moods)


def test_code_that_fails_is_told_in_a_line(game: Game) -> None:
    def standings(_state: object) -> tuple[Standing, ...]:
        raise RuntimeError("two\nlines")

    found = check_game(replace(game, standings=standings))
    assert "a match of 2 by “short” failed: RuntimeError: two lines." in found


def test_a_field_that_is_shown_nowhere_is_named(game: Game) -> None:
    found = check_game(replace(game, board=lambda _view: Board(), excused={"turns": "no such field"}))
    assert any("“View.target” is shown nowhere" in sentence for sentence in found)
    assert any("`excused` names “turns”" in sentence for sentence in found)
