"""Send files without the right to it: `python -m tests.trust.uploads 91`, in seconds after the right was lost.

Eight uploads of each kind begin at once; then their sender is removed, and goes on sending. Eight frames begin,
and another browser becomes the camera. None may be used. Then forty requests to be the camera follow the one
of the owner's phone, from twenty addresses; none may take its place.
"""

from collections.abc import Iterator
from pathlib import Path

from firmware.storage.people.evening import CAMERAS, camera_of
from tests.given import present
from tests.scripts import say, script
from tests.webui.server.late_uploads import KINDS, Hall, SentUpload, outlast, remove, upload_of
from webui.access.viewers import CAMERA

SENDERS = 8
STRANGERS = 20


@script
def main(seconds: int, scratch: Path) -> Iterator[str]:
    def hall_of(name: str) -> Hall:
        (scratch / name).mkdir()
        return Hall(scratch / name)

    for kind in KINDS:
        hall = hall_of(kind)
        codes, late = outlast(hall, kind, SENDERS, seconds, lambda sent, hall=hall: remove(hall, sent))
        used = hall.received(kind)
        say(f"{kind}: {SENDERS} that end {late:.0f} s after their sender was removed -> {codes}, used {used}")
        yield from [f"{kind}: {used} of a removed sender were used"] if used else []
    hall = hall_of("two cameras")

    def replace(_sent: SentUpload) -> None:
        second = upload_of(hall, "frame")
        hall.frame.write_bytes(b"of the second camera")
        assert present(camera_of(hall.room.links_file.evening())).token == second.token

    codes, _late = outlast(hall, "frame", SENDERS, seconds, replace)
    is_kept = hall.frame.read_bytes() == b"of the second camera"
    say(f"frames: {SENDERS} of the camera before -> {codes}, the second camera's frame stays: {is_kept}")
    yield from [] if is_kept else ["a frame of the camera before replaced the second one's"]
    room = hall_of("crowd").room
    owner = room.browser("192.0.2.1")
    owner.send("/camera", "/camera/ask")
    addresses = (f"192.0.2.{number % STRANGERS + 2}" for number in range(2 * STRANGERS))
    codes = [room.browser(address).send("/camera", "/camera/ask").status_code for address in addresses]
    waiting = [each.token for each in room.links_file.evening().cameras]
    is_first = waiting[0] == owner.cookie(CAMERA)
    counts = f"{codes.count(303)} wait, {codes.count(409)} are refused"
    say(f"{len(codes)} requests after the owner's -> {counts}; the owner is first: {is_first}")
    if not is_first or len(waiting) != CAMERAS:
        yield f"{len(waiting)} wait, the owner first: {is_first}"
