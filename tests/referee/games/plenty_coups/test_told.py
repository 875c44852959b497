"""What is told beside the rulings: statistics, insight, the neutral clan's name."""

from collections import Counter
from gettext import NullTranslations
from random import Random

import pytest

from hardware.twin.player import play_on
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.counting import ALSO, TOLD
from referee.games.plenty_coups.state import Raid
from referee.match import moments
from referee.summaries import summary_of
from referee.telling import Listener, tell, tell_option
from tests.referee.boundaries import on_both_sides_of
from tests.referee.games.plenty_coups.script import table, with_clan, with_state
from tests.referee.tables import new_match


@pytest.mark.parametrize("players", [2, 4, 6])
def test_what_is_counted_is_what_was_ruled(players: int) -> None:
    match = play_on(new_match(PLENTY_COUPS, "rule text", players), Random(players))
    told = Counter[tuple[object, str]]()
    for moment in moments(match):
        for ruling in moment.rulings:
            if ruling.key in TOLD:
                told[ruling.values["seat"], TOLD[ruling.key]] += 1
            if ruling.key in ALSO:
                who, what = ALSO[ruling.key]
                told[ruling.values[who], what] += 1
    summary = summary_of(match)
    assert summary.rounds == 12
    counted = {(seat, key): count for seat, done in enumerate(summary.feats) for key, count in done.items()}
    assert counted == {place: count for place, count in told.items() if place[0] in range(players)}
    assert all(done["turns"] == 12 for done in summary.feats)


@on_both_sides_of("what-repels")
def test_what_it_takes_to_repel_a_raid_is_told_to_all() -> None:
    script = with_state(table(4), raids=(Raid(1, 0, ("yellow-3",), 4),))
    (said,) = PLENTY_COUPS.insight(script.state)
    assert (said.key, said.values["needed"], said.values["count"]) == ("may-repel", 4, 4)
    (sure,) = PLENTY_COUPS.insight(with_clan(script, 0, known=("weapon-4",)).state)
    assert sure.key == "can-repel"
    (short,) = PLENTY_COUPS.insight(with_clan(script, 1, known=("weapon-4",)).state)
    assert short.values["count"] == 3
    assert PLENTY_COUPS.insight(table(4).state) == ()


def test_the_neutral_clan_is_called_so() -> None:
    script = table(2)
    listener = Listener(PLENTY_COUPS.words, ("Ana", "Bo"), NullTranslations())
    (ask,) = script.match.asks
    texts = [tell_option(listener, option) for option in ask.options if option.word == "raid"]  # type: ignore[union-attr]
    assert texts == ["raid Bo", "raid the neutral clan"]
    script = script.does("raid", 2, "red-2")
    assert (
        tell(listener, script.match.rulings[0])
        == "Ana raids the neutral clan with red rider 2: attack value 2."
    )
