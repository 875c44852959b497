"""The server: real sockets, silent phones, a busy port."""

import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from itertools import chain, repeat
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import Any

import pytest

from tests.given import present
from tests.waiting import TEST_TIMEOUT, until
from tests.webui.access.letting_in import admit_all
from tests.webui.room import HERE, Browser, Room, match_of, read_all, room_with, serving
from webui.access.viewers import SEAT, cookie_name
from webui.server import events
from webui.server.connection_limits import ConnectionLimit
from webui.server.pending import HEAD, PendingConnection
from webui.server.serving import GONE, PIECE, Handler, PhoneBuffer, PhoneInput, Server

GET = b"GET / HTTP/1.0\r\nHost: x\r\n\r\n"
STREAM = b"GET /events/score HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture(autouse=True)
def _long_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Extend timeouts beyond a busy machine's delays; tests of a timeout set their own."""
    monkeypatch.setattr("webui.server.serving.Handler.timeout", TEST_TIMEOUT)


@pytest.fixture
def server(room: Room) -> Iterator[Server]:
    with serving(room.app) as server:
        yield server


def connect(server: Server, line: bytes, home: str = HERE) -> socket.socket:
    phone = socket.create_connection((HERE, server.port), timeout=TEST_TIMEOUT, source_address=(home, 0))
    with suppress(ConnectionError):
        phone.sendall(line)
    return phone


def stalled_upload(server: Server, home: str = HERE) -> socket.socket:
    """Send a form's head without its ten bytes of body; a thread has started and waits for them."""
    head = b"POST /seat/answer HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n"
    phone = connect(server, head, home)
    assert b"100 Continue" in phone.recv(100)
    return phone


def await_page(server: Server) -> bytes:
    """Return the first served page, however often the server has refused before."""
    while not (page := read_all(connect(server, b"GET / HTTP/1.0\r\nHost: x\r\n\r\n"))):
        pass
    return page


def seat_cookie(phone: Browser) -> bytes:
    """Return a request's last line: the cookie of a seated phone."""
    return f"Cookie: {cookie_name(phone.links, SEAT)}={phone.token}\r\n\r\n".encode()


def test_slow_upload_is_evicted_for_its_own_network(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.server.serving.PER_ADDRESS", 1)
    with serving(room.app) as server:
        slow = stalled_upload(server, "127.0.0.2")
        assert b"200 OK" in read_all(connect(server, GET, "127.0.0.2"))
        read_all(slow)


def test_strangers_do_not_evict_seated_phones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.server.serving.CONNECTIONS", 1)
    monkeypatch.setattr("webui.server.events.STREAMS", 0)
    room = room_with(match_of(), tmp_path)
    cookie = seat_cookie(room.browser().sit(0))
    with serving(room.app) as server, stalled_upload(server), connect(server, GET):
        assert b"200 OK" in read_all(connect(server, b"GET /seat HTTP/1.0\r\nHost: x\r\n" + cookie))
        with connect(server, b"GET /events/seat HTTP/1.1\r\nHost: x\r\n" + cookie) as listening:
            assert b" 200 " in listening.recv(16)


def test_page_detects_client_disconnect(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    answered, asked = Event(), SimpleQueue[Callable[[], bool]]()

    def wait(environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
        asked.put(environ[GONE])
        answered.wait(TEST_TIMEOUT)
        start_response("200 OK", [])
        return [b""]

    monkeypatch.setattr(room.app, "wsgi_app", wait)
    with serving(room.app) as server:
        phone = connect(server, GET)
        is_gone = asked.get(timeout=TEST_TIMEOUT)
        assert not is_gone()
        phone.close()
        until(is_gone)
        answered.set()


def test_streams_are_evicted_for_another_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.server.events.STREAMS", 3)
    with serving(room_with(match_of(), tmp_path).app) as server:
        many = list[socket.socket]()
        for _phone in range(3):
            # each has its own thread: only a response shows that its slot is taken, and in which order
            many.append(connect(server, STREAM, "127.0.0.3"))
            assert b" 200 " in many[-1].recv(16)
        with connect(server, STREAM, "127.0.0.3") as one_more:
            assert b" 429 " in one_more.recv(16)
        with connect(server, STREAM, "127.0.0.4") as other:
            assert b" 200 " in other.recv(16)
            read_all(many[0])
        for phone in many[1:]:
            phone.close()


def test_full_queue_evicts_oldest_of_the_largest_network(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.server.serving.MAX_PENDING", 3)
    with serving(room.app) as server:
        alone = connect(server, b"GET / HTTP/1.0\r\nHost: x\r\n", "127.0.0.2")
        crowd = [connect(server, b"GET / ", "127.0.0.3") for _phone in range(3)]
        assert read_all(crowd[0]) == b""
        alone.sendall(b"\r\n")
        assert b"200 OK" in read_all(alone)
        for phone in crowd[1:]:
            phone.close()
    assert "Too many connections from 127.0.0.3; closed: 1." in room.browser().host().get("/host").text


def dribble(phone: socket.socket, beginning: bytes, more: bytes) -> bytes:
    """Send a prefix, then byte after byte endlessly; return the response before the disconnect."""
    phone.sendall(beginning)
    phone.settimeout(0.01)
    heard = b""
    for byte in chain.from_iterable(repeat(more)):
        try:
            phone.send(bytes((byte,)))
            if not (piece := phone.recv(65536)):
                break
            heard += piece
        except TimeoutError:
            continue
        except OSError:
            break
    phone.close()
    return heard


FORM = b"POST /seat/answer HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"


@pytest.mark.parametrize(
    ("beginning", "more", "answer"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n", b"X-Slow: x\r\n", b""),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", b"x", b""),
        (b"", b"G", b""),
        (FORM + b"Content-Length: 9000\r\n\r\n", b"a=b&", b"403"),
        (FORM + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n", b"403"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"200"),
        (b"POST /host/backup HTTP/1.1\r\nHost: x\r\nContent-Length: 300000000\r\n\r\n", b"x", b""),
    ],
)
def test_slow_request_times_out(
    room: Room, monkeypatch: pytest.MonkeyPatch, beginning: bytes, more: bytes, answer: bytes
) -> None:
    # a response must reach a phone that a busy machine delays
    monkeypatch.setattr("webui.server.serving.Handler.timeout", 1.0 if answer else 0.3)
    monkeypatch.setattr("webui.server.uploads.DRAIN_TIMEOUT", 0.1)
    monkeypatch.setattr("webui.server.serving.CONNECTIONS", 1)
    with serving(room.app) as server:
        heard = dribble(connect(server, b""), beginning, more)
        assert answer in heard[9:12]
        assert b"200 OK" in await_page(server)


@pytest.mark.parametrize("first", [b"GET / HTTP/1.1", b"GET /seat HTTP/1.0", b"GET /events/score HTTP/1.1"])
def test_request_without_host_header_is_refused(server: Server, first: bytes) -> None:
    said = read_all(connect(server, first + b"\r\nConnection: close\r\n\r\n"))
    assert b" 400 " in said.partition(b"\r\n")[0]
    assert said.count(b"This request has no Host header: send one with the table") == 1
    assert b"Set-Cookie" not in said


def test_request_head_is_bounded(server: Server) -> None:
    phone = connect(server, b"GET / HTTP/1.1\r\nHost: x\r\n")
    with suppress(OSError):
        for _line in range(HEAD // 1000 + 1):
            phone.sendall(b"X-More: " + b"x" * 1000 + b"\r\n")
        phone.sendall(b"\r\n")
        assert read_all(phone) == b""


def test_truncated_request_head_is_ignored(room: Room, server: Server) -> None:
    links = admit_all(room.links_file)
    cookies = f"visitor=v; {links.cookie(SEAT)}={links.seats[0].token}"
    words = f"POST /seat/back HTTP/1.1\r\nHost: x\r\nCookie: {cookies}\r\n".encode()
    phone = connect(server, words)
    phone.shutdown(socket.SHUT_WR)
    assert read_all(phone) == b""


def is_listening(server: Server) -> bool:
    with connect(server, b"GET /events/score HTTP/1.1\r\nHost: x\r\n\r\n") as phone, suppress(ConnectionError):
        return b" 200 " in phone.recv(16)
    return False


@pytest.mark.parametrize("more", [b"", b"x", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"])
def test_disconnect_frees_its_slot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: bytes) -> None:
    monkeypatch.setattr("webui.server.serving.Handler.timeout", 0.3)
    monkeypatch.setattr("webui.server.events.STREAMS", 3)
    with serving(room_with(match_of(), tmp_path).app) as server:
        for _time in range(12):
            phone = connect(server, b"GET /events/score HTTP/1.1\r\nHost: x\r\n\r\n" + more)
            phone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            phone.close()
        while not is_listening(server):
            pass


def test_evicted_connection_is_not_read() -> None:
    near, far = socket.socketpair()
    handler: Any = Handler.__new__(Handler)
    handler._pending = PendingConnection(near, (HERE, 0), TEST_TIMEOUT)
    handler._hearing = PhoneInput(near, present(ConnectionLimit(1, 1).take("a")), TEST_TIMEOUT)
    with far, handler.take():
        far.sendall(b"more")
        assert handler._hearing.read(4) == b""


@pytest.mark.parametrize(
    ("kind", "own", "others", "goes"),
    [
        *(("is_slow", *row) for row in ((0, 1, True), (0, 2, True), (1, 1, False), (1, 2, True))),
        *(("is_stream", *row) for row in ((0, 1, False), (0, 2, True), (1, 2, False), (1, 3, True))),
    ],
)
def test_larger_network_is_evicted_first(kind: str, own: int, others: int, goes: bool) -> None:
    limit, (here, there) = ConnectionLimit(own + others, 9), socket.socketpair()
    with here, there:
        crowd = [limit.take("crowd", here) for _connection in range(others)]
        mine = [limit.take("mine") for _connection in range(own)]
        assert limit.take("mine") is None
        for place in (*crowd, *mine):
            setattr(place, kind, True)
        assert (limit.take("mine") is not None) == goes
        assert (limit.count("mine"), limit.count("crowd")) == (own + goes, others - goes)
        assert not goes or there.recv(1) == b""
        for place in crowd:
            present(place).leave()
        assert limit.count("crowd") == 0


def test_250_phones_survive_a_connection_flood() -> None:
    """Simulate the crowd of `tests.trust.phones`: homes of a dozen phones, strangers, and a greedy one."""
    limit = ConnectionLimit(events.STREAMS, events.STREAMS_PER_NETWORK)
    homes = [f"home {number % 20}" for number in range(250)]
    others = [f"stranger {number % 20}" for number in range(60)]
    for name in (*homes, *others, *["greedy"] * 200):
        place = limit.take(name)
        if place is not None:
            place.is_stream = True
    assert sum(limit.count(f"home {number}") for number in range(20)) == 250
    assert limit.take("a new home") is not None


def test_network_at_its_limit_loses_slow_requests_not_streams() -> None:
    limit = ConnectionLimit(9, 2)
    stream, work = (present(limit.take("a")) for _connection in range(2))
    stream.is_stream = True
    assert limit.take("a") is None
    work.is_slow = True
    assert limit.take("a") is not None
    assert limit.take("a") is None
    assert limit.count("a") == 2


def test_queued_request_is_served_once_a_slot_is_free(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.server.serving.CONNECTIONS", 1)
    monkeypatch.setattr("webui.server.serving.PER_ADDRESS", 0)
    with serving(room.app) as server:
        waiting = connect(server, GET)
        # a page for a device with a right is answered meanwhile, so the other request has been considered
        cookie = seat_cookie(room.browser().sit(0))
        assert b"200 OK" in read_all(connect(server, b"GET /seat HTTP/1.0\r\nHost: x\r\n" + cookie))
        server.places._strangers._each = 1
        assert b"200 OK" in read_all(waiting)


@pytest.mark.parametrize("asked", [3, PIECE + 1, -1, None])
def test_reads_are_bounded_per_chunk(asked: int | None) -> None:
    read = PhoneBuffer(BytesIO(bytes(3 * PIECE))).read(asked)
    assert len(read) == (PIECE if asked is None or asked < 0 else min(asked, PIECE))
