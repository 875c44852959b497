"""Speech by a stand-in for espeak-ng, and the choice of the loudspeaker."""

import os
from collections.abc import Callable
from datetime import time
from pathlib import Path

import pytest

from firmware.board.outputs.loudspeakers import (
    Loudspeaker,
    UsedLoudspeaker,
    loudspeakers,
    tells_of_sound,
    used_loudspeaker,
)
from firmware.board.outputs.speech import (
    PROGRAM,
    Saying,
    Sound,
    SpeechDriver,
    espeak_trouble,
    loudspeaker_trouble,
)
from tests.firmware.conftest import put_programs
from tests.given import present
from tests.waiting import until
from vision.troubles import Problem

# speech


Spoken = Callable[[], list[str]]
QUICK = 'cat >> "{log}"; echo "|$*" >> "{log}"'
SLOW = f"{QUICK}; exec sleep 600"
USB = UsedLoudspeaker(Loudspeaker("Device", "USB Audio Device", "usb"), "sysdefault:CARD=Device")


@pytest.fixture
def spoken(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Spoken:
    """Replace espeak-ng by a program. Returns the file of its arguments."""
    log = tmp_path / "log"
    put_programs(tmp_path, {PROGRAM: getattr(request, "param", QUICK).format(log=log)})
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return lambda: log.read_text(encoding="utf-8").splitlines() if log.exists() else []


slowly = pytest.mark.parametrize("spoken", [SLOW], indirect=True, ids=["slow"])


def speak(driver: SpeechDriver, saying: Saying) -> None:
    driver.tell(saying, 0)
    until(lambda: driver.tell(saying, 1) is None)


def noon() -> time:
    return time(12, 0)


def test_sentences_are_spoken_in_order(spoken: Spoken) -> None:
    speak(SpeechDriver(Sound("fr", volume=60), noon), Saying(("Bo crie Coyote !", "-v et --help")))
    options = "|-v fr -a 120 -s 165 --stdin"
    assert spoken() == ["Bo crie Coyote !" + options, "-v et --help" + options]


@pytest.mark.parametrize(
    "sound", [Sound(volume=0), Sound(quiet=(time(11, 0), time(13, 0)))], ids=["volume 0", "quiet hours"]
)
def test_silence(sound: Sound, spoken: Spoken) -> None:
    speak(SpeechDriver(sound, noon), Saying(("this is never heard",)))
    assert spoken() == []


@pytest.mark.parametrize("spoken", ["exit 3"], indirect=True)
@pytest.mark.usefixtures("spoken")
def test_program_that_cannot_speak_is_dropped() -> None:
    with pytest.raises(RuntimeError, match="espeak-ng: 3"):
        speak(SpeechDriver(Sound(), noon), Saying(("one", "two", "three", "four")))


def test_missing_program_is_reported() -> None:
    assert espeak_trouble(lambda _name: None) == Problem("no espeak")
    assert espeak_trouble(lambda name: f"/usr/bin/{name}") is None
    assert loudspeaker_trouble(None) == Problem("no loudspeaker")
    assert loudspeaker_trouble(USB) is None


def test_loudspeaker_is_looked_up_before_each_sentence(spoken: Spoken) -> None:
    plugged_in = [USB, None]
    speak(SpeechDriver(Sound(find=plugged_in.pop), noon), Saying(("before", "after")))
    options = "|-v en-gb -a 160 -s 165 "
    assert spoken() == [f"before{options}--stdin", f"after{options}-d sysdefault:CARD=Device --stdin"]


@slowly
def test_urgent_sentence_interrupts_and_passing_one_yields(spoken: Spoken) -> None:
    driver, heard = SpeechDriver(Sound(), noon), list[str]()

    def tell(saying: Saying) -> None:
        driver.tell(saying, 0)
        heard.append(saying.sentences[0])
        until(lambda: len(spoken()) == len(heard) and "|" in spoken()[-1])

    tell(Saying(("first", "second")))
    tell(Saying(("third",), is_urgent=True))
    for sentence in ("income", "foreign aid"):
        tell(Saying((sentence,), is_urgent=sentence == "income", is_passing=True))
    tell(Saying(("Ana begins.",)))
    for sentence in ("tax", "coup"):
        driver.tell(Saying((sentence,), is_passing=True), 0)
    driver.close()
    assert [line.partition("|")[0] for line in spoken()] == heard


# loudspeakers


PI_4 = """\
 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 1 [vc4hdmi1       ]: vc4-hdmi - vc4-hdmi-1
                      vc4-hdmi-1
 2 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones
                      bcm2835 Headphones
"""
USB_CARD = """\
 3 [Device         ]: USB-Audio - USB Audio Device
                      C-Media Electronics Inc. USB Audio Device at usb-1.3, full speed
"""
LAPTOP = " 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n                      HDA at 0x1 irq 1\n"
BASE = bytes(128)


def _edid(*, has_sound: bool) -> bytes:
    """Write a screen's EDID: the base block and an extension."""
    extension = bytearray(128)
    extension[0], extension[3] = 0x02, 0x40 if has_sound else 0x00
    return BASE + bytes(extension)


def _machine(folder: Path, cards: str, *screens: bytes) -> tuple[Loudspeaker, ...]:
    (folder / "cards").write_text(cards, encoding="utf-8")
    for number, edid in enumerate(screens, 1):
        place = folder / "drm" / f"card1-HDMI-A-{number}"
        place.mkdir(parents=True)
        (place / "edid").write_bytes(edid)
    return loudspeakers(folder / "cards", folder / "drm")


def test_sound_cards_are_listed_with_their_outputs(tmp_path: Path) -> None:
    found = _machine(tmp_path, PI_4 + USB_CARD, b"", _edid(has_sound=True))
    assert [(each.card, each.kind) for each in found] == [
        ("vc4hdmi0", "silent screen"),
        ("vc4hdmi1", "screen"),
        ("Headphones", "socket"),
        ("Device", "usb"),
    ]
    assert found[3].name == "USB Audio Device"


@pytest.mark.parametrize(
    ("edid", "is_so"),
    [
        (b"", False),
        (_edid(has_sound=False), False),
        (_edid(has_sound=True), True),
        (BASE + bytes(128) + _edid(has_sound=True)[128:], True),
        (b"\xff" * 200, False),
    ],
)
def test_edid_shows_whether_screen_plays_sound(edid: bytes, *, is_so: bool) -> None:
    assert tells_of_sound(edid) is is_so


@pytest.mark.parametrize(
    ("cards", "screens", "device", "is_heard"),
    [
        # the system's default is an HDMI output without a screen
        (PI_4 + USB_CARD, (), "sysdefault:CARD=Device", True),
        (PI_4, (_edid(has_sound=True),), "", True),
        (PI_4, (b"", _edid(has_sound=True)), "sysdefault:CARD=vc4hdmi1", True),
        (PI_4, (), "sysdefault:CARD=Headphones", False),
        (LAPTOP, (), "", True),
    ],
)
def test_likeliest_loudspeaker_is_the_default(
    tmp_path: Path, cards: str, screens: tuple[bytes, ...], device: str, *, is_heard: bool
) -> None:
    used = present(used_loudspeaker(_machine(tmp_path, cards, *screens)))
    assert (used.device, used.is_heard, used.is_chosen) == (device, is_heard, False)


@pytest.mark.parametrize("cards", ["--- no soundcards ---\n", PI_4.partition(" 2 [")[0], "\x00 [nonsense"])
def test_no_audible_output_means_no_loudspeaker(tmp_path: Path, cards: str) -> None:
    assert used_loudspeaker(_machine(tmp_path, cards)) is None
    assert loudspeakers(tmp_path / "nothing", tmp_path / "nothing") == ()


def test_confirmed_loudspeaker_wins_while_plugged_in(tmp_path: Path) -> None:
    used = present(used_loudspeaker(_machine(tmp_path, PI_4 + USB_CARD), "vc4hdmi0"))
    assert (used.device, used.is_heard) == ("sysdefault:CARD=vc4hdmi0", True)
    gone = present(used_loudspeaker(_machine(tmp_path, PI_4), "Device"))
    assert (gone.loudspeaker.card, gone.is_chosen) == ("Headphones", False)
