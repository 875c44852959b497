"""Whole matches on the twin: rendered frames, the real process of the eyes, pins of gpiozero's mock."""

from pathlib import Path
from random import Random

import pytest

from firmware.storage.journal import open_readonly
from firmware.table.cards import show_ask
from firmware.table.hosting import trust_record
from firmware.table.notices import Notice
from firmware.twin import bot_seats as bots
from firmware.twin.bot_seats import PAUSE, TAKEN_BACK, Bots, thinking_seconds
from hardware.twin.player import any_answer
from referee.contract import Answer, Option, Show
from referee.games.catalogue import GAMES
from referee.games.coyote import COYOTE
from referee.games.coyote.state import House
from referee.match import Match, Setup, Step, TakeBack, begin, hear, standing_answers
from referee.record import record_lines
from tests.firmware.table.tables import Twin
from tests.firmware.twin.twin_tables import begun_match
from tests.given import allowed
from tests.referee.tables import new_match
from tests.tiers import release, slow
from tests.waiting import until


@slow("bots, hands, eyes and the journal together, once")
def test_bots_play_a_match_to_its_end_and_every_card_is_read_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "PAUSE", 0.05)
    monkeypatch.setattr(bots, "LONGEST", 0.05)
    match = allowed(begin(Setup(COYOTE, House(limit=2), ("Ana", "Bo"), begun="2026-12-26")))
    twin = Twin(match, tmp_path)
    truth: list[list[str]] = []
    lay = twin.world.lay_due

    def lay_when_cleared(match: Match, ask: Show, seats: frozenset[int]) -> tuple[str, ...]:
        """Lay once the old cards are seen to be gone; who is faster is asked to lay again."""
        until(lambda: not twin.companion.table.cards)
        laid = lay(match, ask, seats)
        truth.append(sorted(card.face for card in twin.world.sight(match, None).lying))
        return laid

    monkeypatch.setattr(twin.world, "lay_due", lay_when_cleared)
    door = twin.companion.door
    players = Bots(frozenset({0, 1}), door, twin.world, Random(1))
    try:
        until(lambda: door.moment().outcome is not None)
        over = door.moment()
        shows = [
            step.answer for step in standing_answers(over) if show_ask(_at(over, step.heard_at)) is not None
        ]
        # the eyes keep the last picture while the match is over already
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


def test_after_an_answer_was_taken_back_bots_let_people_speak_first() -> None:
    rng = Random(1)
    match = new_match(GAMES["coyote"], "kidult", 3)
    for _answer in range(3):
        match = allowed(hear(match, any_answer(match.asks, match.number, rng)))
    assert thinking_seconds(match, rng) < 2 * PAUSE
    seat = match.position.answer.seat if isinstance(match.position, Step) else None
    back = allowed(hear(match, TakeBack(match.number, seat)))
    assert thinking_seconds(back, rng) == TAKEN_BACK


# coins and horses


def asked(twin: Twin) -> list[Notice]:
    troubles = twin.companion.door.troubles()
    return [wrong for wrong in troubles if isinstance(wrong, Notice) and "piece" in wrong.values]


def seen(twin: Twin, zone: str) -> int | None:
    return next((each.count for each in twin.companion.table.pieces.counts if each.zone == zone), None)


@release("the only one that has real eyes count pieces, for half a minute")
def test_a_coin_too_many_is_asked_about_till_it_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.table.cards.STAYS", 0.0)
    match = begun_match("coup")
    twin = Twin(match, tmp_path)
    door = twin.companion.door
    hands = Bots(frozenset(), door, twin.world, Random(1))
    try:
        until(lambda: twin.companion.table.pieces.counts)
        door.submit(Answer(match.number, "opener", Option("opens", seat=0))).result(60)
        moment = allowed(door.submit(Answer(1, "action", Option("income"), 0)).result(60))
        # the hands take the coin, the eyes see it
        until(lambda: seen(twin, "seat 1") == 3)
        assert twin.world.add_piece(moment, 0)
        until(lambda: asked(twin))
        due = {"piece": "coins", "seen": 4, "due": 3, "seat": 0}
        until(lambda: asked(twin) == [Notice("pieces too many", due)])
        twin.world.put_pieces_right(moment)
        until(lambda: not asked(twin))
        assert twin.world.forget_piece(moment, 1)
        missing = {"piece": "coins", "seen": 1, "due": 2, "seat": 1}
        until(lambda: asked(twin) == [Notice("pieces missing", missing)])
        door.host(trust_record).result(60)
        until(lambda: not asked(twin))
    finally:
        hands.close()
        twin.close()
