"""Send files without the right to it: `python -m tests.trust.uploads 91`, in seconds after the right was lost.

Eight uploads of each kind begin at once; then their sender is removed, and goes on sending. Eight frames begin,
and another browser becomes the camera. None may be used. Then forty requests to be the camera follow the one
of the owner's phone, from twenty addresses; none may take its place.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from firmware.storage.people.evening import CAMERAS, camera_of
from tests.given import present
from tests.trust.telling import finish, say, wishes
from tests.webui.server.late_uploads import KINDS, Hall, SentUpload, outlast, remove, upload_of
from webui.access.viewers import CAMERA

SENDERS = 8
STRANGERS = 20


def main() -> None:
    wish, wrong = wishes(__doc__, "seconds"), list[str]()
    for kind in KINDS:
        wrong += send_after_removal(kind, wish.seconds)
    wrong += send_after_replacement(wish.seconds)
    wrong += crowd_the_list()
    finish(wrong=wrong)


def send_after_removal(kind: str, seconds: float) -> list[str]:
    with TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        codes, late = outlast(hall, kind, SENDERS, seconds, lambda sent: remove(hall, sent))
        used = hall.received(kind)
    say(f"{kind}: {SENDERS} that end {late:.0f} s after their sender was removed -> {codes}, used {used}")
    return [f"{kind}: {used} of a removed sender were used"] if used else []


def send_after_replacement(seconds: float) -> list[str]:
    with TemporaryDirectory() as folder:
        hall = Hall(Path(folder))

        def replace(_sent: SentUpload) -> None:
            second = upload_of(hall, "frame")
            hall.frame.write_bytes(b"of the second camera")
            assert present(camera_of(hall.room.links_file.evening())).token == second.token

        codes, _late = outlast(hall, "frame", SENDERS, seconds, replace)
        is_kept = hall.frame.read_bytes() == b"of the second camera"
    say(f"frames: {SENDERS} of the camera before -> {codes}, the second camera's frame stays: {is_kept}")
    return [] if is_kept else ["a frame of the camera before replaced the second one's"]


def crowd_the_list() -> list[str]:
    with TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        owner = hall.room.browser("192.0.2.1")
        owner.send("/camera", "/camera/ask")
        codes = [
            hall.room.browser(f"192.0.2.{number % STRANGERS + 2}").send("/camera", "/camera/ask").status_code
            for number in range(2 * STRANGERS)
        ]
        waiting = [each.token for each in hall.room.links_file.evening().cameras]
        is_first = waiting[0] == owner.cookie(CAMERA)
    counts = f"{codes.count(303)} wait, {codes.count(409)} are refused"
    say(f"{len(codes)} requests after the owner's -> {counts}; the owner is first: {is_first}")
    return [] if is_first and len(waiting) == CAMERAS else [f"{len(waiting)} wait, the owner first: {is_first}"]


if __name__ == "__main__":
    main()
