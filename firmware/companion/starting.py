"""Putting the table together: what is wired, what is wished for, who joins in; the lamps before the eyes."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any

import click
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]
from msgspec import Struct
from msgspec.structs import replace

from firmware.boards import chosen
from firmware.boards import said as board_said
from firmware.companion.chosen import count_try, held, proven
from firmware.companion.finding import Home
from firmware.companion.guiding import guides
from firmware.companion.logbook import Logbook
from firmware.companion.loop import Companion, Item, Parts, Stop
from firmware.companion.phones import Phones
from firmware.companion.settings import Play, Settings, SettingsError, Wished, settings_in, sound_of
from firmware.companion.shining import WatchedPin
from firmware.companion.supervisor import is_again, is_wanted
from firmware.companion.terminal import Keyboard, Printer
from firmware.companion.twin import Twin, joined
from firmware.companion.watcher import Eyes, Watcher
from firmware.companion.world import World
from firmware.companion.writer import Writer, connected_for_a_thread
from firmware.eyes import deck_folder
from firmware.eyes import settings as eyes_settings
from firmware.journal import Journal, Resumed, open_journal, open_matches, read_again
from firmware.languages import preferred
from firmware.places import configuration_path, log_path, table_path
from firmware.play import Asked, Wish, is_wished, wish_of
from firmware.safekeeping.parts import places
from firmware.safekeeping.placing import finished
from firmware.senses.buttons import Buttons
from firmware.senses.hands import Hands
from firmware.speaking import LANGUAGE, _
from firmware.state import state_directory
from firmware.tables import layout_kept, parted, parting_of
from firmware.terminal import listener_of
from firmware.voices.voices import Voices
from hardware.board.board import Board
from hardware.board.troubles import BoardError
from referee.contract import Parting, Refusal
from referee.games import GAMES
from referee.match import Match, Setup, begin
from referee.telling import Listener, tell_refusal
from vision.eyes import work
from vision.news import Order, UseDeck, UseZones, remembered
from vision.news import Settings as EyesSettings
from vision.supervised import Supervised
from vision.zones import Zones

MODEL = Path("/proc/device-tree/model")


ALONE = 4
"""Seats of a twin for which none are named: somebody, and bots."""
OPENING = 10.0
"""Seconds within which the first frame of the twin has come."""


class Plan(Struct, frozen=True, eq=False):
    """What the table is made of."""

    settings: Settings
    board: Board
    is_twin: bool
    factory: Any
    folder: Path
    """For what needn't survive."""


def start(wished: Wished, journal: Path) -> int:
    """Run the table until somebody ends it; the code tells whether to start it again."""
    with _working_folder() as folder, ExitStack() as ends:
        here = places(os.environ, journal, wished.config)
        for sentence in finished(here):
            click.echo(sentence, err=True)
        plan = _plan(wished, folder)
        opened = ends.enter_context(open_journal(journal, connected_for_a_thread))
        for sentence in opened.told():
            click.echo(sentence, err=True)
        count_try(state_directory(os.environ))
        number, match = seated(opened.journal, wished, plan)
        frames = plan.folder / "camera.bmp"
        world = _world(ends, plan, match, frames) if plan.is_twin else None
        camera = f"live:{frames}" if plan.is_twin else wished.camera or plan.settings.camera.name
        companion = _companion(plan, opened.journal, number, match, lambda: _eyes(plan, match, camera, world))
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_signal: companion.put(Stop()))
        wires = plan.board, plan.factory
        twin = None if world is None else joined(ends, companion.door, world, wires, wished)
        _join(ends, companion, plan, twin)
        if wished.port:
            guided = guides(companion.door, _home(plan))
            ends.callback(Phones(companion.door, wished.port, twin, journal, guided, here).close)
        return companion.run()


def _plan(wished: Wished, folder: Path) -> Plan:
    settings = _settings(wished)
    file = settings.board.file
    _name, board = chosen(wished.profile or settings.board.profile, None if file is None else Path(file))
    is_twin = wished.twin or not is_raspberry()
    if not is_twin:
        # lgpio makes a file in the folder that it works in
        os.environ.setdefault("LG_WD", str(folder))
        os.environ.setdefault("GPIOZERO_PIN_FACTORY", "lgpio")
    return Plan(settings, board, is_twin, MockFactory(pin_class=WatchedPin) if is_twin else None, folder)


def is_raspberry() -> bool:
    """Tell whether this is a Raspberry Pi, or somebody has said which pins to use."""
    if os.environ.get("GPIOZERO_PIN_FACTORY"):
        return True
    return MODEL.exists() and MODEL.read_text(encoding="utf-8", errors="replace").startswith("Raspberry Pi")


@contextmanager
def _working_folder() -> Iterator[Path]:
    """Give a folder for what needn't survive: whoever supervises has one, mostly in memory."""
    given = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
    if given:
        yield Path(given)
        return
    with TemporaryDirectory(prefix="coyote") as folder:
        yield Path(folder)


def _companion(
    plan: Plan, journal: Journal, number: int | None, match: Match, opened: Callable[[], Eyes]
) -> Companion:
    """Put senses, voices and the journal's writer together."""
    queue: SimpleQueue[Item] = SimpleQueue()
    try:
        buttons = Buttons(plan.board, queue.put, plan.factory)
    except BoardError as error:
        raise click.ClickException(board_said(error.trouble)) from error
    voices = Voices(plan.board, sound_of(plan.settings.sound, preferred(os.environ)), plan.factory)
    writer, log = Writer(journal, queue.put), Logbook(log_path(os.environ))
    log.note("start", match=number, twin=plan.is_twin)
    watcher = Watcher(opened, queue.put)
    parts = Parts(
        queue,
        Hands(plan.board),
        buttons,
        voices,
        writer,
        watcher,
        log,
        listener_of,
        sights=lambda other: _sights(plan, other),
        is_wanted=is_wanted,
        at_ready=lambda: proven(state_directory(os.environ)),
    )
    return Companion(parts, match, number)


# who joins in


def _join(ends: ExitStack, companion: Companion, plan: Plan, twin: Twin | None) -> None:
    """Let the terminal join in, each way in a thread of its own."""
    if plan.is_twin or sys.stdout.isatty():
        ends.callback(Printer(companion.door).close)
    if plan.is_twin or sys.stdin.isatty():
        Keyboard(companion.door, lambda: companion.put(Stop()), None if twin is None else twin.simulation)


def _world(ends: ExitStack, plan: Plan, match: Match, frames: Path) -> World:
    world = World(match, lambda parting: _zones(plan, parting), frames)
    ends.callback(world.close)
    return world


def _home(plan: Plan) -> Home:
    """Find where the table is kept, and how it is parted; where the simulated one is needn't survive."""
    camera = plan.settings.camera
    file = plan.folder / "table.json" if plan.is_twin else table_path(os.environ)
    return Home(file, lambda layout, parting: parted(layout, parting, camera.apart, mat=camera.mat))


def _zones(plan: Plan, parting: Parting) -> Zones:
    home = _home(plan)
    return home.parted(layout_kept(home.file), parting)


def _eyes(plan: Plan, match: Match, camera: str, world: World | None) -> Eyes:
    """Draw or find the deck, and open the eyes: that takes longer than the first lamp may."""
    deck, zones = match.setup.game.deck(match.setup.house), _zones(plan, parting_of(match))
    begin_with = eyes_settings(camera, deck_folder(deck.name, plan.folder), deck.counts, zones)
    if world is not None:
        begin_with = _nowhere(begin_with)
        world.shown.wait(OPENING)
    return Supervised(work, begin_with, remembered=remembered)


def _sights(plan: Plan, match: Match) -> tuple[Order, ...]:
    """Tell the eyes of another match: where its seats are, and its cards."""
    deck = match.setup.game.deck(match.setup.house)
    folder = deck_folder(deck.name, plan.folder)
    return UseZones(_zones(plan, parting_of(match))), UseDeck(str(folder), deck.counts)


def _nowhere(settings: EyesSettings) -> EyesSettings:
    """Forget where the real table is."""
    return replace(settings, table=None, empty="")


# what was asked for


def _settings(wished: Wished) -> Settings:
    try:
        settings = settings_in(wished.config or configuration_path(os.environ))
    except SettingsError as error:
        for mistake in error.mistakes:
            click.echo(f"coyote: {mistake}", err=True)
        raise SystemExit(1) from error
    choice = held(settings, state_directory(os.environ))
    for sentence in choice.told:
        click.echo(sentence, err=True)
    return choice.settings


def _wish(wished: Wished, play: Play) -> Wish:
    """Understand what was asked for; what wasn't said is as the configuration has it."""
    name = wished.game or play.game
    if name not in GAMES:
        raise click.UsageError(_("{name}: there is no such game").format(name=name))
    is_usual = name == play.game and wished.edition is None
    usual = tuple(f"{key}={value}" for key, value in play.house.items()) if is_usual else ()
    agreed = wished.agreed or usual
    seats = wished.seats or ",".join(play.seats) or None
    return wish_of(GAMES[name], Asked(wished.edition, seats, agreed, wished.fresh))


def seated(journal: Journal, wished: Wished, plan: Plan) -> tuple[int | None, Match]:
    """Sit down: at the match that was on last, if nothing else is wished for or it was on just now."""
    nothing_said = not (wished.game or wished.edition or wished.seats or wished.agreed or wished.fresh)
    if nothing_said or is_again():
        latest = journal.latest()
        kept = None if latest is None else read_again(journal, latest)
        if kept is not None and kept.match is not None and not kept.over:
            return _gone_on(journal, kept, kept.match)
    seats = min(plan.board.seats, ALONE) if plan.is_twin else plan.board.seats
    return _match(journal, _wish(wished, plan.settings.play), seats)


def _gone_on(journal: Journal, kept: Resumed, match: Match) -> tuple[int, Match]:
    """Go on with a match; past a fault it does under a new number."""
    return (kept.id if kept.fault is None else journal.begin(match)), match


def _match(journal: Journal, wish: Wish, seats: int) -> tuple[int | None, Match]:
    """Go on with the newest open match that is wished for, else begin one."""
    others = False
    for kept in open_matches(journal):
        others = True
        if kept.match is not None and not wish.fresh and is_wished(wish, kept.match):
            return _gone_on(journal, kept, kept.match)
    names = wish.names or _seat_names(wish, seats)
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    match = begin(Setup(wish.game, wish.house, names, begun=now))
    if isinstance(match, Refusal):
        raise click.UsageError(tell_refusal(Listener(wish.game.words, names, LANGUAGE), match))
    # one that was asked for, or beside others, is kept before its first answer: after a crash it is the newest
    return (journal.begin(match) if others or wish.fresh else None), match


def _seat_names(wish: Wish, seats: int) -> tuple[str, ...]:
    """Name as many seats as the board has, and the game allows."""
    can = wish.game.seats(wish.house)
    count = min(max(seats, can.start), can.stop - 1)
    return tuple(_("Seat {number}").format(number=number) for number in range(1, count + 1))
