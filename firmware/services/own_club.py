"""The table's club: join, leave and call the director while the table runs."""

from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import closing
from pathlib import Path
from secrets import token_hex
from threading import RLock, Thread
from typing import TYPE_CHECKING

from msgspec import Struct

from firmware.board_events import DirectorHeld
from firmware.integrations.club_messages import MAX_EVIDENCE, CallAnswer, ClubCall, ClubNote
from firmware.language.speaking import Sentence, problem_sentence, say
from firmware.storage.club import MEMBERSHIP, Membership
from firmware.table.client import TableClient
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from referee.match import Match
from vision.pictures import jpeg_within
from vision.troubles import TroubleError

if TYPE_CHECKING:
    from firmware.integrations.club_link import ClubLink

STOP_CHECK_INTERVAL = 0.5  # seconds between checks whether the table ends
FORGET_TIMEOUT = 30.0  # seconds for the journal to forget a name


class ClubLinkStatus(Struct, frozen=True):
    """The club and the state of the link to it; without a name, the table is in no club."""

    club: str = ""
    title: str = ""  # the club's name for this table
    is_connected: bool = False
    is_refused: bool = False
    waiting: int = 0  # lines that aren't in the club's database yet
    why: str = ""
    note: ClubNote = ClubNote()
    unheard: int = 0  # calls for the director that the club hasn't received
    calls: Sequence[CallAnswer] = ()

    @property
    def told(self) -> str:
        """The club's current message to this table."""
        return " · ".join(filter(None, (self.note.title, self.note.text)))

    @property
    def seats(self) -> tuple[str, ...]:
        """Names of the players assigned to this table."""
        return tuple(seat.name for seat in self.note.seats)


class OwnClub:
    """The table's club, if any; joining and leaving need no restart."""

    def __init__(
        self, state: Path, journal: Path, client: TableClient, newest_picture: Callable[[], bytes | None]
    ) -> None:
        self._state, self._journal, self._client = state, journal, client
        self._newest_picture = newest_picture
        self._lock = RLock()
        self._membership: Membership | None = None
        self._link: ClubLink | None = None
        self._ear: Thread | None = None
        self._begin()

    def close(self) -> None:
        """Disconnect until the next start."""
        self._end_link()
        if self._ear is not None:
            self._ear.join(2 * STOP_CHECK_INTERVAL)

    def status(self) -> ClubLinkStatus:
        with self._lock:
            membership, link = self._membership, self._link
        return ClubLinkStatus() if membership is None or link is None else _status(membership, link)

    def join(self, address: str, code: str) -> Sentence | None:
        # imported here, so that tables without a club start without an HTTP client
        from firmware.integrations.club_joining import join  # noqa: PLC0415

        try:
            MEMBERSHIP.keep(self._state, join(address, code))
        except TroubleError as error:
            return problem_sentence(error.problem)
        except OSError as error:
            return say("The club's key can't be saved: {why}", why=error.strerror or str(error))
        with self._lock:
            self._end_link()
            self._begin()
        return None

    def leave(self) -> None:
        """Leave the club, which retains this table's matches."""
        with self._lock:
            MEMBERSHIP.drop(self._state)
            self._end_link()

    def call_director(self, who: str, why: str) -> Sentence | None:
        """Call the director to this table, with the picture behind the last ruling."""
        match = self._client.moment()
        # Base64 encodes three bytes in four letters
        picture = b64encode(jpeg_within(self._newest_picture() or b"", MAX_EVIDENCE // 4 * 3)).decode()
        call = ClubCall(token_hex(8), who, why, match.setup.begun, match.number, picture)
        with self._lock:
            link = self._link
        return say("The director has been called already.") if link is None or not link.call(call) else None

    def hold(self, held: DirectorHeld) -> None:
        """Call the director by a seat's button and confirm it aloud; does nothing without a club."""
        names = self._client.moment().setup.names
        if self._membership is None or held.seat >= len(names):
            return
        why = self.call_director(names[held.seat], "")
        self._client.say(Notice(NoticeKey.DIRECTOR_CALLED_ALREADY if why else NoticeKey.DIRECTOR_CALLED))

    def _begin(self) -> None:
        """Connect to the club, if any; otherwise the MQTT library isn't loaded."""
        membership = MEMBERSHIP.read(self._state)
        if membership is not None:
            from firmware.integrations.club_link import ClubLink  # noqa: PLC0415

            with self._lock:
                self._membership = membership
                self._link = link = ClubLink(membership, self._journal, self._forget)
                self._ear = Thread(target=self._follow, args=(link,), name="club ear", daemon=True)
            self._ear.start()

    def _end_link(self) -> None:
        with self._lock:
            link, self._link, self._membership = self._link, None, None
        if link is not None:
            link.close()

    def _follow(self, link: "ClubLink") -> None:
        """Make the link check the journal after each moment, and announce answers to its calls."""
        told = link.calls
        with closing(self._client.subscribe()) as listening:
            while self._link is link:
                if isinstance(listening.next(STOP_CHECK_INTERVAL), Match):
                    link.look()
                before, told = told, link.calls
                for answer in _news(before, told):
                    self._client.say(answer)

    def _forget(self, name: str) -> None:
        try:
            told = self._client.forget(name).result(FORGET_TIMEOUT)
        except (TimeoutError, CancelledError) as error:
            raise OSError(str(say("the journal is busy"))) from error
        if isinstance(told, Notice):
            raise OSError(told.key)


def _news(before: Sequence[CallAnswer], now: Sequence[CallAnswer]) -> Iterator[Notice]:
    """Yield the director's new answers; calls unknown to the table before are not news."""
    known = {each.id: each for each in before}
    for call in now:
        if known.get(call.id, call) != call:
            yield Notice(
                NoticeKey.DIRECTOR_RULES if call.state == "done" else NoticeKey.DIRECTOR_COMES,
                {"answer": call.answer},
            )


def _status(membership: Membership, link: "ClubLink") -> ClubLinkStatus:
    is_connected, is_refused = link.state == "connected", link.state == "refused"
    here = membership.club, membership.title, is_connected, is_refused
    return ClubLinkStatus(*here, link.waiting, link.why, link.note, link.unheard(), link.calls[:2])
