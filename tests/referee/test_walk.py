"""One test suite for every game: its declaration, and a walk at every table with all properties."""

import re
import shlex
from functools import cache
from random import Random

import pytest

from hardware.twin.player import play_on
from referee.conformance import Recorder, check_declaration, check_view, note_reads
from referee.contract import Game, Reason
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin
from tests.given import refused
from tests.referee import walk
from tests.referee.properties import OF_MOMENTS
from tests.referee.property_tools import Property
from tests.referee.tables import OUTER, every_game, new_match
from tests.referee.walk import Walk, main
from tests.tiers import slow, tiered

MOMENTS = tiered(60, 450)
"""number of moments to check per table; short matches are repeated"""
SOME = [table for number, table in enumerate(OUTER) if number % 4 in {0, 3}]
"""Smallest tables of one setting, largest tables of the next."""


@slow("it looks at all that holds of every moment, once for all games")
@pytest.mark.parametrize(("game", "rules", "seats"), tiered(SOME, OUTER))
def test_all_properties_hold_on_a_random_walk(game: Game, rules: str, seats: int) -> None:
    seen, seed = 0, 0
    while seen < MOMENTS:
        try:
            seen += Walk((game.name, rules, seats), seed).play().number
        except AssertionError as error:
            # a traceback would print whole matches
            raise pytest.fail.Exception(str(error), pytrace=False) from None
        seed += 1


def no_late_moment(match: Match) -> None:
    assert match.number < 9, "it is late"


def test_failed_property_reports_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "OF_MOMENTS", [*OF_MOMENTS, Property(no_late_moment, 2)])
    with pytest.raises(AssertionError) as failed:
        Walk(("coyote", "gigamic, all powers", 3), 12).play()
    told = str(failed.value)
    assert told.startswith("no_late_moment doesn't hold at moment 10")
    [command] = re.findall(r"python -m tests\.referee\.walk (.*)", told)
    with pytest.raises(AssertionError, match="no_late_moment doesn't hold at moment 9"):
        main(shlex.split(command))


def test_walk_command_succeeds(capsys: pytest.CaptureFixture[str]) -> None:
    main(["coup", "rule text", "2", "--seed", "3", "--property", "conforms"])
    assert capsys.readouterr().out.startswith("All holds, in ")


@cache
def stories(name: str) -> tuple[Match, ...]:
    game = GAMES[name]
    sizes = {rules: game.rules.seats(house) for rules, house in game.rules.settings.items()}
    matches = (new_match(game, rules, seats[len(seats) // 2]) for rules, seats in sizes.items())
    return tuple(play_on(match, Random(seed)) for match in matches for seed in range(2))


@every_game
def test_declarations_have_no_faults(game: Game) -> None:
    assert [*check_declaration(game)] == []
    assert all(game.shown.excused.values()), "an excuse needs a reason"


@every_game
def test_every_view_field_is_shown_or_excused(game: Game) -> None:
    recorder = Recorder(game.shown.excused)
    for match in stories(game.name):
        note_reads(recorder, match)
    assert [*check_view(game, recorder)] == []


@every_game
def test_rejects_wrong_number_of_players(game: Game) -> None:
    for house in game.rules.settings.values():
        for wrong in set(range(14)) - set(game.rules.seats(house)):
            refusal = begin(Setup(game, house, tuple(f"P{seat}" for seat in range(wrong))))
            assert refused(refusal).reason is Reason.SEATS
