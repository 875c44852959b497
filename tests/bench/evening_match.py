"""One match of an evening: bots play it as people do, and what happens to them is noted."""

from collections import Counter
from concurrent.futures import CancelledError
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from msgspec import Struct
from msgspec.structs import replace

from firmware.table.notices import Notice
from firmware.twin.bot_seats import Bots
from firmware.twin.world import World
from hardware.twin.dealer import DealtMatch, lay_honestly
from hardware.twin.player import any_answer
from referee.contract import Answer, Refusal, Show
from referee.legal import ask_named
from referee.match import Correct, Match, Setup, begin, standing_answers
from referee.summaries import rounds_of
from tests.bench.evening_figures import MatchEnd, MatchRecord, Means, TakenAnswer, ToldNotice
from tests.bench.evening_mishaps import OF_CARDS, Mishap, cause_mishap, heard
from tests.bench.evening_people import Deed, Deeds, People
from tests.firmware.table.tables import Twin
from vision.troubles import Problem

HASTE = 4.0
"""How many times faster than people bots act: what they take isn't counted."""
LOOK = 0.05
OPENING = 30.0
"""Seconds that the eyes may take to open; people then sit down without them."""
PATIENCE = 15.0
"""Seconds for which people wait until they take a phone."""
STANDSTILL = 40.0
"""Seconds for which a match stands still until the host acts."""
MOST_ACTS = 3
"""How often the host acts at one moment; then the match counts as stuck."""
TRIES = 50
BESIDE = frozenset({"dialled", "pressed", "joined"})
"""Notices that ask nothing of people."""
MEANT: dict[str, Means] = {"camera": "camera", "button": "button", "dial": "dial"}


class EveningPlan(Struct, frozen=True):
    """How matches are played."""

    mishaps: float
    """The share of the cards laid at which something goes wrong."""
    seconds: float
    """How long a match may take."""


def play_match(setup: Setup, plan: EveningPlan, seed: int) -> MatchRecord:
    """Play a match to its end, or until its time is over."""
    match = begin(setup)
    if isinstance(match, Refusal):
        raise RuntimeError(match)  # noqa: TRY004 - there are as many names as these games take
    with TemporaryDirectory() as folder, closing(Twin(match, Path(folder))) as table:
        _draw_cards(match, table.world)
        _wait_for_eyes(table)
        watch = MatchWatch(table, plan, Random(seed))
        seats, door = frozenset(range(len(setup.names))), table.companion.door
        with closing(Bots(seats, door, table.world, Random(seed), hands=watch.people, haste=HASTE)) as bots:
            return watch.follow(bots)


def _draw_cards(match: Match, world: World) -> None:
    """Draw each face of the deck before people wait for the twin's camera to show it for the first time."""
    deck = match.setup.game.table.deck(match.setup.house)
    faces = world.deck(deck.name)
    if faces is not None:
        for face in deck.counts:
            faces(face)


def _wait_for_eyes(table: Twin) -> None:
    """Let people sit down at a table that has read once that nothing lies on it."""
    end = monotonic() + OPENING
    while table.companion.table.cards is None and monotonic() < end:
        sleep(LOOK)


class MatchWatch:
    """Follows a match: notes what is told and taken, lets things go wrong, and steps in where nothing moves."""

    def __init__(self, table: Twin, plan: EveningPlan, rng: Random) -> None:
        """Begin to listen."""
        self._world, self._door, self._plan, self._rng = table.world, table.companion.door, plan, rng
        self._deeds = Deeds()
        self.people = People(table, self._deeds, self._lay_with_mishaps)
        self._listening = self._door.subscribe()
        self._answers, self._told = list[TakenAnswer](), list[ToldNotice]()
        self._mishaps, self._interventions = list[Mishap](), list[str]()
        self._mishap: Mishap | None = None
        self._since = monotonic()
        # how often the host has acted at this moment
        self._acts = 0

    def follow(self, bots: Bots) -> MatchRecord:
        """Look on until the match is over, or its time is."""
        began = monotonic()
        end: MatchEnd = "over"
        while self._door.moment().outcome is None:
            now = monotonic()
            if now > began + self._plan.seconds:
                end = "time"
                break
            if self._acts > MOST_ACTS:
                end = "stuck"
                break
            self._hear(self._listening.next(LOOK), monotonic())
            self._tend(bots, monotonic())
        while (news := self._listening.next(0.0)) is not None:
            self._hear(news, monotonic())
        self._listening.close()
        return self._record(end, monotonic() - began)

    def _record(self, end: MatchEnd, seconds: float) -> MatchRecord:
        match, kinds = self._door.moment(), tuple(mishap.kind for mishap in self._mishaps)
        told = (tuple(self._answers), tuple(self._told), kinds, tuple(self._interventions))
        return MatchRecord(match.setup.game.name, len(rounds_of(match)), *told, end, round(seconds, 1))

    # what is told

    def _hear(self, news: object, now: float) -> None:
        match news:
            case Match():
                self._since, self._acts = now, 0
                self._note_answer(news, now)
            case Notice(key) | Problem(key) if key not in BESIDE:
                self._told.append(ToldNotice(key, self._is_disturbed()))
                if self._mishap is not None:
                    self._mishap = heard(self._mishap, now)
            case _:
                pass

    def _is_disturbed(self) -> bool:
        """Tell whether something has gone wrong at this moment."""
        last = self._mishaps[-1] if self._mishaps else None
        return last is not None and (self._mishap is not None or last.moment == self._door.moment().number)

    def _note_answer(self, match: Match, now: float) -> None:
        answer, before = match.entry, match.before
        if not isinstance(answer, Answer) or before is None:
            return
        deed = self._deeds.take(answer)
        last = self._mishaps[-1] if self._mishaps else None
        is_last_here = last is not None and last.moment == before.number
        is_disturbed = self._mishap is not None or is_last_here
        means = MEANT.get(answer.sense, "phone") if deed is None else deed.means
        waited = None if deed is None else max(0.0, now - deed.at)
        self._answers.append(TakenAnswer(answer.sense, means, waited, is_disturbed))
        if deed is not None and answer.sense == "camera" and not _is_as_laid(answer, deed):
            is_mistake = last is not None and is_last_here and last.kind in OF_CARDS
            self._interventions.append("wrong card laid" if is_mistake else "misread")
            self._put_right(standing_answers(match)[-1].heard_at, deed)

    def _put_right(self, heard_at: int, deed: Deed) -> None:
        """Let the host correct cards that counted otherwise than they should; again if others were quicker."""
        for _try in range(MOST_ACTS):
            match = self._door.moment()
            done = self._door.submit(Correct(match.number, heard_at, deed.value), match.setup.begun)
            with suppress(TimeoutError, CancelledError):
                if not isinstance(done.result(STANDSTILL), Refusal):
                    return

    # what goes wrong

    def _lay_with_mishaps(self, match: Match, ask: Show) -> None:
        """Let something go wrong with some of the cards that are laid; not twice at the same moment."""
        is_new = all(mishap.moment != match.number for mishap in self._mishaps[-1:])
        if self._mishap is None and is_new and self._rng.random() < self._plan.mishaps:
            self._mishap = cause_mishap(self._world, ask, match.number, monotonic(), self._rng)
            self._mishaps += [] if self._mishap is None else [self._mishap]

    def _end_mishap(self, bots: Bots) -> None:
        """Put right what went wrong; cards that were taken back are laid anew."""
        mishap, self._mishap = self._mishap, None
        self._world.set_right()
        if mishap is not None and mishap.kind in OF_CARDS and mishap.moment == self._door.moment().number:
            bots.look_again()

    # where nothing moves

    def _tend(self, bots: Bots, now: float) -> None:
        if self._mishap is not None and now > self._mishap.ends:
            self._end_mishap(bots)
        match = self._door.moment()
        for deed in self._deeds.overdue(match, now, PATIENCE):
            self._say_on_phone(match, deed)
        if now > self._since + STANDSTILL * (self._acts + 1):
            self._step_in(match, bots)

    def _say_on_phone(self, match: Match, deed: Deed) -> None:
        """Say on a phone what the camera or the board hasn't taken."""
        self._door.submit(Answer(match.number, deed.ask, deed.value, deed.seat, "phone"), match.setup.begun)

    def _step_in(self, match: Match, bots: Bots) -> None:
        """Let the host clear the table of what is wrong; if that doesn't help, say what the cards are."""
        self._acts += 1
        self._interventions.append("standstill")
        self._world.set_right()
        answer = true_answer(match, self._world, self._rng) if self._acts > 1 else None
        if answer is None:
            bots.look_again()
        else:
            self._door.submit(answer, match.setup.begun)


def true_answer(match: Match, world: World, rng: Random) -> Answer | None:
    """Give an answer that is as the cards are; None if there is none."""
    truth = world.truth(match)
    for _try in range(TRIES):
        answer = replace(any_answer(match.asks, match.number, rng), sense="phone")
        ask = ask_named(match.asks, answer.ask)
        if isinstance(ask, Show):
            cards, owners = lay_honestly(DealtMatch(match, truth), ask)
            if len(cards) == ask.count:
                return replace(answer, value=cards, owners=owners)
        elif match.setup.game.play.is_fair(match.state, answer, truth):
            return answer
    return None


def _is_as_laid(answer: Answer, deed: Deed) -> bool:
    laid = deed.value if isinstance(deed.value, tuple) else ()
    read = answer.value if isinstance(answer.value, tuple) else ()
    return Counter(read) <= Counter(laid)
