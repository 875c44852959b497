"""Outputs, each in its thread, and all together on simulated pins."""

import threading
from collections.abc import Callable, Iterator
from datetime import time
from time import monotonic

import pytest
from gpiozero import LED  # type: ignore[import-untyped]
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]

from firmware.board.outputs.drivers import LampDriver
from firmware.board.outputs.segments import Result, halves, shown_now
from firmware.board.outputs.speech import Sound
from firmware.board.outputs.voices import DRIVER_TIMEOUT, QUEUE_LENGTH, Voice, Voices
from firmware.board_events import DialState, Pick, TableSign
from firmware.language.catalogues import language
from hardware.board.board import LampLines
from hardware.board.lamps import Lamp
from referee.games.coyote import COYOTE
from referee.sentences import Listener
from tests.firmware.board.inputs.matches import NAMES, bidden, call_moments, new_match
from tests.given import present
from tests.hardware.board.own_boards import OWN_BOARDS
from tests.waiting import TEST_TIMEOUT as LONG
from tests.waiting import until
from vision.troubles import Problem

# voice


class Recorder:
    """A driver that records its moments, and may hang."""

    def __init__(self, then: Callable[[], float | None] = lambda: None) -> None:
        self.told: list[tuple[str, bool]] = []
        self.closed = False
        self._then = then

    def tell(self, thing: str, elapsed: float) -> float | None:
        self.told.append((thing, elapsed == 0))
        return self._then()

    def close(self) -> None:
        self.closed = True


def test_driver_gets_moments_in_order_with_repeats_and_is_closed() -> None:
    driver = Recorder(lambda: 0.001 if len(driver.told) > 2 else None)
    voice = Voice("lamps", driver)
    for thing in "abc":
        voice.give(thing)
    until(lambda: len(driver.told) >= 5)
    assert voice.close(LONG)
    assert driver.told[:5] == [("a", True), ("b", True), ("c", True), ("c", False), ("c", False)]
    assert driver.closed


def test_hanging_driver_blocks_no_thread_and_drops_oldest_moments() -> None:
    let_go, now = threading.Event(), [100.0]

    def hang() -> None:
        let_go.wait(LONG)

    driver = Recorder(hang)
    voice = Voice("lamps", driver, clock=lambda: now[0])
    voice.give("first")
    until(lambda: bool(driver.told))
    assert voice.trouble() is None
    for number in range(100):
        voice.give(str(number))
    now[0] += DRIVER_TIMEOUT + 1
    assert voice.trouble() == Problem("voice hangs", {"voice": "lamps"})
    let_go.set()
    until(lambda: len(driver.told) == 1 + QUEUE_LENGTH)
    assert [thing for thing, _is_new in driver.told] == ["first", *map(str, range(100 - QUEUE_LENGTH, 100))]
    assert voice.close(LONG)


# voices


SIX = OWN_BOARDS["six"]
LAMPS = SIX.lamps
assert isinstance(LAMPS, LampLines)
LISTENER = Listener(COYOTE.words, NAMES, language("en"))
QUIET = Sound(quiet=(time(12, 0), time(13, 0)))


@pytest.fixture(autouse=True)
def _without_espeak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")


def green(factory: MockFactory, seat: int) -> bool:
    return bool(factory.pin(LAMPS.green[seat]).state)


def has_sounded(factory: MockFactory) -> bool:
    return any(state.state for state in factory.pin(SIX.buzzer).states)


@pytest.fixture
def voices(factory: MockFactory) -> Iterator[Voices]:
    opened = Voices(SIX, Sound(), factory, lambda: time(12, 30))
    opened.tell(bidden(20), LISTENER)
    until(lambda: green(factory, 1))
    yield opened
    opened.close()


def test_all_outputs_show_a_moment(factory: MockFactory, voices: Voices) -> None:
    until(lambda: has_sounded(factory))
    assert factory.pin(present(SIX.display).clock).function == "output"
    voices.tell(call_moments()[0], LISTENER)
    until(lambda: bool(factory.pin(SIX.attention).state))
    voices.close()
    assert not green(factory, 1)
    assert not factory.pin(SIX.attention).state


def test_press_flashes_lamp_and_dialled_seat_is_highlighted(factory: MockFactory, voices: Voices) -> None:
    red = factory.pin(LAMPS.red[3])
    voices.tell_nothing(3)
    until(lambda: True in [bool(state.state) for state in red.states])
    match = new_match()
    dialled = DialState(None, Pick("who", 2))
    voices.tell(match, LISTENER)
    voices.tell_dialled(LISTENER, dialled)
    voices.tell_rested(LISTENER, dialled)
    red = factory.pin(LAMPS.red[2])
    until(lambda: bool(red.state))
    voices.tell(bidden(20), LISTENER)
    until(lambda: not red.state)


def test_display_alternates_phone_and_number(voices: Voices, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = list[tuple[str, object]]()
    monkeypatch.setattr(voices, "_give", lambda name, thing: shown.append((name, thing)))
    voices.tell(bidden(20), LISTENER)
    voices.tell_phone_needed(0, "Choose on a phone.")
    assert shown[-1] == ("digits", ("Phon", "  20"))


def test_buzzer_is_silent_in_quiet_hours(factory: MockFactory) -> None:
    voices = Voices(SIX, QUIET, factory, lambda: time(12, 30))
    voices.tell(call_moments()[0], LISTENER)
    voices.tell_nothing(0)
    voices.close()
    assert not has_sounded(factory)


def test_lamp_test_ends_when_match_continues(
    factory: MockFactory, voices: Voices, monkeypatch: pytest.MonkeyPatch
) -> None:
    red, attention = factory.pin(LAMPS.red[5]), factory.pin(SIX.attention)
    # at a seat that this match doesn't have
    voices.show_lamp(Lamp("red", 5))
    until(lambda: bool(red.state) and not green(factory, 1))
    voices.show_lamp(None)
    until(lambda: green(factory, 1) and not red.state)
    # a camera change meanwhile is shown only after the question
    voices.show_lamp(Lamp("red", 5))
    voices.tell_trouble(bidden(20), is_in_trouble=True)
    until(lambda: bool(red.state) and not green(factory, 1))
    monkeypatch.setattr("firmware.board.outputs.voices.monotonic", lambda: float("inf"))
    voices.tell_trouble(bidden(20), is_in_trouble=True)
    until(lambda: bool(attention.state) and not red.state)
    monkeypatch.setattr("firmware.board.outputs.voices.monotonic", monotonic)
    voices.show_lamp(Lamp("attention"))
    until(lambda: bool(attention.state) and not green(factory, 1))
    voices.tell(bidden(20), LISTENER)
    until(lambda: green(factory, 1) and not attention.state)


def test_failing_output_is_dropped_and_others_continue(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_given: object) -> None:
        raise OSError("no such line")

    monkeypatch.setattr(LampDriver, "tell", broken)
    voices = Voices(SIX, Sound(), factory, lambda: time(12, 30))
    voices.tell(bidden(20), LISTENER)
    assert voices.troubles()[0] == Problem("no espeak")
    told: list[Problem] = []

    def is_told() -> bool:
        told.extend(voices.troubles())
        return bool(told)

    until(is_told)
    assert told == [Problem("voice failed", {"voice": "lamps", "why": "no such line"})]
    voices.tell(bidden(20), LISTENER)
    until(lambda: has_sounded(factory))
    voices.close()


def test_output_with_pin_conflict_is_reported_and_others_work(factory: MockFactory) -> None:
    taken = LED(SIX.buzzer, pin_factory=factory)
    voices = Voices(SIX, Sound(), factory)
    assert {(trouble.key, trouble.values.get("voice")) for trouble in voices.troubles()} == {
        ("voice failed", "buzzer"),
        ("no espeak", None),
    }
    assert voices.troubles() == []
    voices.tell(bidden(20), LISTENER)
    until(lambda: green(factory, 1))
    voices.close()
    taken.close()


def test_lamp_blinks_for_phone_only_between_matches(factory: MockFactory, voices: Voices) -> None:
    red, other = factory.pin(LAMPS.red[5]), factory.pin(LAMPS.red[4])
    # the match continues: its lamps don't change
    voices.tell_sign(TableSign(seat=5), "")
    voices.tell(bidden(20), LISTENER)
    until(lambda: green(factory, 1))
    assert not any(state.state for state in red.states)
    voices.tell(new_match(), LISTENER)
    until(lambda: bool(red.state))
    # a camera change doesn't end it
    voices.tell_trouble(new_match(), is_in_trouble=False)
    until(lambda: bool(red.state))
    assert not other.state
    voices.tell_sign(None, "")
    until(lambda: not red.state)
    # a code without a lamp of its own lights all in turn
    voices.tell_sign(TableSign(code="441702"), "")
    until(lambda: bool(other.state))
    until(lambda: bool(red.state))
    assert "lamps" in voices.means()
    # no loudspeaker, no sound
    assert "speech" not in voices.means()


def test_code_keeps_lamp_of_running_match(voices: Voices) -> None:
    voices.tell(bidden(20), LISTENER)
    voices.tell_sign(TableSign(code="441702"), "")
    assert voices._digits() == ("441-", "-702", "  20")
    voices.tell(new_match(), LISTENER)
    assert voices._digits() == ("441-", "-702")


def test_code_wider_than_display_scrolls() -> None:
    assert halves("441702") == ("441-", "-702")
    shown = [shown_now(halves("441702"), elapsed) for elapsed in (0, 1.5, 2, 4)]
    assert shown == [("441-", 2), ("441-", 0.5), ("-702", 2), ("441-", 2)]
    assert shown_now("  20", 7) == ("  20", None)


def test_total_makes_room_for_the_next_number() -> None:
    counted = Result("  22", "----")
    assert shown_now(counted, 4) == ("  22", 6)
    assert shown_now(counted, 10) == ("----", None)
    assert shown_now(Result("  22", halves("441702")), 11.5) == ("441-", 0.5)
