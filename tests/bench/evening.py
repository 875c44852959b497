"""Whole matches on the twin's camera: bots play as people do; what people are asked, and how long they wait."""

from collections import Counter
from concurrent.futures import CancelledError
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Literal, get_args

import click
from msgspec import Struct
from msgspec.structs import replace

from firmware.table.notices import Notice
from firmware.twin.bot_seats import Bots
from firmware.twin.world import World
from hardware.twin.dealer import DealtMatch, answer_of
from referee.contract import Answer, Refusal, Show
from referee.games.catalogue import GAMES
from referee.match import Correct, Match, Setup, begin, standing_answers
from referee.summaries import rounds_of
from tests.bench.evening_figures import (
    MatchEnd,
    MatchRecord,
    Means,
    TakenAnswer,
    ToldNotice,
    figures_of,
    round_figures,
)
from tests.bench.evening_people import Deed, Deeds, People
from tests.bench.measured import Measured, amount, bench
from tests.firmware.table.tables import Twin
from tests.referee.tables import NAMES
from tests.waiting import came
from vision.troubles import Problem

SEATS = 4
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
BESIDE = frozenset({"dialled", "pressed", "joined"})
"""Notices that ask nothing of people."""
MEANT: dict[str, Means] = {"camera": "camera", "button": "button", "dial": "dial"}
Kind = Literal["hand", "strange card", "swapped card", "unplugged", "frozen"]
SHORT, LONGEST = 3.0, 6.0
"""Seconds for which a hand is left in the picture, or the camera gives no new one."""
OVERLOOKED = 8.0
"""Seconds after which people see a wrong card by themselves."""
NOTICED = 1.0
"""Seconds from what the table says to what people do."""
OF_CARDS = frozenset({"strange card", "swapped card"})


class Mishap(Struct, frozen=True):
    """Something that is wrong for a while: at which moment it began, and when people end it."""

    kind: Kind
    moment: int
    ends: float


@bench("Whole matches by camera, buttons and dial: what phones and the host had to do; the waits.")
@click.option("--games", metavar="NAMES", help="Which games, with commas between them, instead of all.")
@amount("matches", 1, "How many of each game.", 1, 1000)
@amount("mishaps", 0.1, "At which share of the cards that are laid something goes wrong.", 0, 1)
@amount("minutes", 30.0, "How long a match may take.", 0.05, 600)
def evening(games: str | None, matches: int, seed: int, mishaps: float, minutes: float) -> Measured:
    numbers = [(name, seed + number) for name in _games_named(games) for number in range(matches)]
    figures = figures_of(_play(name, number, mishaps, 60 * minutes) for name, number in numbers)
    rounds = [round_figures(row) for row in figures]
    shown = {"each round": rounds, **{row.game: row for row in figures}}
    told = (
        "instead: a phone did the work of camera, button or dial; phone: only a phone can say it",
        "moves: people are asked to move or lay again a card; host: the host has to act; waited: seconds",
    )
    ratios = {
        f"{each['game']}, a round: a phone instead, a card to move, the host": (
            f"{each['instead']}, {each['moves']}, {each['host']}"
        )
        for each in rounds
    }
    return Measured("evening", {"mishaps": mishaps, "games": figures}, ratios, told, shown)


def _games_named(games: str | None) -> list[str]:
    names = [name.strip() for name in games.split(",")] if games else list(GAMES)
    for strange in [name for name in names if name not in GAMES]:
        raise click.BadParameter(f"no game is called {strange}; there are {', '.join(GAMES)}.")
    return names


def _play(name: str, number: int, mishaps: float, seconds: float) -> MatchRecord:
    """Play a match to its end, or until its time is over."""
    game = GAMES[name]
    match = begin(Setup(game, game.rules.house(), NAMES[:SEATS], begun=f"evening {number}"))
    assert isinstance(match, Match), match
    with TemporaryDirectory() as folder, closing(Twin(match, Path(folder))) as table:
        _draw_cards(match, table.world)
        # people sit down at a table that has read once that nothing lies on it
        came(lambda: table.companion.table.cards is not None, seconds=OPENING)
        watch = MatchWatch(table, mishaps, Random(number))
        seats, door, rng = frozenset(range(SEATS)), table.companion.door, Random(number)
        with closing(Bots(seats, door, table.world, rng, hands=watch.people, haste=HASTE)) as bots:
            return watch.follow(bots, seconds)


def _draw_cards(match: Match, world: World) -> None:
    """Draw each face of the deck before people wait for the twin's camera to show it for the first time."""
    deck = match.setup.game.table.deck(match.setup.house)
    faces = world.deck(deck.name)
    if faces is not None:
        for face in deck.counts:
            faces(face)


class MatchWatch:
    """Follows a match: notes what is told and taken, lets things go wrong, and steps in where nothing moves."""

    def __init__(self, table: Twin, mishaps: float, rng: Random) -> None:
        self._world, self._door, self._rng = table.world, table.companion.door, rng
        self._mishap_share = mishaps
        self._deeds = Deeds()
        self.people = People(table, self._deeds, self._lay_with_mishaps)
        self._listening = self._door.subscribe()
        self._answers, self._told = list[TakenAnswer](), list[ToldNotice]()
        self._mishaps, self._interventions = list[Mishap](), list[str]()
        self._mishap: Mishap | None = None
        self._since = monotonic()
        # how often the host has acted at this moment
        self._acts = 0

    def follow(self, bots: Bots, seconds: float) -> MatchRecord:
        """Look on until the match is over, or its time is."""
        began = monotonic()
        end: MatchEnd = "over"
        while self._door.moment().outcome is None:
            now = monotonic()
            if now > began + seconds:
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
                self._told.append(ToldNotice(key, self._is_disturbed(self._door.moment().number)))
                if self._mishap is not None:
                    self._mishap = replace(self._mishap, ends=min(self._mishap.ends, now + NOTICED))
            case _:
                pass

    def _is_disturbed(self, moment: int) -> bool:
        """Return whether something is wrong now, or went wrong at this moment."""
        return self._mishap is not None or any(each.moment == moment for each in self._mishaps[-1:])

    def _note_answer(self, match: Match, now: float) -> None:
        answer, before = match.entry, match.before
        if not isinstance(answer, Answer) or before is None:
            return
        deed = self._deeds.take(answer)
        means = MEANT.get(answer.sense, "phone") if deed is None else deed.means
        waited = None if deed is None else max(0.0, now - deed.at)
        self._answers.append(TakenAnswer(answer.sense, means, waited, self._is_disturbed(before.number)))
        if deed is not None and answer.sense == "camera" and not _is_as_laid(answer, deed):
            here = [each for each in self._mishaps[-1:] if each.moment == before.number]
            is_mistake = any(each.kind in OF_CARDS for each in here)
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
        if self._mishap is None and is_new and self._rng.random() < self._mishap_share:
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
            # on a phone, what the camera or the board hasn't taken
            answer = Answer(match.number, deed.ask, deed.value, deed.seat, "phone")
            self._door.submit(answer, match.setup.begun)
        if now > self._since + STANDSTILL * (self._acts + 1):
            self._step_in(match, bots)

    def _step_in(self, match: Match, bots: Bots) -> None:
        """Let the host clear the table of what is wrong; if that doesn't help, say what the cards are."""
        self._acts += 1
        self._interventions.append("standstill")
        self._world.set_right()
        if self._acts > 1:
            answer = answer_of(DealtMatch(match, self._world.truth(match)), self._rng)
            self._door.submit(replace(answer, sense="phone"), match.setup.begun)
        else:
            bots.look_again()


def cause_mishap(world: World, ask: Show, moment: int, now: float, rng: Random) -> Mishap | None:
    """Let something go wrong while cards are waited for; None if it can't."""
    kind: Kind = rng.choice(get_args(Kind))
    match kind:
        case "strange card" if not world.add_strange(ask):
            return None
        case "swapped card" if not world.swap_one():
            return None
        case "hand":
            world.has_hand = True
        case "unplugged" | "frozen":
            world.fault = kind
    return Mishap(kind, moment, now + (OVERLOOKED if kind in OF_CARDS else rng.uniform(SHORT, LONGEST)))


def _is_as_laid(answer: Answer, deed: Deed) -> bool:
    laid = deed.value if isinstance(deed.value, tuple) else ()
    read = answer.value if isinstance(answer.value, tuple) else ()
    return Counter(read) <= Counter(laid)
