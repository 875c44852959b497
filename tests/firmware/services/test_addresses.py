"""Addresses and ports in invitations and codes are reachable by phones."""

import socket
from collections.abc import Mapping
from pathlib import Path
from threading import Thread

import pytest

from firmware.services import addresses

WIFI, CABLE, DOCKER = (
    addresses.Interface("wlan0", "10.42.0.1"),
    addresses.Interface("eth0", "192.168.1.9"),
    addresses.Interface("docker0", "172.17.0.1"),
)
V4, V6 = socket.AF_INET, socket.AF_INET6


@pytest.mark.parametrize(
    ("own", "found", "asked", "shown"),
    [
        ({V4: "10.0.0.7", V6: "fd00::7"}, (), (8000, "http"), "http://10.0.0.7:8000/"),
        ({V6: "fd00::7"}, (), (8000, "http"), "http://[fd00::7]:8000/"),
        ({}, (CABLE, WIFI), (8000, "http"), "http://10.42.0.1:8000/"),
        ({}, (DOCKER, CABLE), (8000, "http"), "http://192.168.1.9:8000/"),
        ({}, (DOCKER,), (8000, "https"), "https://127.0.0.1:8000/"),
        ({V4: "10.0.0.7"}, (), (80, "http"), "http://10.0.0.7/"),
        ({V4: "10.0.0.7"}, (), (443, "https"), "https://10.0.0.7/"),
    ],
    ids=["the way into the world", "only IPv6", "a wifi", "a cable", "no network", "port 80", "port 443"],
)
def test_address_is_reachable_by_phones(
    monkeypatch: pytest.MonkeyPatch,
    own: Mapping[socket.AddressFamily, str],
    found: tuple[addresses.Interface, ...],
    asked: tuple[int, str],
    shown: str,
) -> None:
    monkeypatch.setattr(addresses, "_routed_address", lambda family, _far: own.get(family))
    monkeypatch.setattr(addresses, "interfaces", lambda: iter(found))
    assert addresses.address(*asked) == shown


def _answering(server: socket.socket, words: bytes) -> list[bytes]:
    asked = list[bytes]()

    def serve() -> None:
        with server, server.accept()[0] as line:
            asked.append(line.recv(1000))
            line.sendall(words)

    Thread(target=serve, daemon=True).start()
    return asked


@pytest.mark.parametrize(
    ("host", "answer", "name"),
    [
        ("coyote.example.org", b"+ 3 0 coyote.local 10.42.0.1\n", "coyote.local"),
        # another machine has the name: avahi renames us to coyote-2
        ("coyote", b"+ 3 0 coyote.local 10.42.0.77\n", None),
        ("coyote", b"\xff\xfe\n", None),
        ("coyote", b"", None),
        ("a\nQUIT", b"+ 3 0 x 10.42.0.1\n", None),
    ],
)
def test_name_is_used_only_if_it_resolves_to_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, answer: bytes, name: str | None
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: host)
    monkeypatch.setattr(addresses, "interfaces", lambda: iter((WIFI, CABLE)))
    assert addresses.own_name(tmp_path / "nothing") is None
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.bind(str(tmp_path / "socket"))
    server.listen()
    asked = _answering(server, answer)
    assert addresses.own_name(tmp_path / "socket") == name
    assert asked == ([b"RESOLVE-HOSTNAME-IPV4 coyote.local\n"] if host.startswith("coyote") else [])
    monkeypatch.setattr(addresses, "own_name", lambda: name)
    table = addresses.TableAddress(80)
    table.ask_name()
    assert table.named() == ("http://coyote.local/" if name else "")


@pytest.mark.parametrize(
    ("wished", "scheme", "may", "ports"),
    [
        (None, "http", True, (80, addresses.PORT)),
        (None, "https", True, (443, addresses.PORT)),
        (None, "http", False, (addresses.PORT,)),
        (80, "http", False, (80,)),
    ],
)
def test_tried_ports(wished: int | None, scheme: str, *, may: bool, ports: tuple[int, ...]) -> None:
    assert addresses.ports_to_try(wished, scheme, may_take_low=may) == ports
    assert addresses.port_in_address(80, scheme) == ("" if scheme == "http" else ":80")


@pytest.mark.parametrize(
    ("status", "may"),
    [
        ("CapEff:\t0000000000000000\nCapAmb:\t0000000000000400\n", True),
        # root may use port 80, but a program started by hand didn't ask for it
        ("CapEff:\t000001ffffffffff\nCapAmb:\t0000000000000000\n", False),
        ("CapAmb:\tnonsense\n", False),
        ("", False),
    ],
)
def test_port_capability_is_detected(tmp_path: Path, status: str, *, may: bool) -> None:
    (tmp_path / "status").write_text(status, encoding="ascii")
    assert addresses.may_take_low_ports(tmp_path / "status") is may
    assert not addresses.may_take_low_ports(tmp_path / "nothing")


def test_table_is_found_by_its_open_port() -> None:
    told = (b"Server: nginx\r\n\r\n", b"\x00\xff nothing\r\n", b"Server: coyote\r\n\r\n")
    servers = [socket.create_server(("127.0.0.1", 0)) for _server in told]
    other, rude, ours = (int(server.getsockname()[1]) for server in servers)
    for server, words in zip(servers, told, strict=True):
        _answering(server, b"HTTP/1.1 200 OK\r\n" + words)
    assert addresses.table_port((other, rude, ours)) == ours
    assert addresses.table_port((other,)) is None
