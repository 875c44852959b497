"""`coyote bench phones`, small: its figures, and that it would see a moment that is missed or doubled."""

import json
from collections.abc import Sequence

import pytest

from firmware.benches import phones as bench
from firmware.benches.crowd import HeardMoment, Visit, is_whole
from tests.firmware.conftest import Coyote

TOLD = [("a#0", 1.0), ("a#1", 2.0), ("a#2", 3.0)]


def make_delivery(*names: Sequence[str]) -> bench.Delivery:
    heard = [HeardMoment(phone, name, 5.0, 0.5) for phone, each in enumerate(names) for name in each]
    return bench._delivery(TOLD, Visit(tuple(heard), (), 0, 0), len(names))


def test_every_moment_comes_to_every_phone_once(coyote: Coyote, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, small in (("BARE_ROUNDS", 3), ("ALONE", 0.5), ("PACE", 0.3), ("LATE", 1.0)):
        monkeypatch.setattr(bench, name, small)
    said = coyote("bench phones --phones 9 --slow 4 --minutes 0.05 --json")
    assert said.code == 0, said.err
    figures = json.loads(said.out)["figures"]
    assert figures["delivered"]["moments"] > 2
    assert [figures["delivered"][name] for name in ("missed", "doubled", "lost")] == [0, 0, 0]
    assert figures["events"]["count"] > 9
    assert figures["unanswered"] == 0
    assert figures["weight"]["bytes"] < 60_000
    assert figures["weight"]["holding"] == 0


def test_a_phone_begins_with_the_moment_that_it_hears_first() -> None:
    told = make_delivery(["a#0", "a#1", "a#2"], ["a#1", "a#2"])
    assert (told.missed, told.doubled, told.heard) == (0, 0, 5)


def test_what_is_missed_or_doubled_is_seen() -> None:
    assert make_delivery(["a#0", "a#2"]).missed == 1
    assert make_delivery(["a#0"], []).missed == 5
    assert make_delivery(["a#0", "a#1", "a#1", "a#2"]).doubled == 1


def test_a_page_is_whole_with_its_last_byte() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"
    assert is_whole(head + b"abc")
    assert not is_whole(head + b"ab")
    assert not is_whole(head.replace(b"200", b"503") + b"abc")
