"""What the rules let expect in the middle is what really lies there, as far as it was laid before all eyes."""

from collections import Counter
from random import Random

import pytest

from firmware.core.expected_cards import expected_cards
from hardware.twin.dealer import DealtMatch, deal_match, follow_rulings
from hardware.twin.playouts import answer_by_bots
from referee.contract import CENTRE
from referee.games.catalogue import GAMES
from referee.match import Match, hear
from tests.referee.tables import new_match

ANSWERS = 60


@pytest.mark.parametrize("name", list(GAMES))
def test_no_card_is_expected_in_the_middle_that_does_not_lie_there(name: str) -> None:
    """In tricks all of them were laid there one by one, and so all are expected."""
    game, rng = GAMES[name], Random(name)
    table = deal_match(new_match(game, next(iter(game.settings)), 4), rng)
    for _answer in range(ANSWERS):
        if not table.match.asks:
            return
        truth, answer = answer_by_bots(table, rng)
        after = hear(table.match, answer)
        assert isinstance(after, Match)
        table = DealtMatch(after, follow_rulings(truth, after, rng))
        expected, lying = expected_cards(after, CENTRE), Counter(table.truth.get(CENTRE, ()))
        assert expected == lying if name == "coup-d-etat" else expected <= lying
