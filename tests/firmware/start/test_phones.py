"""The pages beside the companion: their address is announced, and an occupied port stops nothing."""

import re
import socket
import ssl
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import Mock
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from msgspec.structs import replace

from firmware.services.addresses import TableAddress
from firmware.services.table import Table
from firmware.start import phones as module
from firmware.start.phones import Phones
from firmware.start.safe_start import StartError
from firmware.state_folder import CERTIFICATE, state_directory
from firmware.storage.own_secrets import fingerprint
from firmware.storage.people.links import computer_token
from firmware.storage.people.links_file import LinksFile, read_links
from firmware.table.client import TableClient
from referee.games.catalogue import GAMES
from tests.firmware.start.whole_table import free_port
from tests.given import present
from tests.referee.tables import new_match
from tests.table_in_memory import table_in_memory
from tests.waiting import until
from tests.webui.fakes import FakeTwin
from webui.server import app as server


def client() -> TableClient:
    return TableClient(lambda _item: None, new_match(GAMES["coyote"], "kidult", 3))


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    return tmp_path


def _phones(*ports: int, opened: TableClient | None = None, twin: Any = None, **how: Any) -> Phones:
    at, parts = opened or client(), {} if twin is None else {"twin": twin}

    def make_table(address: TableAddress) -> Table:
        return table_in_memory(state_directory(), at, address=address, **parts)

    return Phones(at, ports, make_table, **{"at_open": lambda _error: None, **how})


@contextmanager
def pages(*ports: int, **how: Any) -> Iterator[None]:
    phones = _phones(*ports, **how)
    phones._thread.join()
    try:
        yield
    finally:
        phones.close()


def look(port: int, path: str = "/", **how: Any) -> str:
    with urlopen(f"{'https' if how else 'http'}://127.0.0.1:{port}{path}", **how) as response:  # noqa: S310 - ours
        return str(response.read().decode())


def test_address_of_first_free_port_is_announced_with_its_name(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("firmware.services.addresses.own_name", lambda: "coyote.local")
    port = free_port()
    also, everywhere = f"http://coyote.local:{port}/", {"family": socket.AF_INET6, "dualstack_ipv6": True}
    with (
        socket.create_server(("::", 0), **everywhere) as taken,
        pages(taken.getsockname()[1], port, twin=FakeTwin()),
    ):
        assert f'<a href="{also}">{also}</a>' in look(port, "/join")
    output, wrong = capsys.readouterr()
    assert "No pages" not in wrong
    assert f":{port}/" in output
    assert f"Also: {also}\n" in output
    # shown at the computer that simulates the table
    assert next(line for line in output.splitlines() if "://" in line).endswith(
        f"http://localhost:{port}/welcome"
    )
    # credentials belong in no file and no log
    assert "PIN" not in output
    assert "Codes" not in output
    assert (state / "links.json").stat().st_mode & 0o777 == 0o600


def test_terminal_shows_codes_and_pin_and_new_ones(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, said = client(), ""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)

    def has_said(words: str) -> bool:
        nonlocal said
        said += capsys.readouterr().out
        return words in said

    with pages(free_port(), opened=opened):
        until(lambda: has_said("PIN of the host: "))
        assert re.search(r"Codes of the seats: Ana [A-Z]{7}, Bo [A-Z]{7}, Chloé [A-Z]{7}\n", said)
        (pin,) = re.findall(r"PIN of the host: (\d{8})\n", said)
        opened.tell(new_match(GAMES["coyote"], "kidult", 4))
        until(lambda: has_said(", Dan "))
        LinksFile(state / "links.json").renew(lambda evening: replace(evening, pin="12345678"))
        until(lambda: has_said("PIN of the host: 12345678"))
        # unchanged lines aren't repeated
        assert said.count("Codes of the seats") == said.count("PIN of the host") == 2
        assert said.count(pin) == 1


def test_private_file_leads_the_browser_of_this_computer_with_the_token(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home, opened, twin = tmp_path / "home", list[tuple[str, int, str]](), FakeTwin()
    home.mkdir()
    for name, value in {"HOME": str(home), "DISPLAY": ":0"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)

    def open_file(address: str) -> None:
        (file,) = home.iterdir()
        assert address == file.as_uri()
        opened.append((address, file.stat().st_mode & 0o777, file.read_text()))

    monkeypatch.setattr(webbrowser, "open", open_file)
    port = free_port()
    phones = _phones(port, twin=twin)
    until(lambda: opened)
    phones.close()
    token = computer_token(present(read_links(state / "links.json")).secret)
    there = f"http://localhost:{port}/here#{token}"
    ((address, mode, text),) = opened
    # other users can read a browser's arguments, but not the file
    assert token not in address
    assert (mode, f"url={there}" in text) == (0o600, True)
    assert list(home.iterdir()) == []
    assert f"The simulated table: {there}\n" in capsys.readouterr().out


def test_occupied_port_is_reported_in_one_line_and_pages_start_once_free(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:  # noqa: S104 - as the pages do
        port = taken.getsockname()[1]
        _phones(port).close()
        captured = capsys.readouterr()
        assert (captured.out, captured.err.count("\n")) == ("", 1)
        assert f"No pages for phones: port {port} isn't available (another program uses it)." in captured.err
        monkeypatch.setattr(module, "AGAIN", 0.01)
        phones = _phones(port)
        until(lambda: "No pages for phones" in capsys.readouterr().err)
    phones._thread.join()
    try:
        assert look(port)
    finally:
        phones.close()


def trusting(state: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.load_verify_locations(state / CERTIFICATE)
    return context


def test_only_encrypted_pages_are_served_on_request(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    with pages(port, https=True):
        page = look(port, "/join", context=trusting(state))
    output = capsys.readouterr().out
    assert f"Fingerprint of its certificate: {fingerprint(state / CERTIFICATE)}\n" in output
    (address,) = re.findall(r"Pages for phones: (https://\S+)\n", output)
    assert address in page


def test_encrypted_pages_are_served_beside_plain_ones(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    port, secure = free_port(), free_port()
    with pages(port, beside=(port, secure)):
        plain, encrypted = look(port, "/join"), look(secure, "/join", context=trusting(state))
        # plain requests to the encrypted port get a link only
        with pytest.raises(HTTPError, match="426") as led:
            look(secure, "/join")
        way = f'href="https://127.0.0.1:{secure}/join"'
        assert way in led.value.read().decode()
        # a broken handshake ends nothing
        with socket.create_connection(("127.0.0.1", secure)) as broken:
            broken.sendall(b"\x16garbage")
        assert look(secure, "/join", context=trusting(state))
    output = capsys.readouterr().out
    (address,) = re.findall(r"Pages for phones: (http://\S+)\n", output)
    assert address in plain
    assert address in encrypted
    assert re.findall(r"Encrypted pages: https://\S+:(\d+)/\n", output) == [str(secure)]
    assert f"Fingerprint of its certificate: {fingerprint(state / CERTIFICATE)}\n" in output


def test_without_certificate_plain_pages_are_served_and_it_is_reported(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "firmware.storage.certificates", None)
    port, opened, reported = free_port(), client(), list[object]()
    with pages(port, beside=(free_port(),)):
        assert look(port)
    assert capsys.readouterr().err.startswith("No encrypted pages, which a phone as the camera needs")
    assert not (state / CERTIFICATE).exists()
    # encryption is wished for
    monkeypatch.setattr(opened, "report", lambda name, _wrong: reported.append(name))
    with pages(port, opened=opened, https=True):
        assert look(port)
    captured = capsys.readouterr()
    assert "aren't encrypted: the certificate can't be created" in captured.err
    assert "Pages for phones: http://" in captured.out
    assert reported == ["not encrypted"]


def test_pages_state_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened_with(opened: Callable[..., object], **how: float) -> Exception | None:
        monkeypatch.setattr(server, "create_app", opened)
        told: list[Exception | None] = []
        phones = _phones(free_port(), at_open=told.append, **how)
        until(lambda: told)
        phones.close()
        (once,) = told
        return once

    create_app = server.create_app
    assert opened_with(create_app) is None
    assert str(opened_with(Mock(side_effect=ValueError("broken")))) == "broken"
    comes = Event()
    monkeypatch.setattr(module, "OPEN_TIMEOUT", 1e-9)
    monkeypatch.setattr(module, "CLOSE_TIMEOUT", 0.0)
    try:
        error = opened_with(lambda *_parts, **_more: comes.wait())
    finally:
        comes.set()
    assert isinstance(error, StartError)
    assert "didn't start" in error.format_message()
    # a slow computer gets proportionally more time
    assert opened_with(create_app, slowness=1e12) is None
