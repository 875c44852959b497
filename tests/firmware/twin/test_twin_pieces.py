"""Coins and horses on the twin, seen by the real eyes: where record and table differ, people are asked."""

from pathlib import Path
from random import Random

import pytest

from firmware.core import checking_pieces
from firmware.core.notices import Notice
from firmware.twin.bot_seats import Bots
from referee.contract import Answer, Option
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin
from tests.firmware.core.tables import Twin, until


def set_table(game: str, folder: Path) -> tuple[Match, Twin]:
    plays = GAMES[game]
    match = begin(Setup(plays, plays.house(), ("Ana", "Bo", "Cy"), begun="2026-12-24"))
    assert isinstance(match, Match)
    return match, Twin(match, folder)


def asked(twin: Twin) -> list[Notice]:
    """List what is asked about pieces now."""
    troubles = twin.companion.door.troubles()
    return [wrong for wrong in troubles if isinstance(wrong, Notice) and "piece" in wrong.values]


def seen(twin: Twin, zone: str) -> int | None:
    """Tell how many pieces were seen in a zone."""
    return next((each.count for each in twin.companion.table.pieces.counts if each.zone == zone), None)


def first_count(twin: Twin) -> None:
    until(lambda: twin.companion.table.pieces.counts)


@pytest.mark.parametrize(("game", "least"), [("coup", 6), ("plenty-coups", 3)])
def test_all_pieces_of_a_beginning_are_seen_where_they_belong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, least: int
) -> None:
    monkeypatch.setattr(checking_pieces, "STAYS", 0.0)
    _match, twin = set_table(game, tmp_path)
    try:
        first_count(twin)
        counts = twin.companion.table.pieces.counts
        assert all(each.is_sure for each in counts)
        assert sum(each.count for each in counts) == least
        assert asked(twin) == []
    finally:
        twin.close()


def test_a_coin_too_many_is_asked_about_till_it_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking_pieces, "STAYS", 0.0)
    match, twin = set_table("coup", tmp_path)
    door = twin.companion.door
    hands = Bots(frozenset(), door, twin.world, Random(1))
    try:
        first_count(twin)
        door.submit(Answer(match.number, "opener", Option("opens", seat=0))).result(60)
        moment = door.submit(Answer(1, "action", Option("income"), 0)).result(60)
        assert isinstance(moment, Match)
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
        door.record_is_right().result(60)
        until(lambda: not asked(twin))
    finally:
        hands.close()
        twin.close()
