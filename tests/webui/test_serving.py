"""The server: real sockets, phones that say nothing, a port that is taken."""

import socket
from collections.abc import Iterator
from time import sleep
from urllib.request import urlopen

import pytest

from tests.webui.room import Room
from webui.serving import Server, serve

HERE = "127.0.0.1"


@pytest.fixture
def server(room: Room) -> Iterator[Server]:
    served = serve(room.app, HERE, 0)
    yield served
    served.shutdown()
    served.server_close()


def asked(server: Server, line: bytes) -> socket.socket:
    phone = socket.create_connection((HERE, server.port), timeout=60)
    phone.sendall(line)
    return phone


def all_of(phone: socket.socket) -> bytes:
    with phone:
        return b"".join(iter(lambda: phone.recv(65536), b""))


def test_pages_are_served(server: Server) -> None:
    with urlopen(f"http://{HERE}:{server.port}/") as response:
        assert response.headers["Server"] == "coyote"
        assert b"Coyote" in response.read()


def test_phones_that_say_nothing_starve_nobody(server: Server) -> None:
    silent = [asked(server, b"") for _phone in range(100)]
    half = [asked(server, b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ") for _phone in range(100)]
    answer = all_of(asked(server, b"GET / HTTP/1.0\r\n\r\n"))
    assert b"200 OK" in answer.split(b"\r\n")[0]
    for phone in (*silent, *half):
        phone.close()


def test_a_phone_that_says_nothing_is_dropped(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.serving.Handler.timeout", 0.1)
    server = serve(room.app, HERE, 0)
    assert all_of(asked(server, b"GET / HTTP/1.1\r\nX-Slow: ")) == b""
    server.shutdown()
    server.server_close()


def test_connections_are_bounded(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.serving.CONNECTIONS", 1)
    server = serve(room.app, HERE, 0)
    first = asked(server, b"GET / HTTP/1.0\r\n")
    assert all_of(asked(server, b"")) == b""
    first.sendall(b"\r\n")
    assert b"200 OK" in all_of(first)
    server.shutdown()
    server.server_close()


def test_a_phone_that_listens_holds_no_thread(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.serving.CONNECTIONS", 1)
    server = serve(room.app, HERE, 0)
    phone = asked(server, b"GET /events/score HTTP/1.1\r\n\r\n")
    heard = b""
    while b"event: moment" not in heard:
        heard += phone.recv(65536)
    while not (answer := all_of(asked(server, b"GET / HTTP/1.0\r\n\r\n"))):
        pass
    assert b"200 OK" in answer.split(b"\r\n")[0]
    phone.close()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    "line",
    [
        b"\x16\x03\x01\x02\x00\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET http://[::1 HTTP/1.0\r\n\r\n",
        b"GET //\xef\xbf\xb9 HTTP/1.0\r\n\r\n",
        b"\r\n" * 3,
    ],
)
def test_what_is_no_request_ends_the_connection(server: Server, line: bytes) -> None:
    phone = asked(server, line)
    phone.shutdown(socket.SHUT_WR)
    assert b"500" not in all_of(phone).split(b"\r\n")[0]


def test_a_port_that_is_taken_is_an_error_of_the_system(room: Room, server: Server) -> None:
    with pytest.raises(OSError, match="in use"):
        serve(room.app, HERE, server.port)


def test_events_end_when_the_phone_goes(room: Room, server: Server) -> None:
    phone = asked(server, b"GET /events/score HTTP/1.0\r\n\r\n")
    heard = b""
    while b"event: moment" not in heard:
        heard += phone.recv(65536)
    phone.close()
    (listener,) = room.door.listeners
    while listener.is_open:
        sleep(0.01)
