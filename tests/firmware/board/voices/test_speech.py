"""Speech, with a program in espeak-ng's place that writes down what it is told."""

import os
from collections.abc import Callable
from datetime import time
from pathlib import Path
from time import sleep

import pytest

from firmware.board.voices.loudspeakers import Loudspeaker, UsedLoudspeaker
from firmware.board.voices.sentences import Quiet, Saying
from firmware.board.voices.speech import (
    PROGRAM,
    Sound,
    SpeechDriver,
    espeak_trouble,
    loudspeaker_trouble,
)
from hardware.board.troubles import Trouble
from tests.firmware.board.voices.waiting import until

Spoken = Callable[[], list[str]]
QUICK = 'cat >> "{log}"; echo "|$*" >> "{log}"'
SLOW = 'cat >> "{log}"; echo "|$*" >> "{log}"; exec sleep 600'
BROKEN = "exit 3"
USB = UsedLoudspeaker(Loudspeaker("Device", "USB Audio Device", "usb"), "sysdefault:CARD=Device")


def install_program(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Spoken:
    """Put a program into espeak-ng's place; give what it was told."""
    log, file = tmp_path / "log", tmp_path / PROGRAM
    file.write_text(f"#!/bin/sh\n{program.format(log=log)}\n", encoding="utf-8")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return lambda: log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def speak(driver: SpeechDriver, saying: Saying) -> None:
    """Let a driver speak until it has nothing more to say."""
    elapsed = 0.0
    while (wait := driver.tell(saying, elapsed)) is not None:
        sleep(wait)
        elapsed += wait


def noon() -> time:
    return time(12, 0)


def test_sentences_are_said_one_after_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spoken = install_program(QUICK, tmp_path, monkeypatch)
    speak(SpeechDriver(Sound("fr", volume=60), noon), Saying(("Bo crie Coyote !", "-v et --help")))
    options = "|-v fr -a 120 -s 165 --stdin"
    assert spoken() == ["Bo crie Coyote !" + options, "-v et --help" + options]


def test_what_is_urgent_cuts_off_what_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spoken = install_program(SLOW, tmp_path, monkeypatch)
    driver = SpeechDriver(Sound(), noon)
    driver.tell(Saying(("first", "second")), 0)
    until(lambda: "|" in "".join(spoken()))
    driver.tell(Saying(("third",), is_urgent=True), 0)
    until(lambda: len(spoken()) == 2)
    driver.close()
    assert [line.partition("|")[0] for line in spoken()] == ["first", "third"]


@pytest.mark.parametrize(
    "sound", [Sound(volume=0), Sound(quiet=Quiet(time(11, 0), time(13, 0)))], ids=["volume 0", "quiet hours"]
)
def test_silence(sound: Sound, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spoken = install_program(QUICK, tmp_path, monkeypatch)
    speak(SpeechDriver(sound, noon), Saying(("this is never heard",)))
    assert spoken() == []


def test_a_program_that_cannot_speak_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_program(BROKEN, tmp_path, monkeypatch)
    with pytest.raises(RuntimeError, match="espeak-ng: 3"):
        speak(SpeechDriver(Sound(), noon), Saying(("one", "two", "three", "four")))


def test_a_program_that_is_missing_is_told() -> None:
    assert espeak_trouble(lambda _name: None) == Trouble("no espeak")
    assert espeak_trouble(lambda name: f"/usr/bin/{name}") is None


def test_a_loudspeaker_that_is_missing_is_told() -> None:
    assert loudspeaker_trouble(None) == Trouble("no loudspeaker")
    assert loudspeaker_trouble(USB) is None


def test_the_loudspeaker_is_found_before_each_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spoken = install_program(QUICK, tmp_path, monkeypatch)
    plugged_in = [USB, None]
    speak(SpeechDriver(Sound(find=plugged_in.pop), noon), Saying(("before", "after")))
    options = "|-v en-gb -a 160 -s 165 "
    assert spoken() == [f"before{options}--stdin", f"after{options}-d sysdefault:CARD=Device --stdin"]


def test_what_passes_gives_way_to_anything_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spoken = install_program(SLOW, tmp_path, monkeypatch)
    driver = SpeechDriver(Sound(), noon)
    for count, sentence in enumerate(("income", "foreign aid"), start=1):
        driver.tell(Saying((sentence,), is_passing=True), 0)
        until(lambda count=count: len(spoken()) == count and "|" in spoken()[-1])
    driver.tell(Saying(("Ana begins.",)), 0)
    until(lambda: len(spoken()) == 3)
    driver.tell(Saying(("tax",), is_passing=True), 0)
    driver.tell(Saying(("coup",), is_passing=True), 0)
    driver.close()
    assert [line.partition("|")[0] for line in spoken()] == ["income", "foreign aid", "Ana begins."]
