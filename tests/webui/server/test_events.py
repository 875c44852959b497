"""Events: every moment is sent, and a disconnected phone frees its listener."""

from collections.abc import Iterator, Mapping
from functools import partial
from random import Random
from zlib import decompressobj

from msgspec.structs import replace

from firmware.table.hosting import name_seat
from referee.match import Match, begin
from tests.given import allowed
from tests.webui.access.letting_in import release_seat
from tests.webui.matches import open_round
from tests.webui.room import Room, events_of, listen, move_on, said
from webui.server.broadcast import MatchChange
from webui.server.events import REPLAYED, event_id, missed_moments

GZIP = 31


def test_reconnecting_phone_receives_missed_events(room: Room) -> None:
    rng, heard, before = Random(2), listen(room), room.client.match
    last = next(heard)["id"]
    matches = [move_on(room, rng) for _moment in range(6)]
    again = listen(room, last=last)
    assert [next(again)["id"] for _match in matches] == [event_id(match) for match in matches]
    assert next(again)["event"] == "beat"
    # a long gap replays the newest ones
    matches += [move_on(room, rng) for _moment in range(REPLAYED)]
    assert missed_moments(before, matches[-1]) == matches[-REPLAYED:]


def test_slow_listener_loses_no_moment(room: Room) -> None:
    """The client drops the oldest events of a slow listener; its moments are recovered."""
    rng, heard = Random(3), listen(room)
    first = next(heard)["id"]
    matches = [move_on(room, rng) for _moment in range(9)]
    (news,) = room.client._listeners
    for _left_out in matches[:-1]:
        news.next()
    assert [next(heard)["id"] for _match in matches] == [event_id(match) for match in matches]
    assert first not in [event_id(match) for match in matches]


def end_and_begin(room: Room, answers: int = 4) -> tuple[list[Match], list[Match]]:
    rng, end = Random(6), [room.client.match]
    end += [move_on(room, rng) for _moment in range(answers)]
    begun = allowed(begin(replace(room.client.match.setup, begun="2026-01-02T22:00:00+01:00")))
    room.client.tell(begun)
    return end, [begun, *(move_on(room, rng) for _moment in range(2))]


def test_reconnect_after_a_match_change_reports_the_last_result(room: Room) -> None:
    end, begun = end_and_begin(room)
    turn, others = MatchChange(end[-1], begun[0]), replace(begun[0].setup, names=("Zoë", "Bo", "Dan"))
    elsewhere = replace(begun[0], setup=others)
    for last, now, change, missed in (
        (end[2], begun[-1], turn, [*end[3:], *begun]),
        (end[-1], begun[-1], turn, begun),
        (end[-1], begun[0], turn, begun[:1]),
        (None, begun[-1], turn, begun[-1:]),
        # whole matches in between are skipped
        (end[2], begun[-1], None, begun[-1:]),
        (end[2], begun[-1], MatchChange(begun[0], end[0]), begun[-1:]),
        # other players miss nothing: the last match wasn't theirs
        (end[2], elsewhere, MatchChange(end[-1], elsewhere), [elsewhere]),
    ):
        assert missed_moments(last, now, change) == missed


def test_name_change_reaches_all_listeners(room: Room) -> None:
    heard, phone = listen(room), listen(room, "seat", seat=0)
    for stream in (heard, phone):
        assert "Chloé" in next(stream)["data"]
    room.client.host(partial(name_seat, 2, "Zoë"))
    for stream in (heard, phone):
        event = next(stream)
        assert (event["event"], event["id"]) == ("moment", event_id(room.client.match))
        assert "Zoë" in event["data"]
        assert "Chloé" not in event["data"]
        # the question was answered before
        assert next(stream)["event"] == "beat"


def test_notices_and_faults_are_sent(room: Room) -> None:
    heard = listen(room)
    next(heard)
    room.client.tell(said("a card lies face down\nturn it"))
    event = next(heard)
    assert (event["event"], event["data"]) == ("notice", "a card lies face down\nturn it")
    room.client.lasting = (said("no camera"),)
    event = next(heard)
    assert event["event"] == "moment"
    assert "no camera" in event["data"]
    assert next(heard)["event"] == "beat"
    assert next(heard)["event"] == "beat"


def test_stream_ends_with_its_right(room: Room) -> None:
    """The streams of a seat and of the host are refused, and end as soon as their device loses its right."""
    seated, host, other = room.browser().sit(0), room.browser().host(), room.browser().host()
    assert "event: gone" in room.browser().get("/events/seat").text
    assert room.client._listeners == []
    for phone in (room.browser(), seated):
        assert "event: gone" in phone.get("/events/host").text
    seat, hosts = (
        events_of(phone.get(f"/events/{page}").iter_encoded())
        for phone, page in ((seated, "seat"), (host, "host"))
    )
    assert "You are Ana." in next(seat)["data"]
    next(hosts)
    release_seat(room.links_file, 0)
    other.send("/host/people", "/host/pin")
    move_on(room, Random(5))
    assert [event["event"] for event in seat] == ["gone"]
    assert [event["event"] for event in hosts][-1] == "gone"


def test_host_page_is_notified_when_outdated(room: Room) -> None:
    host = room.browser().host()
    heard = events_of(host.get("/events/host").iter_encoded())
    assert next(heard)["event"] == "change"
    assert [next(heard)["event"] for _beat in range(3)] == ["beat"] * 3
    phone = room.browser().sit(1)
    assert next(heard)["event"] == "change"
    phone.send("/seat", "/seat/hand-over")
    for change in (lambda: room.client.tell(open_round(room.client.match)), room.client.pause):
        assert [event["event"] for event in (next(heard), next(heard))] == ["beat", "change"]
        change()
    assert [event["event"] for event in (next(heard), next(heard))] == ["beat", "change"]


# compressed streams equal uncompressed ones, byte by byte and without delay


def stream_of(room: Room, asked: str) -> tuple[Mapping[str, str], Iterator[bytes]]:
    response = room.browser().get("/events/score", {"Accept-Encoding": asked})
    return response.headers, response.iter_encoded()


def test_each_compressed_chunk_is_readable_on_arrival(room: Room) -> None:
    rng, plain = Random(1), stream_of(room, "")[1]
    headers, packed = stream_of(room, "gzip, deflate")
    assert headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in headers["Vary"]
    unpack = decompressobj(GZIP)
    assert unpack.decompress(next(packed)).startswith(b"retry:")
    next(plain)
    for _moment in range(4):
        sent, said = next(packed), next(plain)
        assert unpack.decompress(sent) == said
        assert len(sent) < len(said) / 3
        move_on(room, rng)
