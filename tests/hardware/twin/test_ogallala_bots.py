"""Choices of the strong bot of Ogallala, each for a reason from the rules."""

from random import Random

import pytest

from firmware.twin.simulated_table import strengths_offered
from hardware.twin.bots import bot_action
from hardware.twin.strengths import STRENGTHS
from referee.contract import Option
from referee.games.catalogue import GAMES
from tests.given import present
from tests.referee.games.ogallala.script import at, begin_midway


def strong_value(*territories: str, draws: str, discard: str = "") -> Option:
    script = begin_midway(*territories, discard=discard)
    script = script.draws(draws) if draws else script
    done = present(bot_action(script.match, 0, {}, Random(1), "strong"))
    value = present(done.answer).value
    assert isinstance(value, Option)
    return value


def test_strong_bot_joins_halves_in_order() -> None:
    assert strong_value("B gold-left 1r", "2r", draws="gold-right").cell == at(2)
    assert strong_value("B gold-left 1r", "2r", draws="gold-right").word == "push-right"
    assert strong_value("B gold-right 1r", "2r", draws="gold-left").cell == at(1)


def test_strong_bot_adds_to_its_best_canoe_instead_of_beginning_others() -> None:
    assert strong_value("B 1r 2r keg", "2r", draws="fur").cell == at(4)


def test_strong_bot_completes_a_third_canoe_that_wins() -> None:
    won = strong_value("B 1r S - B 2r fur S\nB 3r", "1r", draws="S")
    assert won.cell == at(2, 1)


def test_strong_bot_takes_an_open_card_only_if_it_is_useful() -> None:
    canoe = "B 1r keg gold-left"
    assert strong_value(canoe, "2r", draws="", discard="gold-right") == Option("take", face="gold-right")
    # a second bow would begin another canoe, and the turn would end
    idle = begin_midway(canoe, "2r", discard="B").match
    assert bot_action(idle, 0, {}, Random(1), "strong") is None


def test_strong_bot_attacks_the_canoe_whose_loss_hurts_most() -> None:
    script = begin_midway("B 5r hr", "B keg fur S", "keg fur").draws("S").puts(3)
    done = present(bot_action(script.match, 0, {}, Random(1), "strong"))
    assert present(done.answer).value == Option("attack", 1, "empty-bow", at(0))


@pytest.mark.parametrize("name", ["coup", "coup-d-etat", "coyote", "ogallala", "plenty-coups"])
def test_every_game_offers_bots_of_each_strength(name: str) -> None:
    assert strengths_offered(GAMES[name]) == STRENGTHS
