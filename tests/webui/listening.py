"""Events as a browser reads them."""

from collections.abc import Iterator
from random import Random

from referee.match import Match
from tests.referee.tables import after_any
from tests.webui.room import Room


class Event(dict[str, str]):
    """What a phone is sent: its kind, its name, its text."""


def events_of(stream: Iterator[bytes]) -> Iterator[Event]:
    """Read events as a browser does."""
    for chunk in stream:
        fields: dict[str, list[str]] = {}
        for line in chunk.decode().splitlines():
            name, _colon, text = line.partition(": ")
            fields.setdefault(name.rstrip(":"), []).append(text)
        if fields.get("event", ["clock"]) != ["clock"]:
            yield Event({name: "\n".join(texts) for name, texts in fields.items()})


def listen(room: Room, page: str = "score", last: str = "", seat: int | None = None) -> Iterator[Event]:
    phone = room.browser() if seat is None else room.browser().sit(seat)
    response = phone.get(f"/events/{page}", {"Last-Event-ID": last} if last else None)
    assert response.status_code == 200
    assert response.mimetype == "text/event-stream"
    return events_of(response.iter_encoded())


def move_on(room: Room, rng: Random) -> Match:
    match = after_any(room.door.match, rng)
    room.door.tell(match)
    return match
