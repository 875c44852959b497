"""The loop: nothing slow holds it up, presses are in order, it ends well."""

from pathlib import Path
from threading import current_thread
from time import monotonic

import pytest

from firmware.board.senses.presses import STUCK
from firmware.board_events import Edge
from firmware.cli import table_terminal as terminal
from firmware.core.door import TableSummary
from firmware.core.eyesight import BLIND
from firmware.core.notices import Notice, button_notice
from firmware.core.systemd import AGAIN
from firmware.core.table import Write
from firmware.core.watcher import DeferredOrders, EyesGone, EyesStarted
from firmware.core.writer import EntryNotKept
from hardware.board.board import Key
from hardware.board.lamps import Lamp
from hardware.board.troubles import Trouble
from referee.contract import Answer, Option, Reason, Refusal
from referee.games.coyote.house import House
from referee.match import Match
from tests.firmware.board.senses.matches import bidden, call_moments, new_match, open_round
from tests.firmware.core import tables
from tests.firmware.core.placed import card, see_laid, see_table
from tests.firmware.core.tables import open_bench, until
from tests.referee.games.coup.script import CHALLENGE, table
from vision.process.messages import (
    KeepEvidence,
    ReadTable,
    Rest,
    SnapshotTaken,
    TakeSnapshot,
    TroubleBegan,
    TroubleEnded,
    UseDeck,
    Wake,
)
from vision.troubles import Problem


def test_a_disk_that_hangs_holds_up_no_press_and_no_lamp(tmp_path: Path) -> None:
    with open_bench(bidden(5), tmp_path) as bench:
        bench.press(1)
        write = bench.disk.given.get(timeout=30)
        assert bench.companion.door.moment().number == 2
        # the answer isn't kept, but other buttons are still answered
        bench.press(3)
        bench.wait("nothing", 3)
        assert ("moment", (3, False)) not in bench.voices.told
        bench.disk.given.put(write)
        bench.disk.keep_next()
        bench.wait("moment", (3, False))


def test_a_press_is_answered_at_once_and_told_when_it_is_kept(tmp_path: Path) -> None:
    with open_bench(bidden(5), tmp_path) as bench:
        bench.press(1)
        bench.wait("heard", 1)
        assert bench.voices.told[-1][0] != "moment"
        bench.disk.keep_next()
        bench.wait("moment", (3, False))


def test_a_press_for_a_moment_that_is_gone_is_refused(tmp_path: Path) -> None:
    with open_bench(bidden(5), tmp_path) as bench:
        answer = Answer(2, "announce", 9, 1, "phone")
        first, second = bench.companion.door.submit(answer), bench.companion.door.submit(answer)
        bench.disk.keep_next()
        assert isinstance(first.result(30), Match)
        refused = second.result(30)
        assert isinstance(refused, Refusal)
        assert refused.reason == "stale"
        # and so is a press that was made before
        bench.press(1, at=monotonic() - 60)
        bench.wait("nothing", 1)


def test_of_two_presses_the_first_by_its_stamp_counts_however_late_it_is_heard(tmp_path: Path) -> None:
    house = House(anyone_may_contest=True)
    for first, second in ((1, 2), (2, 1), (3, 2)):
        with open_bench(bidden(5, house=house), tmp_path / f"{first}{second}") as bench:
            now = monotonic()
            bench.press(second, at=now)
            bench.press(first, at=now - 0.0005)
            write = bench.disk.keep_next()
            entry = write.after.entry
            assert isinstance(entry, Answer)
            assert (entry.seat, entry.value) == (first, Option("coyote"))
            bench.wait("nothing", second)


def test_presses_that_no_stamp_tells_apart_are_ordered_by_the_game(tmp_path: Path) -> None:
    """Both challenge the tax of seat 0: it goes clockwise, and who gives way is noted."""
    doubted = table("3:2", "3:2", "3:2").does("tax").match
    with open_bench(doubted, tmp_path) as bench:
        now = monotonic()
        bench.press(2, at=now)
        bench.press(1, at=now)
        entry = bench.disk.keep_next().after.entry
        assert isinstance(entry, Answer)
        assert (entry.seat, entry.value, entry.tied) == (1, CHALLENGE, (2,))


def test_cards_are_read_ruled_on_and_their_picture_kept(tmp_path: Path) -> None:
    cards = [card(face, place) for place, face in enumerate(("10", "5", "4", "3"))]
    with open_bench(call_moments()[0], tmp_path) as bench:
        bench.see(see_table(), *(see_laid(each) for each in cards))
        until(lambda: ReadTable("moment 3") in bench.seer.orders)
        bench.see(see_table(*cards, asked="moment 3", reading=7))
        bench.disk.keep_next()
        bench.wait("moment", (4, False))
        until(lambda: KeepEvidence(7, "1", 4, "reveal") in bench.seer.orders)
    assert bench.seer.is_closed


def test_trouble_of_the_eyes_is_said_and_shown_until_it_is_over(tmp_path: Path) -> None:
    problem = Problem("frozen", {"camera": "pi"})
    with open_bench(open_round(), tmp_path) as bench:
        bench.see(TroubleBegan(problem))
        bench.wait("trouble", True)
        assert bench.companion.door.troubles() == (problem,)
        bench.see(TroubleEnded(problem))
        bench.wait("trouble", False)
        assert bench.companion.door.troubles() == ()


def test_new_eyes_take_back_what_old_ones_saw_but_not_the_camera(tmp_path: Path) -> None:
    frozen, hand = Problem("frozen", {"camera": "pi"}), Problem("hand stays")
    with open_bench(open_round(), tmp_path) as bench:
        bench.see(TroubleBegan(frozen), TroubleBegan(hand))
        until(lambda: bench.companion.door.troubles() == (frozen, hand))
        bench.queue.put(EyesStarted(2))
        until(lambda: bench.companion.door.troubles() == (frozen,))


def test_a_voice_that_breaks_is_said_and_shown(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        bench.voices.broken = [Trouble("no espeak")]
        until(lambda: any(kind == "said" for kind, _value in bench.voices.told))
        assert ("trouble", True) not in bench.voices.told
        bench.voices.broken = [Trouble("voice failed", {"voice": "lamps", "why": "x"})]
        bench.wait("trouble", True)


def test_eyes_that_are_gone_are_told_and_the_table_is_started_again(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        bench.see(see_table())
        bench.queue.put(EyesGone("OSError: no room"))
        until(lambda: any(kind == "said" and "eyes" in value for kind, value in bench.voices.told))
    assert "no room" in (tmp_path / "log.jsonl").read_text(encoding="utf-8")


def test_what_was_typed_is_answered_by_the_keyboard_and_never_by_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by: list[str] = []
    monkeypatch.setattr(terminal, "_say", lambda lines: by.extend(current_thread().name for _line in lines))
    monkeypatch.setattr("sys.stdin", ["back"])
    with open_bench(new_match(), tmp_path) as bench:
        terminal.Keyboard(bench.companion.door, lambda: None, None)
        until(lambda: by)
    assert by == ["keyboard"]


def test_dead_buttons_end_the_program_so_that_it_is_started_again(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        bench.pins.lives = False
        bench.thread.join(30)
        assert bench.code == AGAIN


def test_the_end_lets_the_disk_finish_and_puts_the_lamps_out(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        listening = bench.companion.door.subscribe()
        assert bench.stop() == 0
        assert bench.disk.is_closed
        assert bench.voices.is_closed
        assert isinstance(listening.next(0), Match)
    log = (tmp_path / "log.jsonl").read_text(encoding="utf-8")
    assert '"what":"end"' in log.splitlines()[-1]


def test_a_listener_that_does_not_listen_loses_the_oldest_and_delays_no_other(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        door = bench.companion.door
        lazy = door.subscribe()
        for number in range(1, 30):
            door.submit(Answer(number, "announce", number, (number - 1) % 4, "phone"))
            bench.disk.keep_next()
        bench.wait("moment", (30, False))
        first = lazy.next(0)
        assert isinstance(first, Match)
        assert first.number > 10
        lazy.close()


def test_a_match_that_is_over_goes_on_with_another_one(tmp_path: Path) -> None:
    match = bidden(5, house=House(limit=1), seats=2)
    with open_bench(match, tmp_path) as bench:
        door = bench.companion.door
        door.ask_rematch()  # not yet
        for ask, value, seat in (("turn", Option("coyote"), 1), ("reveal", ("10", "5"), None)):
            number = door.moment().number
            door.submit(Answer(number, ask, value, seat, "phone"))
            bench.disk.keep_next()
            until(lambda before=number: door.moment().number > before)  # type: ignore[misc]
        until(lambda: door.moment().outcome is not None)
        looked = list(bench.seer.orders)
        door.ask_rematch()
        # there is no answer yet, and still it is this match that goes on after a crash
        begun = bench.disk.keep_next()
        until(lambda: door.moment().outcome is None)
        assert begun == Write(None, door.moment())
        assert door.moment().number == 0
        assert door.state().id is not None
        # the eyes know these cards and seats already
        assert bench.seer.orders == looked


def test_a_match_without_an_answer_goes_on_after_a_restart(tmp_path: Path) -> None:
    with open_bench(new_match(), tmp_path, number=None) as bench:
        bench.companion.door.restart()
        bench.thread.join(30)
        assert bench.disk.given.get(timeout=30) == Write(None, bench.companion.door.moment())


def test_the_host_pauses_the_table_and_lets_it_go_on(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        door = bench.companion.door
        assert door.pause().result(30) == Notice("paused")
        assert door.state() == TableSummary(1, is_paused=True)
        assert door.submit(Answer(1, "announce", 7, 0, "phone")).result(30) == Notice("paused")
        assert door.go_on().result(30) == Notice("goes on")
        heard = door.submit(Answer(1, "announce", 7, 0, "phone"))
        bench.disk.keep_next()
        assert heard.result(30) is door.moment()
        assert bench.seer.orders == [Rest(), Wake()]


def test_people_sit_down_at_another_match_once_it_is_kept(tmp_path: Path) -> None:
    other = new_match(seats=2)
    with open_bench(open_round(), tmp_path, sights=lambda match: (UseDeck(match.setup.game.name),)) as bench:
        door = bench.companion.door
        seated = door.sit(other)
        late = door.submit(Answer(1, "announce", 7, 0, "phone"))
        write = bench.disk.keep_next()
        assert (write.id, write.after) == (None, other)
        assert seated.result(30) is other is door.moment()
        refusal = late.result(30)
        assert isinstance(refusal, Refusal)
        assert refusal.reason is Reason.STALE
        (later,) = bench.seer.orders
        assert isinstance(later, DeferredOrders)
        assert list(later.made()) == [UseDeck("coyote")]
        assert door.sit(open_round(), 7).result(30) is door.moment()
        assert door.state() == TableSummary(7)


def test_only_the_thread_that_wants_a_picture_waits_for_it(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        first, second = (bench.companion.door.show(TakeSnapshot(), SnapshotTaken) for _number in range(2))
        until(lambda: bench.seer.orders == [TakeSnapshot(), TakeSnapshot()])
        bench.see(SnapshotTaken(b"now"))
        assert first.result(30) == second.result(30) == SnapshotTaken(b"now")
        left = bench.companion.door.show(TakeSnapshot(), SnapshotTaken)
    assert left.cancelled()


def test_the_table_starts_again_when_it_is_told_to(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        bench.companion.door.restart()
        bench.thread.join(30)
        assert bench.code == AGAIN
        assert bench.disk.given.empty()


def test_a_disk_that_is_lost_has_the_table_started_again(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        heard = bench.companion.door.submit(Answer(1, "announce", 7, 0, "phone"))
        bench.disk.given.get(timeout=30)
        bench.queue.put(EntryNotKept("it is gone", is_disk_lost=True))
        bench.thread.join(30)
        assert bench.code == AGAIN
        assert heard.result(0) == Notice("not kept", {"why": "it is gone"})


def test_that_nothing_is_kept_is_shown_all_the_time(tmp_path: Path) -> None:
    unsaved = Notice("unsaved full")
    with open_bench(open_round(), tmp_path, unsaved=unsaved) as bench:
        bench.wait("trouble", True)
        assert bench.companion.door.troubles() == (unsaved,)
        until(lambda: not bench.companion.door.state().is_saving)
        bench.queue.put(EyesStarted(2))
        bench.companion.door.pause().result(30)
        assert bench.companion.door.troubles() == (unsaved,)


def test_what_is_reported_to_be_wrong_is_said_once_and_shown_until_it_is_well(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        door, full = bench.companion.door, Notice("second copy", {"place": "STICK", "why": "It is full."})
        door.report("stick", full)
        door.report("stick", full)
        bench.wait("trouble", True)
        until(lambda: door.troubles() == (full,))
        door.report("stick", None)
        bench.wait("trouble", False)
        assert door.troubles() == ()
        said = [value for kind, value in bench.voices.told if kind == "said"]
        assert said == ["No second copy is made (STICK): It is full."]


def test_presses_are_named_while_the_table_pauses_and_nothing_counts(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        door = bench.companion.door
        listening = door.subscribe()
        door.pause().result(30)
        bench.press(0)
        bench.wait("heard", 0)
        until(lambda: (news := listening.next(0)) is not None and getattr(news, "key", "") == "pressed")
        assert door.moment().number == 1
        door.try_lamp(2).result(30)
        assert ("tried", 2) in bench.voices.told
        door.show_lamp(Lamp("red", 2)).result(30)
        assert ("lamp", Lamp("red", 2)) in bench.voices.told


def test_what_people_play_without_is_listed_and_alarms_nobody(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        door = bench.companion.door
        door.report("faults", Notice("board faults", {"told": "Played without the button of seat 3."}))
        bench.wait("trouble", False)
        assert [wrong.key for wrong in door.troubles()] == ["board faults"]
        door.report("pages", Notice("no pages", {"why": "none"}))
        bench.wait("trouble", True)


def test_a_button_that_is_stuck_is_shown_until_it_is_free(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        bench.queue.put(Edge(Key("call", 2), monotonic() - STUCK, is_down=True))
        bench.wait("trouble", True)
        assert bench.companion.door.troubles() == (button_notice("stuck", Key("call", 2)),)
        bench.queue.put(Edge(Key("call", 2), monotonic(), is_down=False))
        bench.wait("trouble", False)
        assert bench.companion.door.troubles() == ()


def test_a_button_that_is_down_from_the_start_is_no_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables.Pins, "held", [Key("call", 1)], raising=False)
    monkeypatch.setattr(tables.Pins, "__init__", lambda self: setattr(self, "lives", True))
    with open_bench(bidden(5), tmp_path) as bench:
        bench.queue.put(Edge(Key("call", 1), monotonic(), is_down=False))
        bench.press(3)
        bench.wait("nothing", 3)
    assert ("heard", 1) not in bench.voices.told


@pytest.mark.parametrize("is_known", [True, False], ids=["known", "unknown"])
def test_eyes_that_hang_in_a_camera_that_people_know_of_are_no_reason_to_start_again(
    tmp_path: Path, is_known: bool
) -> None:
    now = [0.0]
    with open_bench(bidden(5), tmp_path, clock=lambda: now[0]) as bench:
        bench.queue.put(EyesStarted(1))
        bench.see(TroubleBegan(Problem("too slow", {"camera": "pi", "seconds": 2.0})))
        if not is_known:
            bench.see(TroubleEnded(Problem("too slow", {"camera": "pi", "seconds": 2.0})))
        for life in range(2, 6):
            bench.queue.put(EyesStarted(life))
            bench.companion.door.try_lamp(0).result(30)
            now[0] += BLIND / 2
        bench.companion.door.try_lamp(1).result(30)
        until(lambda: bench.companion._next_second > now[0])
    is_blind = any(kind == "said" and "The eyes don't open" in value for kind, value in bench.voices.told)
    assert is_blind == (not is_known)
