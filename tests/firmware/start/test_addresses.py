"""The address that invitations and codes name is one by which a phone can come."""

import re
import socket
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from threading import Thread

import pytest

from firmware.start import addresses
from firmware.start.addresses import Interface, address, best_address, interfaces, named_address, own_name

WIFI, CABLE, DOCKER = (
    Interface("wlan0", "10.42.0.1"),
    Interface("eth0", "192.168.1.9"),
    Interface("docker0", "172.17.0.1"),
)


@pytest.mark.parametrize(
    ("found", "best"),
    [
        ((CABLE, WIFI), WIFI.address),
        ((DOCKER, CABLE), CABLE.address),
        ((DOCKER,), None),
        ((), None),
    ],
)
def test_phones_come_by_wifi_first_and_by_nothing_that_only_programs_use(
    found: tuple[Interface, ...], best: str | None
) -> None:
    assert best_address(found) == best


def test_a_table_with_a_wifi_of_its_own_and_no_way_into_the_world_names_its_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(addresses, "_routed_address", lambda *_way: None)
    monkeypatch.setattr(addresses, "interfaces", lambda: iter((WIFI,)))
    assert address(8000) == "http://10.42.0.1:8000/"
    monkeypatch.setattr(addresses, "interfaces", lambda: iter(()))
    assert address(8000, "https") == "https://127.0.0.1:8000/"


def test_what_is_listed_here_are_addresses_that_others_can_know() -> None:
    for each in interfaces():
        assert each.name
        assert not ip_address(each.address).is_loopback


def test_the_address_is_one_that_phones_can_reach() -> None:
    assert re.fullmatch(r"http://\d+\.\d+\.\d+\.\d+:8000/", address(8000))


@pytest.mark.parametrize(
    ("own", "shown"),
    [
        ({socket.AF_INET: "10.0.0.7", socket.AF_INET6: "fd00::7"}, "http://10.0.0.7:8000/"),
        ({socket.AF_INET6: "fd00::7"}, "http://[fd00::7]:8000/"),
        ({}, "http://127.0.0.1:8000/"),
    ],
)
def test_where_there_is_only_ipv6_its_address_is_shown(
    monkeypatch: pytest.MonkeyPatch, own: Mapping[socket.AddressFamily, str], shown: str
) -> None:
    monkeypatch.setattr(addresses, "_routed_address", lambda family, _far: own.get(family))
    monkeypatch.setattr(addresses, "interfaces", lambda: iter(()))
    assert address(8000) == shown


def test_the_port_that_browsers_take_isnt_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        addresses, "_routed_address", lambda family, _far: {socket.AF_INET: "10.0.0.7"}.get(family)
    )
    assert (address(80), address(443, "https")) == ("http://10.0.0.7/", "https://10.0.0.7/")
    assert named_address("coyote.local", 80, "http") == "http://coyote.local/"
    assert named_address("", 80, "http") == ""


def _avahi(folder: Path, answer: bytes) -> tuple[Path, list[bytes]]:
    """Answer one question as avahi does."""
    place, asked = folder / "socket", list[bytes]()
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.bind(str(place))
    server.listen()

    def serve() -> None:
        with server, server.accept()[0] as line:
            asked.append(line.recv(1000))
            line.sendall(answer)

    Thread(target=serve, daemon=True).start()
    return place, asked


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (b"+ 3 0 coyote.local 10.42.0.1\n", "coyote.local"),
        # another machine has the name: avahi calls us coyote-2 then
        (b"+ 3 0 coyote.local 10.42.0.77\n", None),
        (b"-15 Timeout reached\n", None),
        (b"\xff\xfe\n", None),
        (b"", None),
    ],
)
def test_a_name_is_said_only_if_it_leads_to_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: bytes, name: str | None
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "coyote.example.org")
    monkeypatch.setattr(addresses, "interfaces", lambda: iter((WIFI, CABLE)))
    avahi, asked = _avahi(tmp_path, answer)
    assert own_name(avahi) == name
    assert asked == [b"RESOLVE-HOSTNAME-IPV4 coyote.local\n"]


def test_without_avahi_and_with_a_strange_name_none_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert own_name(tmp_path / "nothing") is None
    monkeypatch.setattr(socket, "gethostname", lambda: "a\nQUIT")
    avahi, asked = _avahi(tmp_path, b"+ 3 0 x 10.42.0.1\n")
    assert own_name(avahi) is None
    assert asked == []
