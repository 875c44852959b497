"""The table needs no network: it plays without any other machine, and says nothing to machines elsewhere."""

from pathlib import Path

import pytest

from tests.firmware.start.offline import is_near, play_offline


def test_a_table_plays_without_a_network_and_asks_for_none(tmp_path: Path) -> None:
    played = play_offline(tmp_path, answers=6, seconds=240)
    assert played.answers >= 6
    # the hook hears: at least which way the phones would come
    assert any("192.0.2.1" in line for line in played.heard)
    assert played.far == ()


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("socket.connect '/run/systemd/notify'", True),
        ("socket.connect ('127.0.0.1', 8000)", True),
        ("socket.connect ('::1', 8000, 0, 0)", True),
        ("socket.connect.datagram ('192.0.2.1', 9)", True),
        ("socket.connect.datagram ('2001:db8::1', 9)", True),
        ("socket.connect ('192.0.2.1', 9)", False),
        ("socket.connect ('2001:db8::1', 9)", False),
        ("socket.connect ('93.184.216.34', 443)", False),
        ("socket.getaddrinfo 'example.org'", False),
        ("socket.getaddrinfo b'example.org'", False),
        ("socket.getaddrinfo '0.0.0.0'", True),
    ],
)
def test_what_is_near(line: str, near: bool) -> None:
    assert is_near(line) == near
