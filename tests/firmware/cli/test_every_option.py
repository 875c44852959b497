"""Every option can be chosen on every surface and returns as exactly that option."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from firmware.cli.parsing import face_names, offered_text, parse_answer, typed_face, vocabulary_of
from firmware.cli.terminal import standings, tell_asks
from firmware.language.catalogues import language
from referee.cells import with_cell_counted
from referee.contract import Ask, Choice, Game, Option, Show
from referee.games.catalogue import GAMES
from referee.games.plenty_coups import PLENTY_COUPS
from referee.match import Match, Setup, begin
from referee.moment_view import news_texts, view_of
from referee.sentences import Listener, listener_at, option_text
from tests.given import allowed
from tests.referee.tables import NAMES, OUTER, random_moments
from tests.tiers import tiered
from webui.views.controls import asks_of, control_of, value_of
from webui.views.grids import grids_of

MOMENTS, CHECKED_PER_KIND = tiered(150, 300), tiered(1, 2)
"""Moments per match, and how many of each kind are checked."""
AMBIGUOUS_NAMES = (
    "Ana Maria",
    "Ana",
    "Bo 3",
    "Éva",
    "Coup",
    "20",
    "Pass",
    "Block",
    "Duke",
    "Hal 1 2",
    "Jo",
    "Lou",
)
"""Names with spaces, names within names, and names that are also words."""
LANGUAGES = ("en", "fr")
TWO_PLAYER_TABLES = [
    table for table in OUTER if table.values[0].name == PLENTY_COUPS.name and table.values[2] == 2
][-1:]
"""With two players one clan has no player, and so no name of its own."""
FEW = [*{table.values[0].name: table for table in OUTER}.values(), *TWO_PLAYER_TABLES]
every_table = pytest.mark.parametrize(("game", "rules", "seats"), tiered(FEW, OUTER))


def moments_of(game: Game, rules: str, seats: int, names: tuple[str, ...] = NAMES) -> Iterator[Match]:
    """Play a match. Returns some moments with each kind of question."""
    rng, seen = Random(f"{game.name} {rules} {seats}"), dict[object, int]()
    begun = allowed(begin(Setup(game, game.rules.settings[rules], names[:seats])))
    for match in random_moments(begun, rng, MOMENTS):
        kind = frozenset((ask.key, option.word) for ask in match.asks for option in options_of(ask))
        seen[kind] = seen.get(kind, 0) + 1
        if match.asks and seen[kind] <= CHECKED_PER_KIND:
            yield match


def options_of(ask: Ask) -> tuple[Option, ...]:
    return ask.options if isinstance(ask, Choice) else ()


@every_table
@pytest.mark.parametrize("spoken", LANGUAGES)
def test_terminal_options_can_be_typed(game: Game, rules: str, seats: int, spoken: str) -> None:
    for match in moments_of(game, rules, seats, AMBIGUOUS_NAMES):
        listener = listener_at(match.setup, language(spoken))
        words = vocabulary_of(listener, match)
        news = news_texts(match, listener.language)
        assert all([*news, *tell_asks(listener, match), *standings(listener, match)])
        for ask in words.choices:
            for option in ask.options:
                for seat in ask.seats or (None,):
                    text = offered_text(words, ask, option, seat)
                    answer = parse_answer(match.number, words, text)
                    assert (answer.ask, answer.value, answer.seat) == (ask.key, option, seat), text
        for ask in match.asks:
            grids, seat = grids_of(match, None), ask.seats[0] if ask.seats else None
            told = [option_text(listener, with_cell_counted(grids, option, seat)) for option in options_of(ask)]
            assert len(set(told)) == len(told), told
            if isinstance(ask, Show):
                for face in list(ask.among)[:: 1 + len(ask.among) // 16]:
                    text = " ".join([typed_face(listener, face)] * ask.count)
                    answer = parse_answer(match.number, words, text)
                    assert (answer.ask, answer.value) == (ask.key, (face,) * ask.count), text


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_no_typed_word_matches_two_cards(game: Game, spoken: str) -> None:
    listener, deck = Listener(game.words, NAMES, language(spoken)), game.table.deck(game.rules.house())
    typed = Counter(name for face in deck.counts for name in face_names(listener, deck, face))
    assert [name for name, count in typed.items() if count > 1] == []


@every_table
def test_seat_page_has_every_option(game: Game, rules: str, seats: int) -> None:
    for match in moments_of(game, rules, seats):
        spoken = language(LANGUAGES[match.number % 2])
        for seat in range(seats):
            told = view_of(match, spoken, seat)
            for ask, answers in zip(asks_of(match.asks, seat), told.answers, strict=True):
                control = control_of(answers, told.grids, seat, told.rows)
                lines = (line for sheet in control.sheets for line in sheet.lines)
                marks = [mark for line in lines for square in line.squares for mark in square.marks]
                sent = [*(button.value for button in control.buttons), *(mark.value for mark in marks)]
                if isinstance(ask, Choice):
                    back = [value_of(ask, {control.field: value}) for value in sent]
                    assert sorted(map(repr, back)) == sorted(map(repr, ask.options))
                    # separate cells may describe their neighbours alike
                    plain = [button.text for button in control.buttons]
                    shown = [(button.group, button.shown) for button in control.buttons]
                    assert len(set(shown)) == len(shown), shown
                    assert len(set(plain)) == len(plain), plain
                    heads = [row.head for row in control.rows if not row.buttons]
                    assert all(head.value or head.why for head in heads), heads
