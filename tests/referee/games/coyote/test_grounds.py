"""Coyote's rulings cite the rules behind them."""

from random import Random
from typing import Any

import pytest

from hardware.twin.player import play_on
from referee.contract import Status
from referee.games.coyote import COYOTE
from referee.games.coyote.state import House
from referee.grounds import grounds_of_ruling, rules_of
from referee.match import moments
from tests.referee.games.coyote.script import play_with_powers
from tests.referee.tables import new_match

TWO_AND_TWO = "50 +double coyote [10 2 1 1] 50 +double coyote [10 3 3 1]"
THREE_WRONG = "5 guess:20 [9] [9 10 2 1] guess:20 [8] [8 7 3 3] guess:20 [6] [6 5 4 4]"


def cited(line: str, key: str, edition: str = "kidult", **house: Any) -> list[str]:
    """Return the rules behind a ruling of a line's last answer."""
    script = play_with_powers(edition, line, **house)
    [ruling] = [each for each in script.match.rulings if each.key == key]
    return [each.rule.id for each in grounds_of_ruling(COYOTE, script.match.setup.house, ruling)]


@pytest.mark.parametrize(
    ("key", "edition", "line", "ids"),
    [
        ("round", "kidult", "", ["cards-worn", "first-opener/best-laugh"]),
        ("round", "gigamic", "14 coyote [10 2 1 1]", ["next-opener/loser", "cards-worn"]),
        ("round", "oliphante", "14 coyote [10 2 1 1]", ["next-opener/winner", "cards-worn"]),
        ("round", "oliphante", "5 guess:20 [9] [9 10 2 1]", ["wrong-guess-opens", "cards-worn"]),
        ("round", "oliphante", THREE_WRONG, ["opener-out", "cards-worn"]),
        ("shuffle", "oliphante", "1 5000 coyote [night 2 1 1]", ["night"]),
        ("called", "kidult", "14 coyote", ["call/in-turn"]),
        ("called-double", "kidult", "14 +double coyote", ["call/in-turn", "double"]),
        ("mark", "kidult", "14 +double coyote [10 2 1 1]", ["doubled-marks", "mark"]),
        ("mark", "kidult", "14 coyote [10 2 1 1]", ["mark"]),
        ("mark", "kidult", TWO_AND_TWO, ["no-more-marks", "doubled-marks", "mark"]),
        ("count-draw", "gigamic", "15 coyote [? 8 2 2] [x2]", ["cave", "cave-draws-special"]),
        ("count-draw", "gigamic", "15 coyote [? 8 2 2] [3]", ["cave"]),
        ("reversed", "kidult", "5 reverse", ["reverse/and-say", "direction/round"]),
        ("guess-wrong", "oliphante", "5 guess:20 [9]", ["wrong-guess"]),
        ("mark", "oliphante", "5 guess:20 [9]", ["wrong-guess"]),
        ("guess-right", "oliphante", "5 guess:20 [20]", ["token-guess/out"]),
        ("extra", "gigamic", "5 +extra:2", ["second-card/two-at-most"]),
    ],
)
def test_cited_rules(key: str, edition: str, line: str, ids: list[str]) -> None:
    assert cited(line, key, edition) == ids


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
