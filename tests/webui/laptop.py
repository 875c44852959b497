"""A laptop's table in memory: real cards or the simulated table, with two webcams."""

from pathlib import Path
from typing import Any

from firmware.language.speaking import Sentence, say
from firmware.services.looks import Looks
from firmware.services.real_cards import FoundCamera, RealCards
from firmware.services.settings import SettingsKeeper
from tests.webui.fakes import FakeTwin
from tests.webui.room import Room, match_of, room_with


class Cards(RealCards):
    """The choice on a laptop with two webcams, which give pictures."""

    is_camera_likely = True

    def cameras(self) -> tuple[FoundCamera, ...]:
        return FoundCamera("usb:0", "<Brio>"), FoundCamera("usb:1", say("Built-in camera"))

    def why_not(self, _address: str) -> Sentence | None:
        return None

    def picture(self, name: str) -> bytes | None:
        return b"jpeg of usb:1" if name == "usb:1" else None


def laptop(folder: Path, *, looks: Looks | None = None, finder: Any = None, **more: Any) -> Room:
    usual: dict[str, Any] = {"kind": "simulated", "camera": "pi", "is_pi": False, "is_fixed": False}
    choice = {**usual, **more}
    drawn = {name: part for name, part in {"looks": looks, "finder": finder}.items() if part is not None}
    twin: dict[str, Any] = {"twin": FakeTwin()} if choice["kind"] == "simulated" else {}
    cards = Cards(folder, SettingsKeeper(folder, folder / "coyote.toml"), **choice)
    return room_with(match_of(), folder, cards=cards, **drawn, **twin)
