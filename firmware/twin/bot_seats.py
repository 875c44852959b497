"""Bots for empty seats of the twin: they answer from their seat's knowledge, lay cards and tidy up."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from random import Random
from threading import Event, Lock, Thread
from time import monotonic

from msgspec import UNSET

from firmware.table.card_answers import LIKELY_NOTICES
from firmware.table.cards import show_ask
from firmware.table.client import TableClient
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from firmware.twin.world import World
from hardware.twin import tabletop
from hardware.twin.bots import BotAction, answer_for_table, bot_action
from hardware.twin.strengths import EVEN, TEMPERS, Strength
from referee.contract import Answer, Choice, Done, Mood, Refusal, Show, Zone
from referee.games.catalogue import GameError
from referee.legal import ask_named
from referee.match import Correct, Match, TakeBack, hear, name_key
from referee.verdicts import reveal_of

THINKING_TIME = 1.6  # average seconds that a bot thinks before its turn
NEXT_STEP = 0.25  # of the thinking time, before each further step of a turn
TAKE_BACK_DELAY = 8.0
"""Seconds that bots wait after an answer was taken back; people may take back several first."""
MIN_LOOK, LOOK_PER_CARD, MAX_LOOK = 3.5, 0.9, 9.0
"""Seconds that read cards stay visible: the minimum, more for each deciding card, the maximum."""
BOT_DELAY = 6.0  # seconds for which a bot lets the others answer first
LAY_AGAIN_DELAY = 2.0  # seconds before unreadable cards are laid again
PHONE_DELAY = 20.0  # seconds after which a bot whose cards aren't read answers by phone
POLL_INTERVAL, STEP = 0.05, 0.02  # seconds between polls, and between checks of a delay
WATCH_TIMEOUT = 10.0  # seconds after its last sign of activity at which a page counts as closed
DECISIVE_MOODS = frozenset({Mood.LOSS, Mood.OUT, Mood.TRUTH, Mood.LIE, Mood.WIN})
"""Moods of decisions by cards; people look at each card and at the result."""
GLANCE_MOODS = frozenset({Mood.TRICK, Mood.REVERSAL})  # moods of events that a glance is enough for
UNREAD = frozenset(
    {NoticeKey.UNSURE, NoticeKey.IMPOSSIBLE, NoticeKey.OLD_CARDS, NoticeKey.FACE_DOWN, *LIKELY_NOTICES}
)
"""Notices that ask for cards to be laid again."""
CARD_PROBLEMS = UNREAD | {
    NoticeKey.TOO_MANY_CARDS,
    NoticeKey.CARDS_AT_ONCE,
    NoticeKey.CARDS_OVERLAP,
    NoticeKey.REFUSED,
    NoticeKey.CARDS_MISSING,
    NoticeKey.SAME_CARD,
}
"""Notices of a problem with the laid cards."""
HeldSeats = Callable[[], frozenset[int]]  # returns the seats that people hold
Passing = Generator[float, None, bool]
"""Waits some seconds; returns whether the moment is still current."""


class Bots:
    """Bots at their seats, in their own thread, which also tidies up cards that were read."""

    def __init__(  # noqa: PLR0913 - who plays, on which table, how
        self,
        seats: frozenset[int],
        client: TableClient,
        world: World,
        rng: Random,
        held: HeldSeats = frozenset,
        *,
        strength: Strength = "plain",
        animals: Callable[[Sequence[str]], Sequence[str]] = tuple,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Seat the bots, except where people sit.

        `animals` returns the animal of each seat's name; each animal has its own temper.
        """
        self._strength: Strength = strength
        self._animals = animals
        self.seats, self._client, self._world, self._rng = seats - held(), client, world, rng
        self._clock = clock
        self._held, self._names = held, client.moment().setup.names
        self._lock, self._listening = Lock(), client.subscribe()
        self._over, self._switched, self._hurried = Event(), Event(), Event()
        self._skips = False
        """Whether bots play without a delay until they ask a person."""
        self._pace = Random(0)  # noqa: S311 - how long a bot thinks
        self._seen = client.moment()
        """The last moment whose cards people have seen; nothing was on show before."""
        self._laid: tuple[Match, tuple[str, ...]] | None = None
        """The moment at which bots laid all requested cards, and those cards."""
        self._acted, self._asked = clock(), 0
        """The time of the bots' last action, and the table's notices about their cards since then."""
        self._read = 0
        """Number of the last card that was read; a quick answer may come before the cards are tidied up."""
        self._watched = -WATCH_TIMEOUT
        """The last time at which a player watched the table."""
        self._thread = Thread(target=self._play, name="bots", daemon=True)
        self._thread.start()

    def is_showing(self, match: Match) -> bool:
        """Return whether the cards that led to a moment are still on show."""
        return match is not self._seen and not self._is_skipping(match) and looking_seconds(match) > 0

    def hurry(self) -> None:
        """Skip the current delay, whether thinking time or time to look at cards."""
        # even before the bots have noticed the moment
        self._seen = self._client.moment()
        self._hurried.set()

    def skip(self) -> None:
        """Skip all delays until a person is asked."""
        self._skips = True

    def _is_skipping(self, match: Match) -> bool:
        is_asked = any(not ask.seats or not self.seats.issuperset(ask.seats) for ask in match.asks)
        return self._skips and bool(match.asks) and not is_asked

    def note_watching(self) -> None:
        """Register that a player is watching; revealed cards then stay until the player continues."""
        self._watched = self._clock()

    def play_for(self, seat: int) -> None:
        self._change_seats()
        with self._lock:
            self.seats = self.seats | {seat}
        self.look_again()

    def play_as(self, strength: Strength) -> None:
        self._strength = strength

    def leave(self, seat: int) -> None:
        """Stop playing for a seat at once, so that a person can take it; its laid cards are taken back."""
        self._change_seats()
        with self._lock:
            was_bot, self.seats = seat in self.seats, self.seats - {seat}
        if was_bot:
            self._world.withdraw(self._client.moment(), frozenset({seat}))

    def look_again(self) -> None:
        """Handle the moment again, because the cards may have been moved."""
        self._switched.set()

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        self._listening.close()

    def _play(self) -> None:
        while True:
            # bots carry on after a game's error
            with suppress(GameError):
                for seconds in self.steps():
                    if self._over.wait(seconds):
                        return
            if self._over.wait(POLL_INTERVAL):
                return

    def steps(self) -> Iterator[float]:
        """Play; yields the seconds to wait before each next step."""
        while True:
            news = self._listening.next(0)
            if isinstance(news, Match):
                self._change_seats()
                self._asked = 0
                self._skips = self._is_skipping(news)
                yield from self._act(news)
            elif isinstance(news, Notice):
                yield from self._answer_notice(news)
            elif self._switched.is_set():
                self._switched.clear()
                yield from self._lay_anew(THINKING_TIME)
            else:
                is_late = self._clock() > self._acted + PHONE_DELAY
                if is_late or self._is_skipping(self._client.moment()):
                    self._say_on_phone()
                yield POLL_INTERVAL

    def _answer_notice(self, notice: Notice) -> Iterator[float]:
        """React to a notice about laid cards: lay them again at first, then answer by phone."""
        is_alone = self._is_alone()
        if notice.key not in (CARD_PROBLEMS if is_alone else UNREAD):
            return
        self._asked += 1
        if self._asked > 1 and self._say_on_phone():
            return
        if is_alone:
            self._world.take_strange()
        yield from self._lay_anew(LAY_AGAIN_DELAY)

    def _say_on_phone(self) -> bool:
        """Answer the current ask by phone with the cards that were laid; returns whether that was possible."""
        match, self._acted = self._client.moment(), self._clock()
        ask = show_ask(match)
        if ask is None or self._laid is None or self._laid[0] is not match:
            return False
        answer = Answer(match.number, ask.key, self._laid[1], next(iter(ask.seats), None), "phone")
        if isinstance(hear(match, answer), Refusal):
            return False
        self._say(match, answer)
        return True

    def _say(self, match: Match, answer: Answer) -> None:
        self._client.submit(answer, match.setup.begun)

    def _change_seats(self) -> None:
        """Update the seats for a new match: bots follow their names and leave seats that people hold."""
        names = self._client.moment().setup.names
        with self._lock:
            if names != self._names:
                self.seats = seats_in_next_match(self.seats, self._names, names, self._held())
                self._names = names

    def _lay_anew(self, seconds: float) -> Iterator[float]:
        """Take back the cards for the current ask, and think again."""
        match = self._client.moment()
        self._world.withdraw(match, self.seats)
        yield seconds
        yield from self._act(match)

    def _act(self, match: Match) -> Iterator[float]:
        """Show what was read, tidy up, think, and do what the moment asks of the bots."""
        if tabletop.was_answered_by_cards(match):
            self._read = self._world.mark(match)
        if self._object(match):
            return
        if not (yield from self._let_look(match)):
            return
        if not (yield from self._let_pass(match, thinking_seconds(match, self._pace))):
            return
        self._world.tidy(match, self._read)
        yield from self._play_for_seats(match)

    def _object(self, match: Match) -> bool:
        if not (self._is_alone() and isinstance(match.entry, Answer) and self._world.is_told_falsely(match)):
            return False
        self._world.take_strange()
        was = self._laid[1] if self._laid is not None and self._laid[0] is match.before else UNSET
        self._client.submit(Correct(match.number, match.number - 1, was), match.setup.begun)
        return True

    def _is_alone(self) -> bool:
        return len(self.seats) == len(self._client.moment().setup.names)

    def _let_look(self, match: Match) -> Passing:
        """Leave read cards in place until people have seen the result; returns if the moment is current."""
        seconds = looking_seconds(match) if self.is_showing(match) else 0.0
        is_scene = bool(seconds) and reveal_of(match) is not None
        if not (yield from self._let_pass(match, seconds, is_scene=is_scene)):
            return False
        self._seen = match
        if seconds:
            self._world.tidy(match, self._read)
        return True

    def _play_for_seats(self, match: Match) -> Iterator[float]:
        state = self._client.state()
        if state.is_paused or state.auditing is not None:
            # nothing counts during a pause or an audit, so check again later
            self.look_again()
            return
        with self._lock:
            ask, seats = show_ask(match), self.seats & frozenset(range(len(match.setup.names)))
            if ask is not None:
                self._note_laid(match, ask, self._world.lay_due(match, ask, seats))
        deeds = self._choose_actions(match, seats)
        is_polite = bool(deeds) and all(deed.waits for _seat, deed in deeds)
        if is_polite and not (yield from self._let_pass(match, BOT_DELAY)):
            return
        self._do(match, deeds)
        if not deeds and self._is_alone():
            answer = answer_for_table(match, self._world.truth(match), self._rng)
            if answer is not None:
                self._say(match, answer)

    def _note_laid(self, match: Match, ask: Show, faces: tuple[str, ...]) -> None:
        """Remember the laid cards, in case the table can't read them."""
        self._acted = self._clock()
        if len(faces) == ask.count:
            self._laid = match, faces
            if self._is_skipping(match):
                # the camera would need seconds
                self._say_on_phone()

    def _choose_actions(self, match: Match, seats: frozenset[int]) -> list[tuple[int, BotAction]]:
        order = self._rng.sample(sorted(seats), len(seats))
        thought = ((seat, self._choose_action(match, seat)) for seat in order)
        found = [(seat, deed) for seat, deed in thought if deed is not None]
        return [each for each in found if not each[1].waits] or found

    def _choose_action(self, match: Match, seat: int) -> BotAction | None:
        known = self._world.faces_known(match, seat)
        temper = TEMPERS.get(self._animals(match.setup.names)[seat], EVEN)
        return bot_action(match, seat, known, self._rng, self._strength, temper)

    def _do(self, match: Match, deeds: list[tuple[int, BotAction]]) -> None:
        for number, (seat, deed) in enumerate(deeds):
            with self._lock:
                # a person may have taken the seat while the bot was thinking
                if seat not in self.seats or (number and not _is_together(match, deed)):
                    continue
                if deed.hand:
                    self._world.hold(match, Zone("hand", seat), deed.hand)
                if deed.lays and (ask := show_ask(match)) is not None:
                    self._world.lay_from(match, ask, tabletop.hand_for(match, ask, seat), deed.lays)
                    self._note_laid(match, ask, deed.lays)
                if deed.answer is not None:
                    self._say(match, deed.answer)

    def _let_pass(self, match: Match, seconds: float, *, is_scene: bool = False) -> Passing:
        """Wait unless people hurry; returns whether the moment is still current.

        A scene stays for as long as a player watches it, regardless of the time.
        """
        self._hurried.clear()
        end = self._clock() + seconds
        while match is self._client.moment() and not (self._hurried.is_set() or self._is_skipping(match)):
            now = self._clock()
            if now >= end and not (is_scene and now < self._watched + WATCH_TIMEOUT):
                break
            yield STEP if is_scene else min(STEP, end - now)
        return match is self._client.moment()


def thinking_seconds(match: Match, pace: Random) -> float:
    if isinstance(match.entry, TakeBack):
        return TAKE_BACK_DELAY
    asked = {seat for ask in match.asks for seat in ask.seats}
    is_next_step = match.before is not None and asked == {
        seat for ask in match.before.asks for seat in ask.seats
    }
    return THINKING_TIME * pace.uniform(0.6, 1.4) * (NEXT_STEP if is_next_step and len(asked) == 1 else 1)


def looking_seconds(match: Match) -> float:
    """Return how many seconds people look at the cards of a moment; 0 if they decided nothing."""
    is_scene = reveal_of(match) is not None
    if not is_scene and not tabletop.was_answered_by_cards(match):
        return 0.0
    moods = {
        cue.mood for cue in map(match.setup.game.feel.cues.get, (each.key for each in match.rulings)) if cue
    }
    value = match.entry.value if isinstance(match.entry, Answer) else None
    if moods & DECISIVE_MOODS or is_scene:
        return min(MAX_LOOK, MIN_LOOK + LOOK_PER_CARD * (len(value) if isinstance(value, tuple) else 0))
    return min(MAX_LOOK, MIN_LOOK) if moods & GLANCE_MOODS else 0.0


def seats_in_next_match(
    seats: frozenset[int], before: tuple[str, ...], after: tuple[str, ...], held: frozenset[int]
) -> frozenset[int]:
    """Return the bots' seats in the next match: those of their names, and of new names in their seats."""
    own = {name_key(before[seat]) for seat in seats if seat < len(before)}
    known = set(map(name_key, before))
    free = ((seat, name_key(name)) for seat, name in enumerate(after) if seat not in held)
    return frozenset(seat for seat, name in free if name in own or (seat in seats and name not in known))


def _is_together(match: Match, deed: BotAction) -> bool:
    ask = None if deed.answer is None else ask_named(match.asks, deed.answer.ask)
    return isinstance(ask, Choice | Done) and ask.window is not None
