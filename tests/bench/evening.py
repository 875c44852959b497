"""Whole matches on a table with a time of its own: what people are asked beside the game."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import click
from msgspec import Struct

from firmware.table.notices import Notice
from firmware.twin.bot_seats import UNREAD
from referee.contract import Answer, Sense
from referee.games.catalogue import GAMES
from referee.match import Correct, Match, Setup, begin, standing_answers
from referee.summaries import rounds_of
from tests.bench.measured import Measured, amount, bench
from tests.given import allowed
from tests.long.alone import Onlooker
from tests.long.fingers import NEVER, Actor, Means
from tests.long.lone_table import LoneTable
from tests.referee.tables import NAMES
from vision.troubles import Problem

SEATS = 4
LOOK = 0.05  # seconds of the table's time from one look at what was told to the next
PATIENCE = 15.0  # seconds for which people wait until they take a phone
BESIDE = frozenset({"dialled", "pressed", "joined"})  # notices that ask nothing of people
MOVING = UNREAD | {"at once"}
"""Notices that ask people to move, turn or lay again a card that lies there."""
MEANT: dict[str, Means] = {"camera": "camera", "button": "button", "dial": "dial"}


class TakenAnswer(Struct, frozen=True):
    """An answer that counted: by which sense it came, and what was meant to take it."""

    sense: Sense
    means: Means


class MatchRecord(Struct, frozen=True):
    """What happened in a match, and what the table told people beside the game."""

    game: str
    rounds: int
    answers: tuple[TakenAnswer, ...] = ()
    told: tuple[str, ...] = ()
    acts: int = 0  # how often the host had to act


@bench("Whole matches by camera, buttons and dial: what phones and the host had to do.")
@click.option("--games", metavar="NAMES", help="Which games, with commas between them, instead of all.")
@amount("matches", 1, "How many of each game.", 1, 1000)
@amount("mishaps", 0.1, "At which share of the cards that are laid something goes wrong.", 0, 1)
@amount("minutes", 30.0, "How long a match may take, by the table's time.", 0.05, 600)
def evening(games: str | None, matches: int, seed: int, mishaps: float, minutes: float) -> Measured:
    numbers = [(name, seed + number) for name in _games_named(games) for number in range(matches)]
    with TemporaryDirectory() as decks:
        played = [_play(name, number, mishaps, 60 * minutes, Path(decks)) for name, number in numbers]
    told = ("a phone did the work of camera, button or dial; a card had to be moved or laid again",)
    by_game = {name: [each for each in played if each.game == name] for name, _number in numbers}
    return Measured(
        {
            f"{name}, a round: a phone instead, a card to move, the host": ", ".join(map(str, rare_in(some)))
            for name, some in by_game.items()
        },
        told,
    )


def _games_named(games: str | None) -> list[str]:
    names = [name.strip() for name in games.split(",")] if games else list(GAMES)
    for strange in [name for name in names if name not in GAMES]:
        raise click.BadParameter(f"no game is called {strange}; there are {', '.join(GAMES)}.")
    return names


def _play(name: str, number: int, mishaps: float, seconds: float, decks: Path) -> MatchRecord:
    game = GAMES[name]
    match = allowed(begin(Setup(game, game.rules.house(), NAMES[:SEATS], begun=f"evening {number}")))
    with TemporaryDirectory() as folder:
        table = LoneTable(match, Path(folder), decks, number)
        watch = MatchWatch(table, Onlooker(table, number, often=NEVER, most=seconds), mishaps, Random(number))
        steps = watch.steps()
        table.queue.actors.append(Actor(lambda: table.time.seconds + next(steps)))
        table.run(watch.onlooker.look_on)
        return watch.record()


def rare_in(matches: Sequence[MatchRecord]) -> tuple[float, float, float]:
    """Spread over all rounds what should be rare: a phone for another sense, cards to move, the host's acts."""
    rounds = max(1, sum(match.rounds for match in matches))
    instead = sum(each.sense == "phone" != each.means for match in matches for each in match.answers)
    moves = sum(key in MOVING for match in matches for key in match.told)
    acts = sum(match.acts for match in matches)
    return round(instead / rounds, 2), round(moves / rounds, 2), round(acts / rounds, 2)


class MatchWatch:
    """Follows a match: notes what is told and taken, loses patience, and lets things go wrong."""

    def __init__(self, table: LoneTable, onlooker: Onlooker, mishaps: float, rng: Random) -> None:
        self._table, self.onlooker, self._mishap_share, self._rng = table, onlooker, mishaps, rng
        self._listening = table.door.subscribe()
        self._answers, self._told, self._corrected = list[TakenAnswer](), list[str](), 0
        self._laid = 0

    def steps(self) -> Iterator[float]:
        while True:
            yield LOOK
            while (news := self._listening.next(0)) is not None:
                self._hear(news)
            self._lose_patience()
            for _each in range(self._laid, self._table.fingers.laid):
                if self._rng.random() < self._mishap_share:
                    self.onlooker.make_mischief_soon()
            self._laid = self._table.fingers.laid

    def record(self) -> MatchRecord:
        match, acts = self._table.door.moment(), self._corrected + len(self.onlooker.host)
        told = (tuple(self._answers), tuple(self._told), acts)
        return MatchRecord(match.setup.game.name, len(rounds_of(match)), *told)

    def _hear(self, news: object) -> None:
        match news:
            case Match():
                self._note_answer(news)
            case Notice(key) | Problem(key) if key not in BESIDE:
                self._told.append(key)
            case _:
                pass

    def _note_answer(self, match: Match) -> None:
        answer = match.entry
        if not isinstance(answer, Answer):
            return
        deed = self._table.fingers.deeds.take(answer)
        means = MEANT.get(answer.sense, "phone") if deed is None else deed.means
        self._answers.append(TakenAnswer(answer.sense, means))
        read, laid = (each if isinstance(each, tuple) else () for each in (answer.value, deed and deed.value))
        if deed is not None and answer.sense == "camera" and not Counter(read) <= Counter(laid):
            self._corrected += 1
            correct = Correct(match.number, standing_answers(match)[-1].heard_at, deed.value)
            self._table.door.submit(correct, match.setup.begun)

    def _lose_patience(self) -> None:
        """Say on a phone what the camera or the board hasn't taken."""
        match = self._table.door.moment()
        for deed in self._table.fingers.deeds.overdue(match, self._table.time.seconds, PATIENCE):
            answer = Answer(match.number, deed.ask, deed.value, deed.seat, "phone")
            self._table.door.submit(answer, match.setup.begun)
