"""The loop and its threads: slow parts don't block it, presses keep their order, shutdown is clean."""

import json
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from time import monotonic
from typing import Any

import pytest

from firmware.board_events import Edge, TableSign
from firmware.storage.journal import open_journal
from firmware.table import watcher as watching
from firmware.table.client import TableSummary
from firmware.table.effects import BlinkLamp, ShowSign, Write
from firmware.table.hosting import name_seat
from firmware.table.notices import Notice
from firmware.table.state import CARDS_NOTICE_DELAY
from firmware.table.systemd import AGAIN, ALIVE
from firmware.table.writer import EntryKept, EntryNotKept, JournalChange, PauseKept, SavingReport, Writer
from hardware.board.board import Key
from referee.contract import Answer, Option, Reason, Refusal
from referee.games.coyote.state import House
from referee.match import Match
from tests.firmware.board.inputs.matches import bidden, call_moments, coup, new_match, open_round
from tests.firmware.table import tables
from tests.firmware.table.sat import card, see_table, unsure_card
from tests.firmware.table.tables import Bench, open_bench
from tests.given import Clock, allowed, present
from tests.referee.games.coup.script import table
from tests.waiting import until
from vision.process.messages import (
    DeckGrew,
    EyesReady,
    FrameTaken,
    KeepEvidence,
    Looking,
    NameCard,
    ReadTable,
    Rest,
    TableRead,
    TakeFrame,
    TroubleBegan,
    TroubleEnded,
    UnknownCard,
    UnknownCards,
    UseDeck,
)
from vision.troubles import Problem


def test_hanging_disk_delays_no_press_and_no_lamp(tmp_path: Path) -> None:
    with open_bench(bidden(5), tmp_path) as bench:
        bench.press(1)
        write = bench.disk.given.get(timeout=30)
        assert bench.companion.client.moment().number == 2
        # the answer isn't stored, but other buttons still work
        bench.press(3)
        bench.wait("nothing", 3)
        assert ("moment", (3, False)) not in bench.voices.told
        bench.disk.given.put(write)
        bench.disk.keep_next()
        bench.wait("moment", (3, False))


def test_long_press_with_two_characters_is_sent_to_a_phone(tmp_path: Path) -> None:
    with open_bench(coup(("action", Option("steal", seat=2), 0)), tmp_path) as bench:
        bench.press(2, seconds=1.0)
        sentence = "The button of seat 3 can't tell these answers apart: choose on a phone."
        bench.wait("phone needed", sentence)
        bench.wait("said", sentence)


def test_cards_are_read_and_ruled_on_and_their_picture_is_stored(tmp_path: Path) -> None:
    cards = [card(face, place) for place, face in enumerate(("10", "5", "4", "3"))]
    ready = Event()
    with open_bench(call_moments()[0], tmp_path, at_ready=ready.set) as bench:
        assert not ready.is_set()
        bench.see(see_table(), TableRead(cards, 1, is_change=True))
        until(lambda: ReadTable("moment 3") in bench.seer.orders)
        bench.see(see_table(*cards, asked="moment 3", reading=7))
        bench.disk.keep_next()
        bench.wait("moment", (4, False))
        until(lambda: KeepEvidence(7, "1", 4, "reveal") in bench.seer.orders)
        assert ready.is_set()
    assert bench.seer.is_closed


def test_unknown_card_is_asked_for_at_once_and_a_persons_answer_names_it(tmp_path: Path) -> None:
    match = call_moments()[0]
    unsure = unsure_card(3)
    unknown = UnknownCard(unsure.card.outline, b"jpeg", ())
    with open_bench(match, tmp_path) as bench:
        client = bench.companion.client
        page, other = client.subscribe_pages(), client.subscribe()
        assert page.next(0) is other.next(0) is match
        bench.see(see_table(*(card(face, place) for place, face in enumerate(("10", "5", "4"))), unsure))
        bench.see(UnknownCards((unknown,)))
        # only pages get the moment once more
        assert page.next(30) is match
        (question,) = client.state().questions
        assert question.unknown.card is unknown
        client.submit(Answer(match.number, "reveal", ("3", "4", "5", "10"), 0, "phone"))
        bench.disk.keep_next()
        until(lambda: NameCard(unknown.outline, "3", match.setup.begun, match.number) in bench.seer.orders)
        assert isinstance(other.next(30), Match)
        assert client.state().questions == ()


def test_pages_that_wait_for_cards_hear_that_the_eyes_still_look(tmp_path: Path) -> None:
    match = call_moments()[0]
    with open_bench(match, tmp_path) as bench:
        client = bench.companion.client
        page = client.subscribe_pages()
        assert page.next(0) is match
        bench.see(Looking(is_looking=True))
        assert page.next(30) is match
        assert client.is_looking
        # replaced eyes begin without a change
        bench.see(EyesReady("usb:0", (640, 480)))
        until(lambda: not client.is_looking)


def test_names_that_were_taken_back_are_announced(tmp_path: Path) -> None:
    with open_bench(call_moments()[0], tmp_path) as bench:
        bench.see(DeckGrew(("10", "5"), "5"), DeckGrew(("10",), taken_back=("5",)))
        until(lambda: any(kind == "said" and "in doubt" in value for kind, value in bench.voices.told))
        assert present(bench.companion.client.deck).taken_back == ("5",)


def test_obstacle_is_reported_again_once_camera_recovers(tmp_path: Path) -> None:
    clock, frozen = Clock(), Problem("frozen", {"camera": "pi"})
    cards = [card(face, place) for place, face in enumerate(("10", "5", "4", "3", "2"))]
    with open_bench(call_moments()[0], tmp_path, clock=clock) as bench:

        def said_after(*news: object) -> int:
            bench.see(*news)
            for seconds in (0, CARDS_NOTICE_DELAY, 0):
                let_check(bench, clock, seconds)
            return sum(kind == "said" and "There are 5 cards" in value for kind, value in bench.voices.told)

        assert said_after(see_table(*cards)) == 1
        assert said_after(TroubleBegan(frozen)) == 1
        assert said_after(TroubleEnded(frozen), see_table(*cards, reading=2)) == 2
        assert said_after() == 2


def test_picture_ordered_from_eyes_that_died_comes_from_the_next_ones(tmp_path: Path) -> None:
    with open_bench(bidden(5), tmp_path) as bench:
        bench.hear_eyes(watching.EyesStarted(1))
        asked = bench.companion.client.show(TakeFrame(), FrameTaken)
        until(lambda: bench.seer.orders.count(TakeFrame()) == 1)
        bench.hear_eyes(watching.EyesStarted(2))
        until(lambda: bench.seer.orders.count(TakeFrame()) == 2)
        bench.see(FrameTaken(b"jpeg"))
        assert asked.result(30).jpeg == b"jpeg"
        bench.hear_eyes(watching.EyesStarted(3))
    assert bench.seer.orders.count(TakeFrame()) == 2


def test_shutdown_lets_disk_finish_and_turns_lamps_off(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        listening = bench.companion.client.subscribe()
        assert bench.stop() == 0
        assert bench.disk.is_closed
        assert bench.voices.is_closed
        assert isinstance(listening.next(0), Match)
    assert '"what":"end"' in (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()[-1]


def test_slow_listener_loses_oldest_moments_and_delays_no_other(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        client = bench.companion.client
        lazy = client.subscribe()
        for number in range(1, 30):
            client.submit(Answer(number, "announce", number, (number - 1) % 4, "phone"))
            bench.disk.keep_next()
        bench.wait("moment", (30, False))
        assert allowed(lazy.next(0)).number > 10
        lazy.close()


def test_finished_match_is_followed_by_another(tmp_path: Path) -> None:
    match = bidden(5, house=House(limit=1), seats=2)
    with open_bench(match, tmp_path) as bench:
        client = bench.companion.client
        client.ask_rematch()  # not yet
        for ask, value, seat in (("turn", Option("coyote"), 1), ("reveal", ("10", "5"), None)):
            number = client.moment().number
            client.submit(Answer(number, ask, value, seat, "phone"))
            bench.disk.keep_next()
            until(lambda before=number: client.moment().number > before)  # type: ignore[misc]
        until(lambda: client.moment().outcome is not None)
        looked = list(bench.seer.orders)
        client.ask_rematch()
        # there is no answer yet, and still this match continues after a crash
        begun = bench.disk.keep_next()
        until(lambda: client.moment().outcome is None)
        assert begun == Write(None, client.moment())
        assert client.moment().number == 0
        assert client.state().id is not None
        # the eyes know these cards and seats already
        assert bench.seer.orders == looked


def test_people_join_another_match_once_it_is_stored(tmp_path: Path) -> None:
    other = new_match(seats=2)
    with open_bench(open_round(), tmp_path, sights=lambda match: (UseDeck(match.setup.game.name),)) as bench:
        client = bench.companion.client
        seated = client.sit(other)
        late = client.submit(Answer(1, "announce", 7, 0, "phone"))
        write = bench.disk.keep_next()
        assert (write.id, write.after) == (None, other)
        assert seated.result(30) is other is client.moment()
        refusal = late.result(30)
        assert isinstance(refusal, Refusal)
        assert refusal.reason is Reason.STALE
        (later,) = bench.seer.orders
        assert isinstance(later, watching.DeferredOrders)
        assert list(later.made()) == [UseDeck("coyote")]
        resumed = client.sit(open_round(), 7)
        # the open match is on disk first: it continues after a crash
        assert bench.disk.keep_next().is_resumed
        assert resumed.result(30) is client.moment()
        assert client.state() == TableSummary(7)


def test_typed_name_is_published_to_pages_and_not_asked_again(tmp_path: Path) -> None:
    with open_bench(new_match(seats=3), tmp_path) as bench:
        client = bench.companion.client
        bench.wait("moment", (0, False))
        named = client.host(partial(name_seat, 1, "Zoé"))
        assert bench.disk.keep_next().after.setup.names[1] == "Zoé"
        assert named.result(30) is client.moment()
        bench.companion.client.say(Notice("goes on")).result(30)
        assert bench.voices.told.count(("moment", (0, False))) == 1
        assert not bench.seer.orders


class HeldPauses(tables.HeldDisk):
    """A disk that stores nothing by itself, not even a pause."""

    def give(self, write: Any) -> None:
        self.given.put(write)


def test_pause_starts_once_stored_or_failed_and_ends_with_next_match(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path, disk=HeldPauses) as bench:
        client, given = bench.companion.client, bench.disk.given
        paused = client.pause()
        asked = given.get(timeout=30)
        assert (asked.is_paused, client.state().is_paused, paused.done()) == (True, False, False)
        bench.queue.put(PauseKept(asked))
        assert (paused.result(30), client.state().is_paused) == (Notice("paused"), True)
        other = client.sit(new_match(seats=2), 7)
        assert given.get(timeout=30).is_resumed
        bench.queue.put(EntryKept(7))
        assert other.result(30) is client.moment()
        ended = given.get(timeout=30)
        assert (ended.match, ended.is_paused) == (client.moment(), False)
        again = client.pause()
        bench.queue.put(PauseKept(given.get(timeout=30), "no room"))
        assert (again.result(30), client.state().is_paused) == (Notice("paused"), True)
        bench.wait("said", "This couldn't be stored (no room): free some disk space, then try again.")


def test_match_paused_at_shutdown_stays_paused(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path, was_paused=True) as bench:
        assert bench.companion.client.submit(Answer(1, "announce", 7, 0, "phone")).result(30) == Notice(
            "paused"
        )
        assert Rest() in bench.seer.orders
        bench.wait("said", "The table is paused: nothing counts until the host resumes.")


def test_dead_buttons_restart_the_table(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        bench.pins.lives = False
        bench.thread.join(30)
        assert bench.code == AGAIN


def test_full_disk_is_reported_once_until_it_accepts_lines_again(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        client = bench.companion.client
        for room in (1, 2):
            full = Problem("unsaved full", {"room": room})
            bench.queue.put(SavingReport(full))
            until(lambda full=full: client.troubles() == (full,))
            until(lambda: not client.state().is_saving)
        asked = client.save_again()
        assert bench.disk.given.get(timeout=30).future is asked
        bench.queue.put(SavingReport(full, asked=asked))
        assert asked.result(30) is False
        bench.queue.put(SavingReport(None, Problem("taken from memory", {"lines": 3, "matches": 1})))
        until(lambda: client.troubles() == ())
        assert client.state().is_saving
        bench.wait("said", "Saved from memory: matches: 1, lines: 3.")
        assert sum("Not saving" in str(value) for kind, value in bench.voices.told if kind == "said") == 1


def test_button_down_at_start_is_not_a_press(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables.FakeButtons, "held", [Key("call", 1)], raising=False)
    monkeypatch.setattr(tables.FakeButtons, "__init__", lambda self: setattr(self, "lives", True))
    with open_bench(bidden(5), tmp_path) as bench:
        bench.queue.put(Edge(Key("call", 1), monotonic(), is_down=False))
        bench.press(3)
        bench.wait("nothing", 3)
    assert ("heard", 1) not in bench.voices.told


def let_check(bench: Bench, clock: Clock, seconds: float = 1.1) -> None:
    clock.seconds += seconds
    bench.companion.client.do(BlinkLamp(0)).result(30)
    until(lambda: bench.companion._next_second > clock.seconds)


@pytest.mark.parametrize("is_known", [True, False], ids=["known", "unknown"])
def test_eyes_hanging_in_reported_camera_do_not_restart_table(tmp_path: Path, is_known: bool) -> None:
    clock, slow = Clock(), Problem("too slow", {"camera": "pi", "seconds": 2.0})
    with open_bench(bidden(5), tmp_path, clock=clock) as bench:
        bench.queue.put(watching.EyesStarted(1))
        bench.see(TroubleBegan(slow), *(() if is_known else (TroubleEnded(slow),)))
        for life in range(2, 6):
            bench.queue.put(watching.EyesStarted(life))
            let_check(bench, clock, watching.FIRST_NEWS_TIMEOUT / 2)
    is_blind = any(kind == "said" and "The camera doesn't start" in value for kind, value in bench.voices.told)
    assert is_blind == (not is_known)


@pytest.mark.parametrize(("needs_eyes", "slowness"), [(True, 1.0), (True, 7.0), (False, 1.0)])
def test_table_without_eyes_survives_only_if_it_needs_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, needs_eyes: bool, slowness: float
) -> None:
    told: list[str] = []
    monkeypatch.setattr("firmware.table.loop.notify", told.append)
    clock = Clock()
    blind = list[None]()
    with open_bench(
        bidden(5),
        tmp_path,
        clock=clock,
        needs_eyes=needs_eyes,
        slowness=slowness,
        at_blind=lambda: blind.append(None),
    ) as bench:
        let_check(bench, clock)
        assert ALIVE in told
        clock.seconds += watching.FIRST_NEWS_TIMEOUT
        let_check(bench, clock)
        told.clear()
        let_check(bench, clock)
        assert (ALIVE in told) == (not needs_eyes or slowness > 1)
        assert bool(blind) == (needs_eyes and slowness == 1)


@pytest.mark.parametrize(("seconds", "begins"), [(4.9, False), (5.1, True)])
def test_press_starts_another_match_five_seconds_after_the_end(
    tmp_path: Path, seconds: float, *, begins: bool
) -> None:
    clock = Clock()
    match = table("7:1", "2:1").does("coup", 1).shows("duke").match
    with open_bench(match, tmp_path, clock=clock) as bench:
        clock.seconds += seconds
        bench.press(0, at=clock.seconds)
        bench.wait("nothing", 0)
        bench.companion.client.do(BlinkLamp(0)).result(30)
        assert bench.disk.given.empty() != begins
        if begins:
            assert bench.disk.keep_next().after.number == 0


def test_presence_code_is_only_on_outputs_in_the_room(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        listening = bench.companion.client.subscribe()
        assert listening.next(30) is not None
        bench.companion.client.do(ShowSign(TableSign(code="441702"))).result(30)
        bench.wait("sign", "Take your phone. The number is 4 4 1, 7 0 2.")
        bench.companion.client.do(ShowSign(TableSign(seat=2))).result(30)
        bench.companion.client.do(ShowSign(None)).result(30)
        # a blinking lamp, or its end, isn't spoken
        assert [told for kind, told in bench.voices.told if kind == "sign"][1:] == ["", ""]
        assert listening.next(0) is None
    lines = map(json.loads, (tmp_path / "log.jsonl").read_text().splitlines())
    log = json.dumps([{**line, "at": 0.0} for line in lines])  # a time may contain any digits
    assert not any(part in log for part in ("441", "4 4 1", "702", "7 0 2"))


def test_presses_for_presence_are_not_answers(tmp_path: Path) -> None:
    taken = list[Edge]()

    def take(edge: Edge, _match: Match) -> bool:
        taken.append(edge)
        return edge.wire == Key("call", 1)

    with open_bench(bidden(5), tmp_path) as bench:
        bench.companion.board.takes_edge = take
        # Bo could call now, and the game ignores it; another button works
        bench.press(1)
        bench.press(3)
        bench.wait("nothing", 3)
        assert ("heard", 1) not in bench.voices.told
        assert bench.companion.client.moment().number == 2
    assert [edge.wire.seat for edge in taken] == [1, 1, 3, 3]


# the eyes' thread


class HangingEyes:
    """Eyes that hang in every order."""

    starts = 1

    def __init__(self) -> None:
        self.let, self.told, self.is_closed = Event(), list[Any](), False

    def news(self) -> list[Any]:
        return [] if self.told else ["seen"]

    def tell(self, message: Any) -> None:
        self.told.append(message)
        self.let.wait(30)

    def close(self) -> None:
        self.is_closed = True


def test_hanging_eyes_do_not_block_the_loop() -> None:
    eyes, queue = HangingEyes(), SimpleQueue[Any]()
    watcher = watching.Watcher(lambda: eyes, queue.put)
    assert queue.get(timeout=30) == watching.EyesStarted(1)
    assert queue.get(timeout=30) == watching.EyesNews("seen")
    watcher.tell("one")
    until(lambda: eyes.told)
    watcher.tell("two")  # returns at once, though the first order still hangs
    assert eyes.told == ["one"]
    eyes.let.set()
    until(lambda: eyes.told == ["one", "two"])
    eyes.starts = 2
    until(lambda: not queue.empty() and queue.get() == watching.EyesStarted(2))
    watcher.close()
    assert eyes.is_closed


def test_player_of_open_match_cannot_be_forgotten(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        name = bench.companion.client.moment().setup.names[0]
        told = bench.companion.client.forget(name.upper()).result(30)
        assert told == Notice("plays now", {"name": name.upper()})
        assert bench.disk.given.empty()
        # another name goes to the writer, and the table continues
        waiting = bench.companion.client.forget("Wilhelmina")
        given = bench.disk.given.get(timeout=30)
        assert isinstance(given, JournalChange)
        assert (given.name, given.future) == ("Wilhelmina", waiting)
        heard = bench.companion.client.submit(Answer(1, "announce", 7, 0, "phone"))
        bench.disk.keep_next()
        assert heard.result(30) is bench.companion.client.moment()


def test_resumed_match_is_latest_even_without_new_answer(tmp_path: Path) -> None:
    queue = SimpleQueue[EntryKept | EntryNotKept]()
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        numbers = [opened.journal.begin(open_round()) for _match in range(2)]
        writer = Writer(opened.journal, queue.put)
        writer.give(Write(numbers[0], open_round(), is_resumed=True))
        assert queue.get(timeout=30) == EntryKept(numbers[0])
        assert opened.journal.by_writing() == numbers
        assert writer.close(30)
