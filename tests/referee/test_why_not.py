"""A refusal of an option says which condition failed, and never that an offered one can't be chosen."""

from collections.abc import Iterator
from random import Random

import pytest

from firmware.language.catalogues import language
from referee.contract import Answer, Choice, Game, Option, Reason, Refusal
from referee.games.catalogue import GAMES
from referee.match import Match, hear
from referee.telling import Listener, tell_refusal
from tests.referee.tables import after_any, every_table, new_match

MOMENTS, OPTIONS = 150, 12


def other_options(match: Match, ask: Choice, rng: Random) -> Iterator[Option]:
    """Make options of the game's words that aren't offered."""
    game = match.setup.game
    seats = (None, *range(len(match.setup.names)))
    faces = (None, *game.deck(match.setup.house).counts)
    for word in rng.sample(list(game.words.options), min(OPTIONS, len(game.words.options))):
        cell = rng.choice((None, *(option.cell for option in ask.options)))
        option = Option(
            word, rng.choice(seats), rng.choice(faces), cell and (cell[0] + rng.randrange(3), cell[1])
        )
        if option not in ask.options:
            yield option


@every_table
def test_every_refusal_of_an_option_can_be_told(game: Game, rules: str, seats: int) -> None:
    rng = Random(f"{rules} {seats}")
    match = new_match(game, rules, seats)
    for _moment in range(MOMENTS):
        for ask in match.asks:
            if isinstance(ask, Choice):
                for option in other_options(match, ask, rng):
                    seat = rng.choice(ask.seats) if ask.seats else None
                    refused = hear(match, Answer(match.number, ask.key, option, seat))
                    assert isinstance(refused, Refusal)
                    assert_told(match, refused, option, ask)
        if not match.asks:
            break
        match = after_any(match, rng)


def assert_told(match: Match, refused: Refusal, option: Option, ask: Choice) -> None:
    """Tell a refusal in both languages; a word that is offered isn't called impossible."""
    for spoken in ("en", "fr"):
        listener = Listener(match.setup.game.words, match.setup.names, language(spoken))
        told = tell_refusal(listener, refused)
        assert told
        assert "{" not in told
    if refused.reason is Reason.NO_SUCH_OPTION and "why" not in refused.values:
        assert option.word not in {other.word for other in ask.options}


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_words_to_type_are_single_and_distinct(game: Game) -> None:
    words = game.words
    assert set(words.typed) <= set(words.options)
    for spoken in ("en", "fr"):
        gettext = language(spoken).gettext
        typed = {key: gettext(words.typed[key].one) if key in words.typed else key for key in words.options}
        typed = {key: word for key, word in typed.items() if not key.endswith("-own")}
        assert len(set(typed.values())) == len(typed)
        assert not any(" " in word for word in typed.values())
        others = {key: word for key, word in typed.items() if word in typed and word != key}
        assert not others, "a word to type is the inner word of another option"
