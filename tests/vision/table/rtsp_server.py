"""Tiny RTSP servers, a good camera and hostile ones."""

import socket
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from struct import pack
from threading import Thread

LOGIN = f"Basic {b64encode(b'ana:secret').decode()}"
PACKET = 7 * 188  # bytes of an MPEG transport stream in one packet
SDP = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=video 0 RTP/AVP 33\r\na=control:track\r\n"

Answer = Callable[[socket.socket, str], None]
"""Answers a request, which is given as its text."""


def show_film(film: bytes) -> Answer:
    """Return an RTSP camera that sends a transport stream on the control connection to logged-in clients."""

    def answer(line: socket.socket, request: str) -> None:
        if f"Authorization: {LOGIN}" not in request and not request.startswith("OPTIONS"):
            reply(line, request, "401 Unauthorized", 'WWW-Authenticate: Basic realm="camera"\r\n')
        elif request.startswith("DESCRIBE"):
            reply(line, request, "200 OK", "Content-Type: application/sdp\r\n", SDP)
        elif request.startswith("SETUP"):
            reply(line, request, "200 OK", "Session: 1\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n")
        else:
            reply(line, request, "200 OK", "Session: 1\r\n")
        if request.startswith("PLAY"):
            for number, start in enumerate(range(0, len(film), PACKET)):
                packet = pack(">BBHII", 0x80, 33, number, 3600 * number, 1) + film[start : start + PACKET]
                line.sendall(pack(">cBH", b"$", 0, len(packet)) + packet)

    return answer


def refuse(status: str, head: str = "") -> Answer:
    return lambda line, request: reply(line, request, status, head)


def describe_endlessly(line: socket.socket, request: str) -> None:
    """Announce a description of two gigabytes, and send it."""
    reply(line, request, "200 OK", "Content-Type: application/sdp\r\nContent-Length: 2000000000\r\n")
    while True:
        line.sendall(bytes(1_000_000))


def reply(line: socket.socket, request: str, status: str, head: str = "", body: str = "") -> None:
    number = request.partition("CSeq:")[2].split()[0]
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    line.sendall(f"RTSP/1.0 {status}\r\nCSeq: {number}\r\n{head}{length}\r\n{body}".encode())


@contextmanager
def rtsp_server(answer: Answer) -> Iterator[str]:
    """Serve a camera; returns its place, as `127.0.0.1:8000`."""

    def accept() -> None:
        with suppress(OSError):
            while True:
                Thread(target=serve, args=(server.accept()[0],), daemon=True).start()

    def serve(line: socket.socket) -> None:
        with line, line.makefile("rb") as incoming, suppress(OSError):
            request = ""
            for each in incoming:
                request += each.decode()
                if not each.strip():
                    answer(line, request)
                    request = ""

    with socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=accept, daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
