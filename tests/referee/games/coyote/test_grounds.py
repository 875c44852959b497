"""Coyote's rulings cite the rules behind them."""

from random import Random

import pytest

from hardware.twin.player import play_on
from referee.contract import Status
from referee.games.coyote import COYOTE
from referee.games.coyote.state import House
from referee.grounds import rules_of
from referee.match import moments
from tests.referee.tables import new_match


@pytest.mark.parametrize("stays", [False, True])
def test_wrong_guess_rule_is_printed_under_all_house_rules(stays: bool) -> None:
    house = House(edition="oliphante", powers=("all",), o_guess_stays=stays)
    rules = {rule.id: rule.status("oliphante") for rule in rules_of(COYOTE, house)}
    assert rules["wrong-guess"] is Status.PRINTED
    right = "token-guess/may-leave" if stays else "token-guess/out"
    assert rules[right] is (Status.PRINTED if stays else Status.OTHERWISE)


def test_shuffle_for_lack_of_cards_cites_its_rule() -> None:
    """Six players of Kidult have cards for six rounds; no night was seen."""
    match = play_on(new_match(COYOTE, "kidult", 6), Random(3))
    for moment in moments(match):
        for ruling in moment.rulings:
            if ruling.rule == "pile-too-short" and moment.before is not None:
                seen = len(moment.before.state.discard) + len(moment.before.state.alive)
                assert COYOTE.table.deck(House()).size - seen < len(moment.state.alive), moment.number


@pytest.mark.parametrize("edition", ["kidult", "gigamic"])
def test_book_omits_missing_tokens(edition: str) -> None:
    house = House(edition=edition, powers=("all",))
    assert not [rule.id for rule in rules_of(COYOTE, house) if "skip" in rule.text.lower()]
