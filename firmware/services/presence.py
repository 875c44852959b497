"""Proof that a phone is at the table, by a code that only the table shows, or by its buttons; pure.

A code is shown on the computer's own screen or the digits, or spoken; the first phone that sends it uses it up.
If nothing can show a code, a random button is drawn: its lamp blinks for one phone, which must press it three
times. A press of any other button belongs to the game and ends the attempt.

Networks that request a button wait in a queue, first come, first served. A place expires when its network stops
asking, so that a phone with a new address doesn't block others for long.
"""

from collections.abc import Callable, Mapping
from secrets import choice
from threading import Lock
from time import monotonic
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from firmware.board_events import Edge, TableSign
from firmware.storage.people.links import draw_claim_code, is_same
from firmware.table.client import TableClient
from firmware.table.effects import ShowSign
from hardware.board.board import Board, keys
from hardware.board.lamps import all_lamps
from referee.match import Match, is_going_on

MAX_DRAWS, HOUR = 20, 3600.0
"""Maximum draws per hour for all networks that had one in the last hour."""
FIRST_DRAWS, FIRST_INTERVAL = 6, 90.0
"""Maximum burst of first draws for all newcomers, and seconds until another one: 46 an hour at most."""
CODE_LIFETIME, DRAW_LIFETIME = 600.0, 45.0
"""Seconds until a code, or a drawn button, expires."""
PLACE_LIFETIME = 90.0
"""Seconds until a place in the queue expires after its network's last request."""
MAX_ASK_INTERVAL = 45.0
"""Maximum seconds between requests of a waiting phone, well before its place expires."""
MAX_PLACES = 5000  # places in the queue; newcomers get none while it is full
PRESSES, PRESS_WINDOW = 3, 10.0
"""Required presses of the drawn button, and the seconds they may take."""
QUIET_TIME = 60.0
"""Seconds without any press before a button is drawn, because players press buttons."""
CLAIM_COOLDOWN = 60.0  # seconds after a claim during which a network can't draw again


class Draw(Struct, frozen=True):
    """A drawn button: the time, the network, and whether it was its first within the hour."""

    at: float
    network: str
    is_first: bool


class Place(Struct, frozen=True):
    """A network in the queue, with the times of its first and last request."""

    network: str
    since: float
    asked: float


class Presence(Struct, frozen=True):
    """The current code or button, and the draws of the last hour."""

    code: str = ""
    seat: int | None = None
    phone: str = ""  # the browser for which a button was drawn
    presses: tuple[float, ...] = ()
    until: float = 0.0
    draws: tuple[Draw, ...] = ()
    queue: tuple[Place, ...] = ()  # waiting networks, oldest first
    played_at: float = float("-inf")
    """Time of the last press of a button that wasn't drawn, presumably for the game."""

    @property
    def is_open(self) -> bool:
        return bool(self.code) or self.seat is not None

    @property
    def is_pressed(self) -> bool:
        return self.seat is not None and len(self.presses) >= PRESSES


def closed(presence: Presence) -> Presence:
    """Drop the code and the drawn button; draws still count."""
    return Presence(draws=presence.draws, queue=presence.queue, played_at=presence.played_at)


def at_time(presence: Presence, now: float) -> Presence:
    """Drop everything that has expired."""
    draws = tuple(draw for draw in presence.draws if now - draw.at < HOUR)
    queue = tuple(place for place in presence.queue if now - place.asked < PLACE_LIFETIME)
    if presence.is_open and now >= presence.until:
        return closed(replace(presence, draws=draws, queue=queue))
    is_same_still = (draws, queue) == (presence.draws, presence.queue)
    return presence if is_same_still else replace(presence, draws=draws, queue=queue)


def seconds_to_wait(presence: Presence, now: float, network: str) -> float:
    """Return the seconds until a button may be drawn for a network; 0 if allowed now.

    The wait depends on the game, another network's turn, the rate limit of its kind, and the queue.
    """
    presence = at_time(presence, now)
    full, again = 0.0, [draw.at for draw in presence.draws if not draw.is_first]
    for draw in presence.draws:
        full = max(full, draw.at) + FIRST_INTERVAL if draw.is_first else full
    limits = Limits(
        full - FIRST_DRAWS * FIRST_INTERVAL,
        again[-MAX_DRAWS] + HOUR if len(again) >= MAX_DRAWS else 0.0,
        {draw.network: draw.at + DRAW_LIFETIME + CLAIM_COOLDOWN for draw in presence.draws},
    )
    until = [presence.played_at + QUIET_TIME, presence.until if presence.seat is not None else 0.0]
    until += [
        limits.until(network),
        *(place.asked + PLACE_LIFETIME for place in _before(presence, limits, now, network)),
    ]
    return max(0.0, max(until) - now)


def seconds_to_ask_again(presence: Presence, now: float, network: str) -> int:
    """Return whole seconds to wait, few enough that the place in the queue doesn't expire."""
    return int(-(-min(MAX_ASK_INTERVAL, seconds_to_wait(presence, now, network)) // 1))


class Limits(Struct, frozen=True):
    """Times at which draws are allowed: for newcomers, for other networks, and per network."""

    newcomers: float
    others: float
    own: Mapping[str, float]

    def until(self, network: str) -> float:
        return max(self.own[network], self.others) if network in self.own else self.newcomers


def _before(presence: Presence, limits: Limits, now: float, network: str) -> list[Place]:
    """Return the networks that are served before a given one.

    A newcomer waits only for earlier newcomers; any other network also waits for newcomers of the last turn.
    """
    since = next((place.since for place in presence.queue if place.network == network), now)
    is_newcomer = network not in limits.own
    turn_end = presence.draws[-1].at + DRAW_LIFETIME if presence.draws else 0.0
    before = []
    for place in presence.queue:
        is_new = place.network not in limits.own
        until = max(since, turn_end) if is_new and not is_newcomer else since
        is_earlier = place.since < until and (is_new or not is_newcomer)
        if is_earlier and place.network != network and limits.until(place.network) <= now:
            before.append(place)
    return before


def with_code(presence: Presence, now: float, draw: Callable[[], str]) -> Presence:
    """Create a code unless one is valid; wrong guesses don't replace it, or its reader would fail."""
    presence = at_time(presence, now)
    return presence if presence.code else replace(closed(presence), code=draw(), until=now + CODE_LIFETIME)


def try_code(presence: Presence, said: str, now: float) -> tuple[Presence, bool]:
    """Check a code; a correct one is used up."""
    presence = at_time(presence, now)
    is_right = bool(presence.code) and is_same(presence.code, "".join(said.split()))
    return (closed(presence) if is_right else presence), is_right


def with_button(presence: Presence, phone: str, network: str, now: float, seat: int) -> Presence:
    """Draw a button for a phone, or queue its network while another has a turn or buttons are in use."""
    presence = at_time(presence, now)
    if not phone:
        return presence
    if presence.is_open or seconds_to_wait(presence, now, network):
        return replace(presence, queue=_with_place(presence.queue, network, now))
    drawn = Draw(now, network, all(draw.network != network for draw in presence.draws))
    queue = tuple(place for place in presence.queue if place.network != network)
    counted = replace(presence, draws=(*presence.draws, drawn), queue=queue)
    return replace(counted, seat=seat, phone=phone, until=now + DRAW_LIFETIME)


def _with_place(queue: tuple[Place, ...], network: str, now: float) -> tuple[Place, ...]:
    """Add a network to the end of the queue, or refresh its place."""
    if any(place.network == network for place in queue):
        return tuple(replace(place, asked=now) if place.network == network else place for place in queue)
    return (*queue, Place(network, now, now))[:MAX_PLACES]


def with_press(presence: Presence, seat: int | None, now: float) -> Presence:
    """Count a press of the drawn button; a press of another one belongs to the game and ends the draw."""
    presence = at_time(presence, now)
    if presence.is_pressed:
        return presence
    if seat is None or seat != presence.seat:
        return replace(closed(presence) if presence.seat is not None else presence, played_at=now)
    row = tuple(at for at in presence.presses if now - at < PRESS_WINDOW)
    pressed = replace(presence, presses=(*row, now))
    # give the phone the full time again to collect its proof
    return replace(pressed, until=now + DRAW_LIFETIME) if pressed.is_pressed else pressed


def is_drawn_for(presence: Presence, phone: str) -> bool:
    return presence.seat is not None and bool(phone) and is_same(presence.phone, phone)


def take_presses(presence: Presence, phone: str, now: float) -> tuple[Presence, bool]:
    """Return whether the phone for which the button was drawn has proven its presence; works once."""
    presence = at_time(presence, now)
    if not (is_drawn_for(presence, phone) and presence.is_pressed):
        return presence, False
    return closed(presence), True


Way = Literal["screen", "digits", "speech", "lamps", "button"]
"""Outputs that can show a code, running lamps, or a button to press instead."""
Turn = Literal["free", "mine", "pressed", "other"]
"""Whose turn the button is: nobody's, this phone's (perhaps with all presses), or another's."""
REPEAT_INTERVAL = 30.0  # seconds before a code is repeated, or dropped during a match
SCREEN_TIMEOUT = 20.0  # seconds after rendering for which the computer's own screen counts as present
BOUNCE = 0.05
"""Seconds for which a contact must rest before its next edge counts as a press."""


class TablePresence:
    """The current code or button, and the time it was last shown."""

    def __init__(
        self,
        client: TableClient,
        board: Board,
        means: Callable[[], frozenset[str]],
        clock: Callable[[], float] = monotonic,
        *,
        is_there: bool = True,
    ) -> None:
        # a simulated table needs no proof, because only its own computer sees it
        self.is_there = is_there
        self._client, self._means, self._clock = client, means, clock
        buttons = {key.seat for key in keys(board) if key.role == "call"}
        self._seats = sorted({lamp.seat for lamp in all_lamps(board) if lamp.seat is not None} & buttons)
        self._lock, self._presence = Lock(), Presence()
        self._shown_sign: TableSign | None = None
        self._is_aloud = False
        """Whether a phone requested the code on more than the screen."""
        self._shown_at = self._aloud_at = self._screen_at = self._moved_at = float("-inf")

    def ways(self) -> frozenset[Way]:
        """Return the available kinds of proof; a button only if nothing can show a code."""
        means, ways = self._means(), set[Way]()
        if self._clock() - self._screen_at < SCREEN_TIMEOUT:
            ways.add("screen")
        if "digits" in means:
            ways.add("digits")
        if "speech" in means:
            ways.add("speech")
        if "lamps" in means and self._seats:
            ways.add("lamps" if ways else "button")
        return frozenset(ways)

    def wait(self, network: str) -> int:
        """Return the seconds until a network should ask for a button again; 0 if it may now."""
        return seconds_to_ask_again(self._presence, self._clock(), network)

    def code_for_screen(self, *, is_wanted: bool) -> str:
        """Return the code for the computer's own screen; creates one if wanted."""
        self._screen_at = self._clock()
        if is_wanted:
            self._change(lambda presence, now: with_code(presence, now, draw_claim_code))
        return at_time(self._presence, self._clock()).code

    def is_told(self) -> bool:
        return bool(at_time(self._presence, self._clock()).code)

    def tell(self) -> bool:
        """Announce a code; False if one was announced recently during a match, as any browser may ask."""
        now = self._clock()
        if is_going_on(self._client.moment()) and now - self._aloud_at < CODE_LIFETIME:
            return False
        self._is_aloud, self._aloud_at = True, now
        self._change(lambda presence, now: with_code(presence, now, draw_claim_code))
        return True

    def try_code(self, said: str) -> bool:
        with self._lock:
            self._presence, is_right = try_code(self._presence, said, self._clock())
        self.keep()
        return is_right

    def blink(self, phone: str, network: str) -> bool:
        """Draw a button and blink its lamp for a phone; False if it isn't this phone's turn."""
        if "button" not in self.ways() or is_going_on(self._client.moment()):
            return False
        seat = choice(self._seats)
        drawn = self._change(lambda presence, now: with_button(presence, phone, network, now, seat))
        return is_drawn_for(drawn, phone)

    def turn(self, phone: str) -> Turn:
        presence = at_time(self._presence, self._clock())
        if presence.seat is None:
            return "free"
        if not is_drawn_for(presence, phone):
            return "other"
        return "pressed" if presence.is_pressed else "mine"

    def take_presses(self, phone: str) -> bool:
        with self._lock:
            self._presence, is_proven = take_presses(self._presence, phone, self._clock())
        self.keep()
        return is_proven

    def hear_edge(self, edge: Edge, match: Match) -> bool:
        """Return whether an edge is of the drawn button; all other edges go to the game."""
        with self._lock:
            presence = at_time(self._presence, edge.at)
            if is_going_on(match) and presence.seat is not None:
                presence = self._presence = closed(presence)
            seat = edge.wire.seat if edge.wire.role == "call" else None
            is_drawn = seat is not None and seat == presence.seat
            if edge.is_down and (not is_drawn or edge.at - self._moved_at >= BOUNCE):
                self._presence = with_press(presence, seat, edge.at)
            self._moved_at = edge.at if is_drawn else self._moved_at
            return is_drawn

    def keep(self) -> None:
        """Show the current sign, repeated at intervals, and drop whatever has expired."""
        with self._lock:
            now, presence = self._clock(), at_time(self._presence, self._clock())
            is_played = is_going_on(self._client.moment())
            if presence.seat is not None and is_played:
                presence = closed(presence)
            is_enough = is_played and now - self._aloud_at >= REPEAT_INTERVAL
            self._presence, self._is_aloud = presence, self._is_aloud and bool(presence.code) and not is_enough
            sign = self._sign(presence)
            if sign != self._shown_sign or (sign is not None and now - self._shown_at >= REPEAT_INTERVAL):
                self._shown_sign, self._shown_at = sign, now
                self._client.do(ShowSign(sign))

    def _sign(self, presence: Presence) -> TableSign | None:
        """Return the sign for the outputs: a requested code, or the lamp of a button not yet pressed."""
        if presence.code and self._is_aloud:
            return TableSign(code=presence.code)
        return TableSign(seat=presence.seat) if presence.seat is not None and not presence.is_pressed else None

    def _change(self, change: Callable[[Presence, float], Presence]) -> Presence:
        with self._lock:
            self._presence = presence = change(self._presence, self._clock())
        self.keep()
        return presence
