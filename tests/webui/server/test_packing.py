"""Packed streams of events: what a browser unpacks is what others are sent, at once and to the byte."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from zlib import decompressobj

from hardware.twin.player import any_answer
from referee.match import Match, enter
from tests.webui.room import Room
from webui.server.packing import HEAD, pack_piece

GZIP = 31
MOMENTS = 4


def stream_of(room: Room, page: str, **headers: str) -> tuple[dict[str, str], Iterator[bytes]]:
    response = room.browser().get(page, headers)
    assert response.status_code == 200
    return dict(response.headers), response.iter_encoded()


def move_on(room: Room, rng: Random) -> None:
    match = room.door.match
    after = enter(match, any_answer(match.asks, match.number, rng))
    assert isinstance(after, Match)
    room.door.tell(after)


def test_each_piece_can_be_read_when_it_comes(room: Room) -> None:
    rng = Random(1)
    plain = stream_of(room, "/events/score")[1]
    headers, packed = stream_of(room, "/events/score", **{"Accept-Encoding": "gzip, deflate"})
    assert headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in headers["Vary"]
    unpack = decompressobj(GZIP)
    assert unpack.decompress(next(packed)).startswith(b"retry:")
    next(plain)
    for _moment in range(MOMENTS):
        sent = next(packed)
        said = next(plain)
        assert unpack.decompress(sent) == said
        assert len(sent) < len(said) / 3
        move_on(room, rng)


def test_who_asks_for_nothing_packed_is_sent_nothing_packed(room: Room) -> None:
    for asked in ({}, {"Accept-Encoding": "identity"}, {"Accept-Encoding": "gzip;q=0"}):
        headers, said = stream_of(room, "/events/score", **asked)
        assert "Content-Encoding" not in headers
        assert next(said).startswith(b"retry:")


def test_pieces_follow_each_other_in_any_order() -> None:
    pieces = [bytes([number]) * 3000 for number in range(9)]
    for seed in range(5):
        shuffled = Random(seed).sample(pieces, len(pieces))
        unpack = decompressobj(GZIP)
        unpack.decompress(HEAD)
        assert [unpack.decompress(pack_piece(piece)) for piece in islice(shuffled, 5)] == shuffled[:5]
