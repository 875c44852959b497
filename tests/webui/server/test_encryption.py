"""Encrypted pages over real sockets have the same guarantees, also against strangers."""

import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from firmware.storage.own_secrets import encryption, fingerprint, own_certificate
from firmware.storage.people.links import form_token
from tests.webui.access.letting_in import admit_all
from tests.webui.room import HERE, FixedAddress, Room, match_of, read_all, room_with, serving
from webui.access.viewers import SEAT
from webui.server.serving import Server

STRANGER = "127.0.0.2"
HELLO = b"\x16\x03\x01\x02\x00"


class EncryptedRoom:
    """A room with encrypted pages on a running server."""

    def __init__(self, server: Server, certificate: Path) -> None:
        self.server, self._certificate = server, certificate

    def connect(self, home: str = HERE) -> socket.socket:
        return socket.create_connection((HERE, self.server.port), timeout=60, source_address=(home, 0))

    def encrypt(self, home: str = HERE) -> ssl.SSLSocket:
        """Connect like a browser that has accepted this certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.load_verify_locations(self._certificate)
        return context.wrap_socket(self.connect(home))

    def get(self, address: str = "/", head: str = "", home: str = HERE) -> bytes:
        with self.encrypt(home) as phone:
            phone.sendall(f"GET {address} HTTP/1.1\r\nHost: x\r\n{head}\r\n".encode())
            return read_all(phone)


@contextmanager
def serve_encrypted(room: Room, certificate: Path) -> Iterator[EncryptedRoom]:
    with serving(room.app, HERE, encryption(certificate)) as server:
        yield EncryptedRoom(server, certificate)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return own_certificate(tmp_path_factory.mktemp("state"))


@pytest.fixture
def room(tmp_path: Path, certificate: Path) -> Room:
    return room_with(match_of(), tmp_path, address=FixedAddress(fingerprint=fingerprint(certificate)))


def test_form_in_several_tls_records_is_read(room: Room, certificate: Path) -> None:
    links = room.browser().links
    with serve_encrypted(room, certificate) as there, there.encrypt() as phone:
        # the decisive bytes come last
        body = f"form={form_token(links.secret, 'v')}&more={'x' * 9000}&code={links.codes[0]}".encode()
        head = f"POST /seat/take HTTP/1.1\r\nHost: x\r\nCookie: visitor=v\r\nContent-Length: {len(body)}\r\n"
        kind = "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        for piece in (head.encode(), kind.encode() + body[:10], body[10:5000], body[5000:]):
            phone.sendall(piece)
        answer = read_all(phone)
        assert b" 303 " in answer[:20]
        [given] = re.findall(r"Set-Cookie: (__Secure-seat-[^;]+);.* Secure;", answer.decode())
        # a cookie with a plain name, set by an earlier unencrypted page, doesn't interfere
        plain = given.removeprefix("__Secure-").partition("=")[0]
        pages = [there.get("/seat", f"Cookie: {sent}\r\n") for sent in (f"{plain}=x", f"{plain}=x; {given}")]
        assert [b"/seat/take" in page for page in pages] == [True, False]


def test_encrypted_stream_uses_no_thread(
    room: Room, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.server.serving.CONNECTIONS", 1)
    with serve_encrypted(room, certificate) as there, there.encrypt() as phone:
        phone.sendall(b"GET /events/score HTTP/1.1\r\nHost: x\r\n\r\n")
        heard = b""
        while b"event: moment" not in heard:
            heard += phone.recv(65536)
        page = b""
        while b"200 OK" not in page:
            page = there.get()


def test_aborted_handshakes_free_thread_and_slot(
    room: Room, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.server.serving.CONNECTIONS", 0)
    monkeypatch.setattr("webui.server.serving.MAX_PENDING", 20)
    links = admit_all(room.links_file)
    known = f"{links.cookie(SEAT)}={links.seats[0].token}"
    with serve_encrypted(room, certificate) as there:
        halves = [there.connect(STRANGER) for _phone in range(60)]
        for phone in halves:
            with suppress(ConnectionError):
                phone.sendall(HELLO)
        with there.encrypt(STRANGER) as silent:
            assert b"200 OK" in there.get("/seat", f"Cookie: {known}\r\n")[:20]
            silent.close()
        for phone in halves:
            phone.close()


def test_plain_http_is_redirected(room: Room, certificate: Path) -> None:
    phone = room.browser("192.0.2.9")
    for answer in (phone.get("/seat"), phone.post("/host/enter", pin=phone.links.pin)):
        assert answer.status_code == 426
        assert fingerprint(certificate) in answer.text
        assert "Set-Cookie" not in answer.headers
    assert 'href="https://localhost/seat"' in phone.get("/seat").text
    sheets = re.findall('href="(/(?:file|look)/[^"]+)"', phone.get("/seat").text)
    assert len(sheets) >= 3
    for address in ("/static/icon.svg", *sheets):
        with phone.get(address) as drawn:
            assert drawn.status_code == 200, address


def test_encrypted_port_accepts_rights_of_the_plain_port(room: Room, certificate: Path) -> None:
    """Ports share cookies: an outdated one of encrypted pages doesn't hide the plain one, nor the reverse."""
    evening = admit_all(room.links_file)
    name, token = evening.cookie(SEAT), evening.seats[0].token
    with serve_encrypted(room, certificate) as there:
        for sent in (
            f"{name}={token}",
            f"__Secure-{name}=old; {name}={token}",
            f"{name}=old; __Secure-{name}={token}",
        ):
            assert b"/seat/take" not in there.get("/seat", f"Cookie: {sent}\r\n"), sent
        assert b"/seat/take" in there.get("/seat", f"Cookie: __Secure-{name}=old; {name}=older\r\n")
