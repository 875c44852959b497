"""A service's phones needn't name a port; whoever may not take that one has 8000."""

import socket
from pathlib import Path
from threading import Thread

import pytest

from firmware.start.ports import PORT, may_take_low_ports, port_in_address, ports_to_try, table_port


@pytest.mark.parametrize(
    ("wished", "scheme", "may", "ports"),
    [
        (None, "http", True, (80, PORT)),
        (None, "https", True, (443, PORT)),
        (None, "http", False, (PORT,)),
        (8123, "http", True, (8123,)),
        (80, "http", False, (80,)),
    ],
)
def test_which_ports_are_tried(wished: int | None, scheme: str, *, may: bool, ports: tuple[int, ...]) -> None:
    assert ports_to_try(wished, scheme, may_take_low=may) == ports


@pytest.mark.parametrize(
    ("status", "may"),
    [
        ("CapEff:\t0000000000000000\nCapAmb:\t0000000000000400\n", True),
        # root may take port 80, but a program started by hand did not ask for it
        ("CapEff:\t000001ffffffffff\nCapAmb:\t0000000000000000\n", False),
        ("CapAmb:\tnonsense\n", False),
        ("", False),
    ],
)
def test_who_was_given_the_right(tmp_path: Path, status: str, *, may: bool) -> None:
    (tmp_path / "status").write_text(status, encoding="ascii")
    assert may_take_low_ports(tmp_path / "status") is may
    assert not may_take_low_ports(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("port", "scheme", "written"),
    [(80, "http", ""), (443, "https", ""), (80, "https", ":80"), (8000, "http", ":8000")],
)
def test_an_address_names_only_a_port_that_browsers_dont_take_by_themselves(
    port: int, scheme: str, written: str
) -> None:
    assert port_in_address(port, scheme) == written


def _answering(words: bytes) -> int:
    """Answer one request, and give the port."""
    server = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        with server, server.accept()[0] as line:
            line.recv(1000)
            line.sendall(words)

    Thread(target=answer, daemon=True).start()
    return int(server.getsockname()[1])


def test_a_table_is_found_by_the_port_that_it_answers_at() -> None:
    other = _answering(b"HTTP/1.1 200 OK\r\nServer: nginx\r\n\r\n")
    rude = _answering(b"\x00\xff nothing of the web\r\n")
    ours = _answering(b"HTTP/1.1 200 OK\r\nServer: coyote\r\n\r\n")
    assert table_port((other, rude, ours)) == ours
    assert table_port((other,)) is None
