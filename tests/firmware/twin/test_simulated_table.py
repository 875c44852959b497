"""Moving cards on the twin's page: laid cards are visible to the eyes, and others can't be moved."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]
from msgspec.structs import replace

from firmware.table.cards import TableCard
from firmware.table.hosting import compare_audit, finish_audit, start_audit
from firmware.table.notices import Notice
from firmware.twin import bot_seats as bots
from firmware.twin.bot_seats import PHONE_DELAY
from firmware.twin.simulated_board import BoardMonitor, WatchedPin
from firmware.twin.simulated_table import RequestedPose, SimulatedTable, bot_seats
from firmware.twin.world import World
from hardware.twin.dealer import DealtMatch, answer_of
from referee.contract import Answer, Option, Span, Zone
from referee.contract.words import phrase
from referee.games.coup import COUP
from referee.games.coyote import COYOTE
from referee.games.coyote.state import House
from referee.games.ogallala import OGALLALA
from referee.games.ogallala.rules import STOP
from referee.match import EndMatch, Match, hear
from tests.firmware.table import tables
from tests.firmware.table.sat import card as placed
from tests.firmware.twin.twin_tables import (
    NoBots,
    QuickClient,
    SteppedBots,
    begun_match,
    quick_table,
    simulated,
    world_of,
)
from tests.given import allowed
from tests.referee.games.ogallala.script import begin_midway
from tests.tiers import release
from tests.waiting import until
from tests.webui.room import match_of

OPENING = (Answer(0, "opener", Option("opens", seat=0)), Answer(1, "announce", 50, 0))
DOUBT = Answer(2, "turn", Option("coyote"), 1)


def duel() -> Match:
    return match_of(COYOTE, 2, House())


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "THINKING_TIME", 0.1)
    monkeypatch.setattr(bots, "MAX_LOOK", 0.1)


@release("the real eyes compare a row with the record")
def test_row_is_pushed_under_camera_and_compared_with_record(tmp_path: Path) -> None:
    match = begin_midway("B keg", "fur").match
    table = tables.Twin(match, tmp_path)
    client, shining = table.companion.client, BoardMonitor(tables.SIX, MockFactory(pin_class=WatchedPin))
    twin = SimulatedTable(client, table.world, table.fingers, NoBots(), shining)  # type: ignore[arg-type]
    (grid,) = [grid for grid in OGALLALA.table.grids(OGALLALA.shown.view(match.state, 0)) if grid.seat == 0]

    def ruling_keys() -> list[str]:
        return [ruling.key for ruling in client.host(compare_audit).result(30).rulings]

    try:
        assert not twin.bring(), "nothing is compared"
        client.host(partial(start_audit, Span(0, grid.first, len(grid.rows[0])))).result(30)
        assert twin.table(0).is_compared
        assert twin.bring()
        assert twin.table(0).is_brought
        until(lambda: ruling_keys() == ["agrees"])
        assert twin.take(0, twin.table(0).laid[0].number)
        until(lambda: ruling_keys() == ["missing"])
        assert twin.world.put_back()
        assert twin.table(0).laid == ()
        assert not twin.world.put_back()
        client.host(finish_audit).result(30)
        assert not twin.table(0).is_compared
        assert client.moment() is match
    finally:
        table.close()


@pytest.fixture
def still(tmp_path: Path) -> Iterator[tuple[SimulatedTable, NoBots]]:
    """Yield a table without eyes; a bot that never moves has the second seat."""
    match, nobody = match_of(COUP), NoBots(1)
    with world_of(match, tmp_path) as world:
        yield simulated(QuickClient(match), world, nobody), nobody


Still = tuple[SimulatedTable, NoBots]


def test_card_is_laid_moved_turned_and_taken_back(still: Still) -> None:
    twin, _bots = still
    place = twin.table(0).chairs[0].cards[0].place
    hand = [card.face for card in twin.table(0).chairs[0].cards]
    assert not twin.lay(0, "hand", place, None), "it isn't asked for"
    assert twin.lay(0, "hand", place, RequestedPose(-10.0, 20.0))
    (laid,) = twin.table(0).laid
    assert laid.face is None, "it wasn't asked for"
    assert [card.face for card in twin.table(0).chairs[0].cards] == hand[1:]
    assert twin.move(0, laid.number, RequestedPose(30.0, 40.0, 90.0, is_up=True))
    (seen,) = twin.table(2).laid
    assert (seen.face, seen.x, seen.y, seen.angle, seen.may) == (hand[0], 30.0, 40.0, 90.0, False)
    assert not twin.take(2, laid.number)
    assert not twin.move(2, laid.number, RequestedPose(0.0, 0.0))
    assert not twin.lift(2, laid.number)
    assert twin.take(0, laid.number)
    assert twin.table(0).laid == ()
    assert [card.face for card in twin.table(0).chairs[0].cards] == hand


def test_no_seat_lays_cards_of_others_or_of_the_pile(still: Still) -> None:
    twin, _bots = still
    for where, place in (("hand", 2), ("hand", -1), ("worn", 0), ("pile", 8), ("nowhere", 0), ("centre", 0)):
        assert not twin.lay(0, where, place, RequestedPose(0.0, 0.0))
    assert twin.table(0).laid == ()


def test_no_seat_turns_up_its_own_forehead_card_early(tmp_path: Path) -> None:
    with quick_table(duel(), tmp_path) as (client, _world, _bots, twin):
        client.hear(*OPENING)
        assert not twin.lay(0, "worn", 0, RequestedPose(300.0, 200.0, is_up=True))
        assert twin.table(None).laid == ()
        assert twin.lay(0, "worn", 0, RequestedPose(300.0, 200.0))
        (card,) = twin.table(0).laid
        assert (card.face, card.may, card.may_flip) == (None, True, False)
        assert not twin.move(0, card.number, RequestedPose(300.0, 200.0, is_up=True))
        assert twin.table(0).laid == (card,)
        client.hear(DOUBT)
        assert twin.table(0).laid[0].may_flip
        assert twin.move(0, card.number, RequestedPose(0.0, 0.0, is_up=True))
        assert twin.table(0).laid[0].face is not None


def test_only_one_card_of_the_pile_is_turned_up_for_a_draw(tmp_path: Path) -> None:
    match = allowed(hear(begun_match("ogallala"), Answer(0, "opener", Option("opens", seat=1))))
    with quick_table(match, tmp_path) as (_client, world, _bots, twin):
        top = world.truth(match)[Zone("pile")][-1]
        assert not twin.lay(0, "pile", 0, RequestedPose(0.0, 0.0))
        for _time in range(2):
            assert twin.lay(1, "pile", 0, RequestedPose(300.0, 200.0, is_up=True))
            assert not twin.lay(1, "pile", 0, RequestedPose(0.0, 0.0, is_up=True))
            (card,) = twin.table(1).laid
            assert card.face == top
            assert twin.take(1, card.number)


def test_player_who_has_seen_the_drawn_card_can_not_stop_instead(tmp_path: Path) -> None:
    match = begun_match("ogallala")
    with quick_table(match, tmp_path) as (client, world, _bots, twin):
        while not any(STOP in getattr(ask, "options", ()) for ask in match.asks):
            answer = answer_of(DealtMatch(match, world.truth(match)), Random(match.number))
            match = allowed(hear(match, answer))
        client.tell(match)
        (seat,) = match.asks[0].seats
        stop = Answer(match.number, match.asks[0].key, STOP, seat)
        assert twin.prepare(match, stop, ()) is None
        assert twin.lay(seat, "pile", 0, RequestedPose(300.0, 200.0))
        for _time in range(2):
            assert twin.prepare(match, stop, ()) == phrase("The cards don't allow that.")
            assert not twin.press(seat, "call", "short")
            twin.withdraw(seat)


def test_card_of_a_bot_stays_where_it_was_laid_until_the_match_is_over(tmp_path: Path) -> None:
    with quick_table(duel(), tmp_path, 1) as (client, world, _bots, twin):
        doubt(client, world)
        (card,) = twin.table(0).laid
        assert not card.may
        assert not twin.take(0, card.number)
        assert not twin.move(0, card.number, RequestedPose(0.0, 0.0))
        assert twin.table(0).laid == (card,)
        client.tell(allowed(hear(client.moment(), EndMatch(client.moment().number))))
        assert twin.take(0, card.number)


def test_mischief_comes_and_goes(still: Still) -> None:
    twin, nobody = still
    for what in ("unplugged", "hand", "dirty", "extra"):
        assert twin.mischief(what)
    assert set(twin.table(None).wrong) == {"unplugged", "hand", "dirty", "extra"}
    assert twin.camera() is None
    assert twin.mischief("frozen")
    assert "frozen" in twin.table(None).wrong
    assert twin.mischief("wrong")
    twin.set_right()
    assert twin.table(None).wrong == ()
    assert twin.table(None).laid == ()
    assert nobody.looks == 1
    assert not twin.mischief("fire")
    assert not twin.mischief("wrong"), "nothing lies there"
    # a swapped card isn't reported as an extra one
    assert twin.lay(0, "hand", 0, RequestedPose(-10.0, 20.0))
    assert twin.mischief("wrong")
    assert twin.table(None).wrong == ("wrong",)


def test_pictures_are_of_the_deck_in_play(still: Still) -> None:
    twin, _bots = still
    shown = [twin.picture(*which) for which in (("coup", "duke"), ("coup", "back"))]
    assert [(picture or b"")[:4] for picture in shown] == [b"\x89PNG"] * 2
    assert twin.picture("coup", "20") is twin.picture("piquet", "As") is None


def test_dirty_button_bounces_and_is_repaired(still: Still, monkeypatch: pytest.MonkeyPatch) -> None:
    twin, _bots = still
    monkeypatch.setattr("firmware.twin.simulated_board.sleep", lambda _seconds: None)
    assert twin.mischief("dirty")
    assert twin.press(0, "call", "short")
    assert not twin.press(None, "call", "short"), "there is none on this board"
    assert twin.turn(50)
    assert not twin.turn(-51)


@pytest.mark.parametrize(
    ("bots_wished", "seats_wished", "seats", "wanted"),
    [(None, None, 4, {1, 2, 3}), (None, "Ana,Bo", 2, set()), (1, "Ana,Bo", 2, {1}), (9, None, 3, {0, 1, 2})],
)
def test_bots_take_unnamed_seats(
    bots_wished: int | None, seats_wished: str | None, seats: int, wanted: set[int]
) -> None:
    wished = SimpleNamespace(bots=bots_wished, seats=seats_wished)
    assert bot_seats(wished, seats) == wanted  # type: ignore[arg-type]


def stepped_bots(client: Any, world: World, seats: set[int], clock: Callable[[], float]) -> SteppedBots:
    return SteppedBots(frozenset(seats), client, world, Random(1), clock=clock)


def doubt(client: QuickClient, world: World) -> tuple[str, ...]:
    client.hear(*OPENING, DOUBT)
    until(lambda: len(world.sight(client.moment(), None).lying) == 1)
    return tuple(world.truth(client.moment())[Zone("worn", seat)][0] for seat in (0, 1))


def test_bots_lay_unreadable_cards_again_then_answer_by_phone(tmp_path: Path) -> None:
    now, client = [0.0], QuickClient(duel())

    def pass_time(seconds: float) -> None:
        until_then = now[0] + seconds
        while now[0] < until_then:
            now[0] += next(steps)

    with world_of(duel(), tmp_path) as world:
        players = stepped_bots(client, world, {0, 1}, lambda: now[0])
        steps = players.steps()
        client.hear(*OPENING, DOUBT)
        pass_time(1.0)
        laid = [card.number for card in world.sight(client.moment(), None).lying]
        assert len(laid) == 2
        client.tell(Notice("unsure"))
        pass_time(3.0)
        anew = [card.number for card in world.sight(client.moment(), None).lying]
        assert len(anew) == 2
        assert not {*laid} & {*anew}
        assert client.said == []
        client.tell(Notice("unsure"))
        pass_time(1.0)
        (said,) = client.said
        cards = tuple(world.truth(client.moment())[Zone("worn", seat)][0] for seat in (0, 1))
        assert isinstance(said, Answer)
        assert (sorted(said.value), said.sense) == (sorted(cards), "phone")  # type: ignore[arg-type]
        # and if the table reports nothing at all
        pass_time(PHONE_DELAY + 1.0)
        assert len(client.said) == 2
        players.close()


def test_bots_say_cards_that_are_laid_already_when_people_skip(tmp_path: Path) -> None:
    now, match = [0.0], begun_match("coup-d-etat")
    client = QuickClient(match)
    with world_of(match, tmp_path) as world:
        players = stepped_bots(client, world, {0, 1, 2}, lambda: now[0])
        steps = players.steps()
        players.look_again()
        while not world.sight(match, None).lying:
            now[0] += next(steps)
        next(steps)
        assert client.said == []
        players.skip()
        next(steps)
        assert [isinstance(said, Answer) and said.sense for said in client.said] == ["phone"]
        players.close()


def test_scene_that_was_left_early_stays_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "looking_seconds", lambda _match: 3600.0)
    client = QuickClient(duel())
    with world_of(duel(), tmp_path) as world:
        players = stepped_bots(client, world, {1}, lambda: 0.0)
        steps = players.steps()
        client.hear(OPENING[0])
        next(steps)
        assert players.is_showing(client.moment())
        client.hear(OPENING[1])
        # before the bots have noticed the new moment
        players.hurry()
        for _step in range(3):
            next(steps)
        assert not players.is_showing(client.moment())
        players.close()


def test_cards_are_removed_however_quick_the_next_answer_is(tmp_path: Path) -> None:
    with quick_table(duel(), tmp_path, 1) as (client, world, _bots, _twin):
        cards = doubt(client, world)
        client.hear(Answer(3, "reveal", cards), Answer(4, "announce", 1, 0))
        until(lambda: not world.sight(client.moment(), None).lying)


@pytest.mark.parametrize(("seconds", "is_watched"), [(3600.0, False), (1e-9, True)])
def test_play_waits_after_reveal_until_people_have_looked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, *, is_watched: bool
) -> None:
    monkeypatch.setattr(bots, "WATCH_TIMEOUT", float("inf"))
    for name in ("MAX_LOOK", "MIN_LOOK", "BOT_DELAY"):
        monkeypatch.setattr(bots, name, seconds)
    with quick_table(duel(), tmp_path, 1) as (client, world, _bots, twin):
        if is_watched:
            # a tap ends the scene then, not the time
            twin.bots.note_watching()
        cards = doubt(client, world)
        client.hear(Answer(3, "reveal", cards))
        # with the moment, before a bot has noticed it
        seen = twin.table(0)
        assert seen.is_showing
        assert len(seen.laid) == 1
        assert [chair.cards for chair in seen.chairs] == [(), ()], "what comes next isn't drawn yet"
        twin.bots.hurry()
        until(lambda: not twin.table(0).is_showing)
        until(lambda: twin.table(0).laid == ())
        assert [len(chair.cards) for chair in twin.table(0).chairs] == [1, 1]


def test_bots_skip_to_the_next_question_to_a_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for seconds in ("MAX_LOOK", "MIN_LOOK", "BOT_DELAY", "THINKING_TIME"):
        monkeypatch.setattr(bots, seconds, 3600.0)
    match = begun_match("ogallala")
    match = allowed(hear(match, Answer(0, "opener", Option("opens", seat=1))))
    with quick_table(match, tmp_path, 1, 2) as (client, _world, players, _twin):
        monkeypatch.setattr(client, "submit", lambda entry, _begun: client.hear(entry))
        players.skip()
        until(lambda: client.moment().asks[0].seats == (0,))
        assert client.moment().number > match.number + 2


def test_bot_replaced_by_person_stops_at_once_and_can_return(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "THINKING_TIME", 3600.0)
    with quick_table(duel(), tmp_path, 0, 1) as (client, _world, players, twin):
        client.hear(OPENING[0])
        twin.leave(0)
        twin.leave(1)
        players.hurry()
        assert players.seats == frozenset()
    assert client.said == [], "neither bot had thought long enough to speak"
    with quick_table(duel(), tmp_path, 1) as (_client, _world, players, twin):
        twin.bots.play_for(0)
        assert players.seats == {0, 1}


def test_unread_card_is_laid_again_once_the_eyes_have_seen_it_lifted(tmp_path: Path) -> None:
    with quick_table(duel(), tmp_path) as (client, world, _bots, twin):
        client.hear(*OPENING, DOUBT)
        for _time in range(2):
            (card,) = twin.table(0).chairs[0].cards
            assert card.is_wanted
            assert not twin.table(0).has_laid
            assert not twin.withdraw(0)
            assert twin.lay(0, card.where, card.place, None)
            assert twin.table(0).has_laid
            assert not twin.table(1).has_laid
            assert twin.withdraw(0)
        (card,) = twin.table(0).chairs[0].cards
        client.summary = replace(client.summary, cards=(TableCard(placed("5")),))
        laying = Thread(target=twin.lay, args=(0, card.where, card.place, None))
        laying.start()
        laying.join(0.2)
        assert not twin.table(0).has_laid
        client.summary = replace(client.summary, cards=())
        laying.join()
        assert twin.withdraw(0)
        assert not twin.table(0).is_stuck
        # a player takes the cards away
        world._dealt = replace(world._dealt, truth=dict.fromkeys(world._dealt.truth, ()))
        assert twin.table(0).is_stuck
        assert not twin.table(None).is_stuck
