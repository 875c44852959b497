"""The pages beside the companion: where they are is told, and a port that is taken stops nothing."""

import re
import shutil
import socket
import ssl
from collections.abc import Callable
from pathlib import Path
from threading import Event
from urllib.request import urlopen

import pytest
from msgspec.structs import replace

from firmware.core.door import TableDoor
from firmware.start import phones as module
from firmware.start.phones import KeptThings, Phones
from firmware.start.safe_start import StartError
from firmware.state_folder import CERTIFICATE
from firmware.storage.backups.parts import TablePlaces
from firmware.storage.certificate import fingerprint
from hardware.board.troubles import Trouble
from referee.games.catalogue import GAMES
from tests.firmware.core.tables import until
from tests.referee.tables import new_match
from vision.troubles import Problem
from webui.access.links_file import LinksFile
from webui.server import app as server


def door() -> TableDoor:
    return TableDoor(lambda _item: None, new_match(GAMES["coyote"], "kidult", 3))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    return tmp_path


def test_where_the_pages_are_is_told(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    phones = Phones(door(), (port,))
    phones.close()
    said = capsys.readouterr().out
    assert f":{port}/" in said
    assert re.search(r"Codes of the seats: Ana [A-Z]{6}, Bo [A-Z]{6}, Chloé [A-Z]{6}\n", said)
    assert re.search(r"PIN of the host: \d{8}\n", said)
    assert (state / "links.json").stat().st_mode & 0o777 == 0o600


def test_where_the_first_port_is_taken_the_next_one_is_and_addresses_say_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    free = free_port()
    with socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True) as taken:
        phones = Phones(door(), (taken.getsockname()[1], free))
        phones._thread.join()
        phones.close()
    said = capsys.readouterr()
    assert f":{free}/" in said.out
    assert "No pages" not in said.err


def test_a_name_is_told_beside_the_address(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "own_name", lambda: "coyote.local")
    port = free_port()
    phones = Phones(door(), (port,))
    phones._thread.join()
    with urlopen(f"http://127.0.0.1:{port}/join") as page:
        shown = page.read().decode()
    phones.close()
    also = f"http://coyote.local:{port}/"
    assert f"Also: {also}\n" in capsys.readouterr().out
    assert f'<a href="{also}">{also}</a>' in shown


def test_new_codes_and_a_new_pin_are_told_when_they_are_drawn(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened, port = door(), free_port()
    phones = Phones(opened, (port,))
    phones._thread.join()
    said = capsys.readouterr().out
    (pin,) = re.findall(r"PIN of the host: (\d{8})\n", said)

    def has_said(words: str) -> bool:
        nonlocal said
        said += capsys.readouterr().out
        return words in said

    try:
        opened.tell(new_match(GAMES["coyote"], "kidult", 4))
        until(lambda: has_said(", Dan "))
        assert re.search(r"Codes of the seats: Ana [A-Z]{6}, Bo [A-Z]{6}, Chloé [A-Z]{6}, Dan [A-Z]{6}\n", said)
        LinksFile(state / "links.json").renew(lambda evening: replace(evening, pin="12345678"))
        until(lambda: has_said("PIN of the host: 12345678"))
        # what hasn't changed isn't told again
        assert said.count("Codes of the seats") == said.count("PIN of the host") == 2
        assert said.count(pin) == 1
    finally:
        phones.close()


def test_what_is_wrong_is_worded(capsys: pytest.CaptureFixture[str]) -> None:
    opened, port = door(), free_port()
    opened.tell_troubles((Trouble("voice failed", {"voice": "lamps", "why": "gone"}), Problem("too bright")))
    phones = Phones(opened, (port,))
    phones._thread.join()
    try:
        with urlopen(f"http://127.0.0.1:{port}/") as response:
            assert response.read().count(b'<p class="lines"><b>!</b>') == 2
    finally:
        phones.close()
    assert "PIN" in capsys.readouterr().out


def test_the_host_finds_settings_and_backup_where_things_are_kept(state: Path) -> None:
    port = free_port()
    here = TablePlaces(state, state / "journal.sqlite3", state / "coyote.toml")
    phones = Phones(door(), (port,), kept=KeptThings(here))
    phones._thread.join()
    try:
        for page in ("settings", "backup", "backup/file"):
            with urlopen(f"http://127.0.0.1:{port}/host/{page}") as response:
                assert response.url.endswith("/host")
    finally:
        phones.close()


def test_a_port_that_is_taken_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:  # noqa: S104 - as the pages do
        Phones(door(), (taken.getsockname()[1],)).close()
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "No pages for phones" in said.err


def test_the_pages_come_once_the_port_is_free(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "AGAIN", 0.01)
    with socket.create_server(("0.0.0.0", 0)) as taken:  # noqa: S104 - as the pages do
        port = taken.getsockname()[1]
        phones = Phones(door(), (port,))
        until(lambda: "No pages for phones" in capsys.readouterr().err)
    phones._thread.join()
    try:
        with urlopen(f"http://127.0.0.1:{port}/") as response:
            assert response.status == 200
    finally:
        phones.close()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl isn't installed")
def test_pages_are_encrypted_if_that_is_wished(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    phones = Phones(door(), (port,), https=True)
    phones._thread.join()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.load_verify_locations(state / CERTIFICATE)
    try:
        with urlopen(f"https://127.0.0.1:{port}/join", context=context) as response:
            page = response.read().decode()
    finally:
        phones.close()
    said = capsys.readouterr().out
    assert f"Fingerprint of its certificate: {fingerprint(state / CERTIFICATE)}\n" in said
    (address,) = re.findall(r"Pages for phones: (https://\S+)\n", said)
    assert address in page


def test_where_there_is_no_certificate_the_pages_come_in_the_clear_and_say_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/none")
    opened, port = door(), free_port()
    reported: list[object] = []
    monkeypatch.setattr(opened, "report", lambda name, _wrong: reported.append(name))
    phones = Phones(opened, (port,), https=True)
    phones._thread.join()
    try:
        with urlopen(f"http://127.0.0.1:{port}/") as response:
            assert response.status == 200
    finally:
        phones.close()
    said = capsys.readouterr()
    assert "aren't encrypted: openssl isn't installed" in said.err
    assert "Pages for phones: http://" in said.out
    assert reported == ["not encrypted"]


def opened_with(opened: Callable[..., object], monkeypatch: pytest.MonkeyPatch) -> list[Exception | None]:
    """Open pages that come up in another way; list what is told of it until the table ends."""
    monkeypatch.setattr(server, "create_app", opened)
    told: list[Exception | None] = []
    phones = Phones(door(), (free_port(),), at_open=told.append)
    until(lambda: told)
    phones.close()
    return told


def test_that_the_pages_are_there_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert opened_with(server.create_app, monkeypatch) == [None]


def test_pages_that_fail_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_parts: object, **_more: object) -> object:
        raise ValueError("broken")

    (error,) = opened_with(fail, monkeypatch)
    assert str(error) == "broken"


def test_pages_that_never_come_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    comes = Event()
    monkeypatch.setattr(module, "SLOWEST", 0.0)
    monkeypatch.setattr(module, "CLOSING", 0.0)
    try:
        (error,) = opened_with(lambda *_parts, **_more: comes.wait(), monkeypatch)
    finally:
        comes.set()
    assert isinstance(error, StartError)
    assert "don't come up" in error.format_message()
