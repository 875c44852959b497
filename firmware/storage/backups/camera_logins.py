"""Camera logins, which backups leave out: addresses are shortened as on pages."""

import re
from typing import Any

import msgspec
from msgspec.structs import replace

from firmware.state_folder import CARDS, CHOSEN, CONFIGURATION
from firmware.storage.cards_choice import CardsChoice
from firmware.storage.configuration import HostChoice, SettingsError, settings_of
from vision.table.camera_names import is_network, shown_name

_ADDRESS = re.compile(r"""(?:https?|rtsp)://[^\s"']+""", re.ASCII | re.IGNORECASE)
_COMMENTED = re.compile(r"(?:https?|rtsp)://\S+", re.ASCII | re.IGNORECASE)
_STRING_OR_COMMENT = re.compile(
    r"""\"{3}(?:\\.|[^\\])*?"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\])*"|'[^']*'|#[^\n]*""", re.DOTALL
)


def without_login(name: str, content: bytes) -> bytes | None:
    """Remove camera logins from a file of a backup; None if it can't be written without them."""
    try:
        if name == CHOSEN:
            choice = msgspec.json.decode(content, type=HostChoice)
            camera = {each: _shortened(value) for each, value in choice.camera.items()}
            return msgspec.json.encode(replace(choice, camera=camera)) + b"\n"
        if name == CARDS:
            # a guessed login could be verified by the mark of the camera's address
            cards = msgspec.json.decode(content, type=CardsChoice)
            return msgspec.json.encode(replace(cards, seen_by="")) + b"\n"
        if name == CONFIGURATION:
            return _configuration_without_login(content.decode())
    except (msgspec.DecodeError, UnicodeDecodeError, SettingsError):
        return None
    return content


def _shortened(value: Any) -> Any:
    return shown_name(value) if isinstance(value, str) and is_network(value) else value


def _configuration_without_login(text: str) -> bytes | None:
    """Shorten the camera's address, others with a login, and all in comments."""
    camera = settings_of(text, CONFIGURATION).camera.name

    def shortened(found: re.Match[str]) -> str:
        if found[0].startswith("#"):
            return _COMMENTED.sub(_commented, found[0])
        return _ADDRESS.sub(
            lambda each: shown_name(each[0]) if each[0] == camera or "@" in each[0] else each[0], found[0]
        )

    text = _STRING_OR_COMMENT.sub(shortened, text)
    # an address with quotes or escapes isn't found in the text
    left = settings_of(text, CONFIGURATION).camera.name
    return text.encode() if left == _shortened(left) else None


def _commented(found: re.Match[str]) -> str:
    # a password may contain quotes, so only those at the end are kept
    address = found[0].rstrip("\"',)]")
    return shown_name(address) + found[0][len(address) :]


def with_own_login(text: str, own: str) -> str:
    """Return a backup's configuration with this table's camera, if the backup has the same one."""
    if settings_of(text, CONFIGURATION).camera.name != shown_name(own):
        return text
    return _ADDRESS.sub(lambda found: own if found[0] == shown_name(own) else found[0], text)
