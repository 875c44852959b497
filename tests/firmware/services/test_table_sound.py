"""TableSound on the host's page: what isn't plugged in is neither played nor chosen; a failure is said."""

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
    """Give the page, and what it lets a player play that can't if there is a reason."""
    played = list[Sequence[str]]()

    def play(command: Sequence[str], heard: bytes) -> str:
        assert heard
        played.append(command)
        return why

    return TableSound(state, volume, None, lambda: (JACK, USB), play), played


def test_a_tune_is_played_or_a_sentence_said_and_without_either_program_it_is_told(
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
def test_what_cannot_be_played_is_told_and_what_is_not_plugged_in_is_neither_played_nor_chosen(
    tmp_path: Path,
) -> None:
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


def test_what_was_heard_is_used_at_once_and_until_it_is_left_to_the_table(
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


def test_a_disk_that_takes_nothing_is_told_and_a_spoilt_choice_is_none(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"no folder")
    assert "can't be saved" in str(_page(tmp_path / "state")[0].choose("Device"))
    (tmp_path / "loudspeaker.json").write_bytes(b'{"card": 7}')
    assert _told(_page(tmp_path)[0].used()) == (USB, False, True)


def test_a_player_that_fails_says_why_and_one_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_player(("/bin/sh", "-c", "cat >/dev/null"), b"x") == ""
    assert run_player(("/bin/sh", "-c", "echo no such device >&2; exit 1"), b"x") == "no such device"
    assert run_player(("/nothing",), b"x")
    monkeypatch.setattr(part, "PLAYER_TIMEOUT", 0.1)
    assert "timed out" in run_player(("/bin/sleep", "60"), b"x")
