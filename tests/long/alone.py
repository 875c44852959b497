"""Bots play whole matches in simulated time: `python -m tests.long.alone 200`.

A match's number determines its game, house rules, players and faults. Faults are an arm in the picture, an
extra card, a covered card, a camera without pictures for 20 s, or a dead button. The eyes need no pictures:
`tests.long.plays` watches those, `tests.long.real_cards` whole matches of them.

A hang is 30 s of simulated time without a new question or message; a match that hangs for four minutes is given
up. The log of a hung match is in the folder `lone`; `--first` sets the first match.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Literal

from msgspec import Struct

from firmware.cli.terminal import listener_of
from firmware.table.cards import show_ask
from firmware.table.client import Stop
from firmware.table.expected import last_cards_answer
from firmware.table.notices import Notice, sentence_for
from hardware.twin.strengths import Strength
from hardware.twin.tabletop import Pose, lay_card
from referee.games.catalogue import GAMES
from referee.house_rules import changed_house_rules
from referee.match import Match, Setup, begin
from referee.record import read_record, record_lines
from tests.long.lone_table import LoneTable
from tests.referee.rule_coverage import houses_around
from tests.referee.tables import NAMES
from tests.scripts import say, script

Mischief = Literal["arm", "card too many", "covered card", "dead camera", "dead button"]
KINDS: tuple[Mischief, ...] = ("arm", "card too many", "covered card", "dead camera", "dead button")
STRENGTHS: tuple[Strength, ...] = ("beginner", "plain", "plain")
"""Strengths of bots; strong ones take long to think, and cover no more of the table."""
OFTEN = 45.0  # approximate seconds between faults
DEAD, LEAST, LONGEST = 20.0, 5.0, 20.0
"""Seconds without a camera; minimum and maximum seconds of other faults."""
HANG, STOPPED = 30.0, 240.0
"""Seconds without news until a hang is recorded, and until the match is given up."""
MOST = 3 * 3600.0  # simulated seconds after which a match is given up
POLL_INTERVAL = 1.0


class Played(Struct, frozen=True):
    """A played match: its setup and its outcome."""

    seed: int
    game: str
    house: str
    seats: int
    end: Literal["over", "stopped", "too long", "crashed"]
    moments: int
    seconds: float  # simulated time
    hangs: tuple[str, ...]
    mischief: dict[str, int]
    fault: str = ""


def draw_match(rng: Random, seed: int) -> Match:
    game = list(GAMES.values())[seed % len(GAMES)]
    houses = list(houses_around(game))
    while True:
        house = rng.choice(houses)
        seats = rng.choice(list(game.rules.seats(house)))
        match = begin(Setup(game, house, NAMES[:seats], begun=f"alone {seed}"))
        if isinstance(match, Match):
            return match


class Onlooker:
    """Causes faults, and records hangs."""

    def __init__(self, table: LoneTable, seed: int) -> None:
        self._table, self._rng = table, Random(f"mischief {seed}")
        self._listening = table.client.subscribe()
        self.made, self.hangs = Counter[str](), list[str]()
        self.end: Literal["over", "stopped", "too long"] = "over"
        self._said, self._new, self._hang = list[str](), 0.0, ""
        self._until, self._next = 0.0, self._rng.uniform(5, 2 * OFTEN)
        self.kind: Mischief | Literal[""] = ""
        """The current fault."""

    def look_on(self) -> Iterator[float]:
        """Check every second until the match is over."""
        while True:
            yield POLL_INTERVAL
            self._hear()
            self._make_mischief()
            match, silent = self._table.client.moment(), self._table.time.seconds - self._new
            if silent > HANG and not self._hang:
                asked = ", ".join(f"{ask.key} {ask.seats}" for ask in match.asks)
                said = ", ".join(self._said)
                self._hang = f"{self._new:.1f} s, moment {match.number}: {asked}; said: {said}; {self.kind}"
            is_over, is_stopped = match.outcome is not None, silent > STOPPED
            if is_over or is_stopped or self._table.time.seconds > MOST:
                self.end = "over" if is_over else "stopped" if is_stopped else "too long"
                self._note_new()
                self._table.queue.put(Stop())
                return

    def _hear(self) -> None:
        """Collect new messages; a repetition at the same moment isn't new."""
        while (news := self._listening.next(0)) is not None:
            if isinstance(news, Match):
                self._said.clear()
                self._note_new()
                continue
            said = sentence_for(news, listener_of(self._table.client.moment()))
            if said not in self._said:
                self._said.append(said)
                if not (isinstance(news, Notice) and news.key == "dialled"):
                    self._note_new()

    def _note_new(self) -> None:
        now = self._table.time.seconds
        self.hangs += [f"{now - self._new:.1f} s from {self._hang}"] if self._hang else []
        self._new, self._hang = now, ""

    # faults

    def _make_mischief(self) -> None:
        now, world = self._table.time.seconds, self._table.world
        if self.kind and now >= self._until:
            world.set_right()
            self._table.fingers.dead = frozenset()
            self.kind = ""
        if not self.kind and now >= self._next:
            kind = self._rng.choice(KINDS)
            if self._begin(kind):
                self.kind = kind
                self.made[kind] += 1
                self._until = now + (DEAD if kind == "dead camera" else self._rng.uniform(LEAST, LONGEST))
            self._next = max(self._until, now) + self._rng.uniform(0.2, 1.8) * OFTEN

    def _begin(self, kind: Mischief) -> bool:
        world, match = self._table.world, self._table.client.moment()
        match kind:
            case "arm":
                world.has_hand = True
            case "card too many":
                return self._lay_too_many(match)
            case "covered card":
                return self._cover()
            case "dead camera":
                world.view.fault = self._rng.choice(("unplugged", "frozen", "black"))
            case "dead button":
                seats = range(len(match.setup.names))
                self._table.fingers.dead = frozenset(self._rng.sample(seats, self._rng.randint(1, len(seats))))
        return True

    def _lay_too_many(self, match: Match) -> bool:
        """Add a card of the pile to those asked for; a single one would count as the answer."""
        last, world = last_cards_answer(match), self._table.world
        ask = show_ask(match) or (None if last is None else last[1])
        if ask is None or (ask.count == 1 and not world.has_laid(match, ask)):
            return False
        return world.add_strange(show_ask(match))

    def _cover(self) -> bool:
        """Cover half of a card with one that doesn't belong there."""
        world = self._table.world
        lying = world._table.lying
        pile = next((cards for zone, cards in world._dealt.truth.items() if zone.name == "pile" and cards), ())
        if not lying or not pile:
            return False
        below = self._rng.choice(lying).pose
        over = Pose(below.x + self._rng.uniform(-25, 25), below.y + self._rng.uniform(-40, 40), below.angle)
        world._table = lay_card(world._table, pile[0], None, over)
        return True


def play(seed: int, folder: Path) -> Played:
    rng = Random(f"alone {seed}")
    match = draw_match(rng, seed)
    game, house = match.setup.game, match.setup.house
    with TemporaryDirectory(dir=folder) as scratch:
        table = LoneTable(match, Path(scratch), seed, rng.choice(STRENGTHS))
        onlooker, fault = Onlooker(table, seed), ""
        try:
            table.run(onlooker.look_on)
        except Exception as error:  # noqa: BLE001 - any error is counted
            fault = repr(error)
        else:
            again = read_record(record_lines(table.client.moment()))
            fault = "" if again.fault is None else str(again.fault)
        if onlooker.hangs or fault:
            (folder / f"{seed}.log").write_bytes(b"".join(table.log.lines))
    changed = ", ".join(f"{name}={getattr(house, name)}" for name in changed_house_rules(game, house))
    drawn, moments = (seed, game.name, changed, len(match.setup.names)), table.client.moment().number
    end, seconds = "crashed" if fault else onlooker.end, round(table.time.seconds, 1)
    return Played(*drawn, end, moments, seconds, tuple(onlooker.hangs), dict(onlooker.made), fault)


@script
def main(matches: int, first: int = 1) -> Iterator[str]:
    folder = Path("lone").absolute()
    folder.mkdir(exist_ok=True)
    for seed in range(first, first + matches):
        played = play(seed, folder)
        say(played)
        yield from [str(played)] if played.hangs or played.end != "over" else []
