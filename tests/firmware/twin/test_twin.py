"""Whole matches on the twin: rendered frames, the real eyes' process, gpiozero's mock pins."""

from pathlib import Path
from random import Random

import pytest

from firmware.storage.journal import open_readonly
from firmware.table.cards import show_ask
from firmware.twin import bot_seats as bots
from firmware.twin.bot_seats import TAKE_BACK_DELAY, THINKING_TIME, Bots, thinking_seconds
from hardware.twin.player import any_answer
from referee.contract import Show
from referee.games.catalogue import GAMES
from referee.games.coyote import COYOTE
from referee.games.coyote.state import House
from referee.match import Match, Setup, Step, TakeBack, begin, hear, standing_answers
from referee.record import record_lines
from tests.firmware.table.tables import Twin
from tests.given import allowed
from tests.referee.tables import new_match
from tests.tiers import slow
from tests.waiting import until


@slow("bots, hands, eyes and the journal together, once")
def test_bots_finish_a_match_and_every_card_is_read_correctly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "THINKING_TIME", 0.05)
    monkeypatch.setattr(bots, "MAX_LOOK", 0.05)
    match = allowed(begin(Setup(COYOTE, House(limit=2), ("Ana", "Bo"), begun="2026-12-26")))
    twin = Twin(match, tmp_path)
    truth: list[list[str]] = []
    lay = twin.world.lay_due

    def lay_when_cleared(match: Match, ask: Show, seats: frozenset[int]) -> tuple[str, ...]:
        """Lay once the old cards are seen to be gone; a faster player is asked to lay again."""
        until(lambda: not twin.companion.table.cards)
        laid = lay(match, ask, seats)
        truth.append(sorted(card.face for card in twin.world.sight(match, None).lying))
        return laid

    monkeypatch.setattr(twin.world, "lay_due", lay_when_cleared)
    client = twin.companion.client
    players = Bots(frozenset({0, 1}), client, twin.world, Random(1))
    try:
        until(lambda: client.moment().outcome is not None)
        over = client.moment()
        shows = [
            step.answer for step in standing_answers(over) if show_ask(_at(over, step.heard_at)) is not None
        ]
        # the eyes still have the last picture when the match is over
        until(lambda: len(list((tmp_path / "evidence").glob("1.*.jpg"))) == len(shows))
    finally:
        players.close()
        twin.close()
    assert len(shows) >= 2
    assert {answer.sense for answer in shows} == {"camera"}
    assert [sorted(answer.value) for answer in shows if isinstance(answer.value, tuple)] == truth
    with open_readonly(tmp_path / "journal.sqlite3") as journal:
        assert journal.lines(1) == record_lines(over)
    assert twin.companion.longest > 0


def _at(match: Match, number: int) -> Match:
    while match.number > number and match.before is not None:
        match = match.before
    return match


def test_after_take_back_bots_let_people_answer_first() -> None:
    rng = Random(1)
    match = new_match(GAMES["coyote"], "kidult", 3)
    for _answer in range(3):
        match = allowed(hear(match, any_answer(match.asks, match.number, rng)))
    assert thinking_seconds(match, rng) < 2 * THINKING_TIME
    seat = match.position.answer.seat if isinstance(match.position, Step) else None
    back = allowed(hear(match, TakeBack(match.number, seat)))
    assert thinking_seconds(back, rng) == TAKE_BACK_DELAY
