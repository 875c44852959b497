"""A clan without a player has no name of its own: every voice names it all the same."""

from random import Random
from typing import Any

import pytest

from firmware.board.senses.menus import menu
from firmware.board.voices.dialled import dial_sentence as said_in_full
from firmware.board.voices.dialled import pointed_seat, signs
from firmware.board.voices.lights import lights, with_seat_pointed
from firmware.board_events import DialMoved, DialState, Path
from firmware.cli.parsing import parse_entry
from firmware.cli.terminal import listener_of, standings, tell_asks, tell_moment
from firmware.core.notices import Notice
from firmware.core.notices import sentence_for as noticed
from firmware.core.turns import TurnProgress, with_asks
from hardware.twin.dealer import deal_match, step
from referee.contract import Answer, Ask, Choice, Refusal
from referee.games.plenty_coups import PLENTY_COUPS
from referee.match import Match
from referee.telling import tell_option
from tests.referee.tables import new_match
from webui.drawing.controls import controls_of
from webui.drawing.score_board import score_of

NAMED, NEUTRAL, FEW = "neutral clan", 2, 8


@pytest.mark.parametrize("rules", list(PLENTY_COUPS.settings))
@pytest.mark.parametrize("seed", range(2))
def test_every_voice_tells_every_moment_of_two_players(rules: str, seed: int) -> None:
    rng = Random(seed)
    table = deal_match(new_match(PLENTY_COUPS, rules, 2), rng)
    moments = [table.match]
    while table.match.asks:
        later = step(table, rng)
        assert not isinstance(later, Refusal)
        table = later
        moments.append(table.match)
    about = [match for match in moments if any(_is_about_it(ask) for ask in match.asks)]
    assert len(about) > FEW
    for match in (*rng.sample(about, FEW), *rng.sample(moments, FEW), moments[-1]):
        tell_all(with_asks(match, TurnProgress()))


def _is_about_it(ask: Ask) -> bool:
    return isinstance(ask, Choice) and any(option.seat == NEUTRAL for option in ask.options)


def tell_all(match: Match) -> None:
    """Tell a moment in all ways, and find each option by what is offered for it."""
    listener = listener_of(match)
    texts = [*tell_moment(listener, match), *tell_asks(listener, match), *standings(listener, match)]
    for seat in (None, 0, 1):
        score = score_of(match, seat, listener)
        # the clan without a player stands below the players
        assert [player.place for player in score.players][-1] == 0
        assert NAMED in score.players[-1].name
    texts += [control.question.text for seat in (0, 1) for control in controls_of(match, seat, listener, ())]
    assert all(texts)
    for ask in match.asks:
        for option in ask.options if isinstance(ask, Choice) else ():
            aim = 2 if option.seat is None else option.seat
            assert noticed(Notice("swept", {"cards": "horse", "seat": aim}), listener)
            text = f"take {option.face}" if option.face else tell_option(listener, option)
            typed = parse_entry(listener, match, text)
            assert isinstance(typed, Answer)
            assert typed.value == option
    dial_all(match, ())


def dial_all(match: Match, path: Path, depth: int = 0) -> None:
    """Turn through all that the dial has, with what it shows and says of it."""
    listener, found = listener_of(match), menu(match, path)
    for pick in found.picks:
        dialled = DialMoved(DialState(path, pick), found)
        assert len(signs(match, listener, found, pick)) <= 5
        assert said_in_full(match, listener, dialled)
        seats: Any = with_seat_pointed(lights(match), pointed_seat(dialled)).seats
        assert len(seats) == 2
        if depth < 1 and pick.step == "word" and len(pick.options) > 1:
            dial_all(match, (*path, pick), depth + 1)
