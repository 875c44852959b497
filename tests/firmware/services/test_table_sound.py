"""TableSound on the host's page: unplugged outputs can't be played or chosen; failures are shown."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware.board.outputs.loudspeakers import Loudspeaker, UsedLoudspeaker
from firmware.services import table_sound as part
from firmware.services.table_sound import TableSound, run_player

JACK, USB = Loudspeaker("Headphones", "bcm2835", "socket"), Loudspeaker("Device", "USB Audio", "usb")


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    there = {"aplay", "espeak-ng"}
    monkeypatch.setattr(part, "which", lambda name: f"/usr/bin/{name}" if name in there else None)
    return there


def _page(state: Path, volume: int = 80, why: str = "") -> tuple[TableSound, list[Sequence[str]]]:
    """Return the page, and a function that plays on an output and returns the reason if it can't."""
    played = list[Sequence[str]]()

    def play(command: Sequence[str], heard: bytes) -> str:
        assert heard
        played.append(command)
        return why

    return TableSound(state, volume, None, lambda: (JACK, USB), play), played


def test_tune_or_sentence_is_played_and_missing_programs_are_reported(
    tmp_path: Path, programs: set[str]
) -> None:
    page, played = _page(tmp_path, volume=0)
    assert page.play("Headphones") is None
    assert played == [("/usr/bin/aplay", "-q", "-D", "sysdefault:CARD=Headphones", "-t", "wav", "-")]
    programs.remove("aplay")
    assert page.play("Device") is None
    assert played[1][:3] == ("/usr/bin/espeak-ng", "-a", "160")
    assert "sysdefault:CARD=Device" in played[1]
    programs.clear()
    assert "alsa-utils" in str(page.play("Device"))


@pytest.mark.usefixtures("programs")
def test_unplugged_output_is_neither_played_nor_chosen(tmp_path: Path) -> None:
    page, played = _page(tmp_path, why="Device or resource busy")
    for _time in range(2):
        assert str(page.play("Device")) == "It can't be played: Device or resource busy"
    with page._playing:
        assert "wait" in str(page.play("Device"))
    played.clear()
    for card in ("Other", "Device,DEV=9"):
        assert "plugged in" in str(page.play(card))
        assert "plugged in" in str(page.choose(card))
    assert played == list(tmp_path.iterdir()) == []


def _told(used: UsedLoudspeaker | None) -> tuple[Loudspeaker, bool, bool] | None:
    return used and (used.loudspeaker, used.is_chosen, used.is_heard)


def test_confirmed_output_is_used_until_reset_to_automatic(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, _played = _page(tmp_path)

    monkeypatch.setattr(part.speakers, "loudspeakers", lambda: (JACK, USB))
    assert _told(page.used()) == (USB, False, True)
    assert page.choose("Headphones") is None
    assert _told(page.used()) == _told(part.loudspeaker_in_use(tmp_path)) == (JACK, True, True)
    assert [each for each, _told_of in page.options()] == [JACK, USB]
    assert page.choose("") is None
    assert _told(page.used()) == (USB, False, True)


def test_full_disk_is_reported_and_corrupt_choice_ignored(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"no folder")
    assert "can't be saved" in str(_page(tmp_path / "state")[0].choose("Device"))
    (tmp_path / "loudspeaker.json").write_bytes(b'{"card": 7}')
    assert _told(_page(tmp_path)[0].used()) == (USB, False, True)


def test_failing_player_gives_reason_and_hanging_one_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_player(("/bin/sh", "-c", "cat >/dev/null"), b"x") == ""
    assert run_player(("/bin/sh", "-c", "echo no such device >&2; exit 1"), b"x") == "no such device"
    assert run_player(("/nothing",), b"x")
    monkeypatch.setattr(part, "PLAYER_TIMEOUT", 0.1)
    assert "timed out" in run_player(("/bin/sleep", "60"), b"x")
