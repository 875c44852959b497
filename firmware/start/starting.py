"""Putting the table together: what is wired, what is wished for, who joins in; the lamps before the eyes."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from time import monotonic, sleep
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from firmware.board.senses.buttons import Buttons
from firmware.board.senses.hands import Hands
from firmware.board.senses.pin_probe import PinProbe
from firmware.board.voices.dialled import dial_words
from firmware.board.voices.speech import Sound
from firmware.board.voices.voices import Voices
from firmware.board_events import Edge, OffHeld
from firmware.cli.board import choose_board
from firmware.cli.play import PlayArguments, PlayRequest, request_from
from firmware.cli.table_terminal import Keyboard, Printer
from firmware.cli.terminal import listener_of
from firmware.language.board_troubles import trouble_text as board_said
from firmware.language.catalogues import languages, preferred_language
from firmware.language.speaking import _
from firmware.language.troubles import error_text, problem_text
from firmware.parts.finding import Home
from firmware.parts.guides import guides
from firmware.parts.live_pictures import LivePictures
from firmware.parts.looks import Looks
from firmware.parts.other_decks import OtherDecks
from firmware.parts.own_wifi import OwnWifi
from firmware.parts.power import Power
from firmware.parts.second_copy import SecondCopies
from firmware.parts.settings import same_camera_sentences
from firmware.parts.table_board import TableBoard
from firmware.parts.table_presence import TablePresence
from firmware.parts.table_sound import TableSound, sound_of
from firmware.parts.usb_learning import UsbLearning
from firmware.start.board_at_start import (
    board_at_start,
    first_profile,
    named_board,
    probed_pins,
    simulated_board,
)
from firmware.start.eyes_at_start import (
    EyesPlaces,
    cameras_of,
    frames_of,
    open_eyes,
    orders_for_match,
    simulated_lens,
)
from firmware.start.forget import forget_at_start
from firmware.start.outlets import by_air, open_outlets
from firmware.start.phones import KeptThings, Phones
from firmware.start.ports import may_take_low_ports, ports_to_try
from firmware.start.safe_start import (
    FailurePolicy,
    Proof,
    Start,
    StartError,
    left_out_sentences,
    start_safely,
)
from firmware.start.safe_start import forget_failed_starts as starts_proven
from firmware.start.sitting_down import begin_match, go_on, lost_answers, resume_or_begin, seat_names
from firmware.start.supervisor import end_signals, has_parent, is_restart, is_wanted
from firmware.start.table_parts import TableParts, open_club
from firmware.start.usb_buttons import open_usb_buttons
from firmware.start.version_start import keep_older_form, note_came_up, went_back_sentences
from firmware.state_folder import BOARD, state_directory
from firmware.storage.backups.parts import TablePlaces, places
from firmware.storage.backups.placing import finish_restore
from firmware.storage.configuration import (
    Play,
    RunOptions,
    TableSettings,
    count_try,
    effective_settings,
    may_read,
    settings_in,
)
from firmware.storage.configuration import end_trial as chosen_proven
from firmware.storage.database import connected_for_a_thread
from firmware.storage.errors import JournalError
from firmware.storage.files import scratch
from firmware.storage.forgetting import KeptEverywhere
from firmware.storage.found_table import divide_table, load_layout
from firmware.storage.journal import Journal, open_journal, read_again
from firmware.storage.match_marks import is_kept_paused, keep_pause, part_pictures
from firmware.storage.own_secrets import deal_secret
from firmware.storage.people.evening import held_seats
from firmware.storage.people.links_file import LinksFile
from firmware.storage.places import links_path, log_path, table_path
from firmware.storage.state_place import (
    StatePlace,
    choose_place,
    cures,
    journal_problem,
    place_in_memory,
    take_back_memory,
    use_place,
)
from firmware.storage.wired_board import KEPT_BUTTONS, NO_BOARD, WiredBoard, read_profiles, wired_at_start
from firmware.table.door import TableDoor
from firmware.table.logbook import Logbook
from firmware.table.loop import Companion
from firmware.table.notices import LOST_ANSWER, Notice
from firmware.table.parts import Failure, Item, Parts, Stop
from firmware.table.watcher import EyesProcess, Watcher
from firmware.table.writer import EntryStore, Writer
from firmware.twin.simulated_board import SimulatedPins
from firmware.twin.simulated_table import SimulatedTable, open_twin
from firmware.twin.typed_commands import typed_commands
from firmware.twin.world import World
from hardware.board.board import Board, BoardError
from hardware.board.usb_box import UsbButtonList, usb_keys, usb_seats
from referee.contract import TableLayout
from referee.games.catalogue import GAMES
from referee.match import Match
from referee.record import begun_in
from vision.table.thrift import give_back_memory
from vision.table.zones import Zones
from vision.troubles import Problem
from webui.drawing.bots import animals_of

MODEL = Path("/proc/device-tree/model")
ALONE = 4
"""Seats of a twin for which no names are given: a person, and bots."""
CHECKED = "COYOTE_CHECKED"
"""In the environment of a table whose version is checked: playing from memory would hide that it can't keep."""
BUSY, LOOK = 2.0, 0.2
"""Seconds that another program may still have a pin, and between two tries."""
REST = 30.0
"""Seconds before the system tries again what no start can mend: who writes all day wears out a card."""


class Plan(Struct, frozen=True, eq=False):
    """What the table is made of."""

    settings: TableSettings
    board: Board
    is_twin: bool
    factory: Any
    folder: Path
    """For what needn't survive."""
    how: Start = Start()
    unsaved: Problem | None = None
    """Why nothing is kept, if so."""
    is_disk_lost: Callable[[], bool] = lambda: False
    """Looks whether anything can still be kept."""
    wired: WiredBoard = WiredBoard()
    """Which board is said to be wired; what is driven is `board`."""
    board_told: str = ""
    """What people have to know about that, until the host has said which one is wired."""
    usb: UsbButtonList = ()
    """Whose buttons by USB there are."""

    @property
    def seats(self) -> int:
        """Give the number of seats that have buttons; a twin's first match has few, whatever is simulated."""
        wired = min(self.board.seats, ALONE) if self.is_twin else self.board.seats
        return max(wired, usb_seats(self.usb))


def start(wished: RunOptions, journal: Path) -> int:
    """Run the table until it is ended; the code tells whether to start it again."""
    for name in end_signals():
        if name != signal.SIGINT:
            signal.signal(name, lambda *_signal: sys.exit(0))
    try:
        return _start_at(choose_place(os.environ, journal), wished)
    except JournalError as error:
        raise click.ClickException(error_text(error)) from error


def _start_at(place: StatePlace, wished: RunOptions) -> int:
    """Run the table with its state where it can be now; a journal that can't be used moves it into memory."""
    use_place(place, os.environ)
    here = places(os.environ, place.journal, wished.config)

    def elsewhere(error: JournalError) -> int | None:
        is_elsewhere = place.unsaved is not None or CHECKED in os.environ
        why = None if is_elsewhere else journal_problem(error)
        return None if why is None else _start_at(place_in_memory(place.disk, place.disk_journal, why), wished)

    rest = 0.0 if has_parent() else REST
    trouble = FailurePolicy(log_path(os.environ), lambda: _is_typed(wished), rest, elsewhere)
    return start_safely(here, lambda how: _run(wished, here, how, place), trouble)


def _run(wished: RunOptions, here: TablePlaces, how: Start, place: StatePlace) -> int:
    """Put the table together, and run it."""
    has_played = here.journal.exists() or place.disk_journal.exists()
    with _working_folder() as folder, ExitStack() as ends:
        how = replace(how, told=(*how.told, *_settle(place)))
        keep_older_form(here.state)
        _put_in_place(here)
        forget_at_start(here)
        plan = _plan(wished, folder, here, how, has_played=has_played)
        plan = replace(plan, unsaved=place.unsaved, is_disk_lost=place.is_lost)
        if not plan.is_twin:
            # decks are drawn once; a twin goes on drawing
            give_back_memory()
        opened = ends.enter_context(open_journal(here.journal, connected_for_a_thread))
        for report in opened.repairs():
            click.echo(problem_text(report), err=True)
        _part_pictures(here.state, opened.journal)
        count_try(here.state)
        number, match = _sit_down_safely(opened.journal, wished, plan)
        seeing = _seeing(plan, wished)
        world = _world(ends, plan, match, seeing, wished) if plan.is_twin else None
        store = KeptEverywhere(opened.journal, here)
        proof = Proof({"eyes", "pages"} if wished.port != 0 else {"eyes"}, lambda: _end_trials(here.state))
        live = LivePictures(is_on=plan.settings.camera.live)
        eyes = partial(open_eyes, seeing, match, None if world is None else world.shown, live)
        companion = _companion(plan, store, number, match, (eyes, seeing), lambda: proof.note("eyes"))
        for name in end_signals():
            signal.signal(name, lambda *_signal: companion.put(Stop()))
        wires = plan.board, plan.factory
        door, links = companion.door, _links(companion.door)
        seats = wished, lambda: held_seats(links.evening())
        twin = None if world is None else open_twin(ends, door, world, wires, seats, animals_of)
        _join(ends, companion, plan, twin)
        companion.door.report(LOST_ANSWER, lost_answers(opened))
        open_outlets(ends, plan.settings, door, companion.put)
        parts = TableParts(
            links=links,
            guides=guides(door, _home(plan)),
            live=live,
            board=_board(ends, plan, here, door),
            sound=TableSound(here.state, plan.settings.sound.volume, _sound(plan).quiet),
            usb=UsbLearning(here.state, open_usb_buttons(ends, plan.usb, door, companion.put).learn),
            wireless=len(by_air(plan.settings)),
            power=_power(plan, companion),
            presence=_presence(plan, companion),
            club=open_club(ends, here, companion, links),
            wifi=OwnWifi(here.state),
            looks=Looks(),
            copies=_second_copies(ends, plan, here, companion),
            place=place,
        )
        if wished.port != 0:
            https = wished.https or plan.settings.pages.https
            at_open = partial(note_pages, companion, proof, plan.how)
            ports = ports_to_try(wished.port, "https" if https else "http", may_take_low=may_take_low_ports())
            phones = Phones(
                door, ports, parts, KeptThings(here, plan.settings), twin, https=https, at_open=at_open
            )
            ends.callback(phones.close)
        return companion.run()


def _part_pictures(state: Path, journal: Journal) -> None:
    """Let no match show what another one of its number has left, as after a backup."""
    with suppress(OSError):
        part_pictures(state, ((kept.id, begun_in(kept.head)) for kept in journal.matches()))


def _links(door: TableDoor) -> LinksFile:
    """Read who is let in; a file that can't be read is kept aside, and told."""
    links = LinksFile(links_path(os.environ), door.moment)
    if links.aside is not None:
        told = _(
            "The file of the people at the table can't be read: everybody joins anew. It is kept as {path}."
        )
        click.echo(told.format(path=links.aside), err=True)
    return links


def _second_copies(ends: ExitStack, plan: Plan, here: TablePlaces, companion: Companion) -> SecondCopies:
    """Keep second copies; what goes wrong with them is told as long as it lasts."""
    folder = plan.settings.copy.folder

    def tell(root: Path, trouble: Problem | None) -> None:
        values = {} if trouble is None else {"place": root.name or "?", "why": problem_text(trouble)}
        companion.door.report(("second copy", root), Notice("second copy", values) if trouble else None)

    copies = SecondCopies(here, None if folder is None else Path(folder), tell)
    copies.begin()
    ends.callback(copies.close)
    return copies


def _settle(place: StatePlace) -> tuple[str, ...]:
    """Take back what was played in memory; where nothing can be kept, say so and what cures it."""
    if place.unsaved is None:
        told = tuple(map(problem_text, take_back_memory(place.state, place.journal)))
    else:
        told = tuple(map(problem_text, (place.unsaved, *cures(place))))
    for sentence in told:
        click.echo(sentence, err=True)
    return told if place.unsaved is None else ()


def _put_in_place(here: TablePlaces) -> None:
    """Put a backup in place, if one waits; one that can't be is a start that fails, whatever hinders it."""
    try:
        for report in finish_restore(here):
            click.echo(problem_text(report), err=True)
    except JournalError as error:
        raise StartError(error_text(error), "backup") from error


def _plan(wished: RunOptions, folder: Path, here: TablePlaces, how: Start, *, has_played: bool) -> Plan:
    settings, told = _settings(here)
    is_twin = wished.twin or not is_raspberry()
    cameras = cameras_of(wished, settings.camera, folder if is_twin else None)
    told = (*went_back_sentences(here.state), *told, *same_camera_sentences(*cameras))
    if is_twin:
        chosen = simulated_board(wished.profile, settings.board, with_defaults=how.with_defaults)
    else:
        wired = wired_at_start(here.state, first_profile(settings.board), has_played=has_played)
        named = named_board(wished.profile, settings.board, wired)
        chosen = board_at_start(named, settings.board, with_defaults=how.with_defaults)
    if chosen.told:
        click.echo(chosen.told, err=True)
    if not is_twin:
        # lgpio makes a file in the folder that it works in
        os.environ.setdefault("LG_WD", str(folder))
        os.environ.setdefault("GPIOZERO_PIN_FACTORY", "lgpio")
    factory = SimulatedPins() if is_twin else None
    how = replace(how, told=(*how.told, *told))
    return Plan(
        settings,
        chosen.board,
        is_twin,
        factory,
        folder,
        how,
        wired=chosen.wired,
        board_told=chosen.told,
        usb=KEPT_BUTTONS.read(here.state),
    )


def _board(ends: ExitStack, plan: Plan, here: TablePlaces, door: TableDoor) -> TableBoard:
    """Let the host say which board is wired; as long as none is driven, all pins are listened to."""
    if plan.board_told:
        key = "board asleep" if plan.board == NO_BOARD else "board unsaid"
        door.report(BOARD, Notice(key, {"told": plan.board_told}))
    if plan.is_twin:
        return TableBoard(here.state, plan.wired, {}, door)
    boards, probe = read_profiles(plan.settings.board.own_profiles), None
    if not plan.wired.is_driven:
        probe = PinProbe(probed_pins(boards), plan.factory)
        ends.callback(probe.close)
    return TableBoard(here.state, plan.wired, boards, door, probe)


def _power(plan: Plan, companion: Companion) -> Power:
    """Let host and dial switch the computer off, where it is the table's own."""
    power = Power(companion.door, has_dial=plan.board.dial is not None, is_there=not plan.is_twin)
    if power.is_there:
        companion.when_held(OffHeld, power.hold)
    return power


def _presence(plan: Plan, companion: Companion) -> TablePresence:
    """Let phones prove that they are at a real table; at a simulated one, its own computer is that."""
    presence = TablePresence(companion.door, plan.board, companion.means, is_there=not plan.is_twin)
    if presence.is_there:
        companion.when_pressed(presence.hear_edge)
    return presence


def is_raspberry() -> bool:
    """Tell whether this is a Raspberry Pi, or the environment says which pins to use."""
    if os.environ.get("GPIOZERO_PIN_FACTORY"):
        return True
    return MODEL.exists() and MODEL.read_text(encoding="utf-8", errors="replace").startswith("Raspberry Pi")


@contextmanager
def _working_folder() -> Iterator[Path]:
    """Give a folder for what needn't survive: the supervisor's, mostly in memory, or a temporary one."""
    given = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
    if given:
        yield Path(given)
        return
    with scratch() as folder:
        yield folder


def _sound(plan: Plan) -> Sound:
    """Say how the table sounds."""
    return sound_of(plan.settings.sound, preferred_language(os.environ), state_directory(os.environ))


def _companion(
    plan: Plan,
    store: EntryStore,
    number: int | None,
    match: Match,
    sight: tuple[Callable[[], EyesProcess], EyesPlaces],
    at_ready: Callable[[], None],
) -> Companion:
    """Put senses, voices and the journal's writer together."""
    queue: SimpleQueue[Item] = SimpleQueue()
    buttons, wrong = _buttons(plan, queue.put)
    told = (*plan.how.told, *wrong)
    voices = Voices(plan.board, _sound(plan), plan.factory)
    state, log = state_directory(os.environ), Logbook(log_path(os.environ))
    writer = Writer(store, queue.put, plan.is_disk_lost, partial(keep_pause, state))
    log.note("start", match=number, twin=plan.is_twin, defaults=plan.how.with_defaults)
    (opened, seeing) = sight
    watcher = Watcher(opened, OtherDecks(queue.put).pass_on)
    parts = Parts(
        queue,
        Hands(plan.board, (*by_air(plan.settings), *usb_keys(plan.usb))),
        buttons,
        voices,
        writer,
        watcher,
        log,
        listener_of,
        sights=partial(orders_for_match, seeing),
        is_wanted=is_wanted,
        at_ready=at_ready,
        set_aside=Notice("set aside", {"told": "\n".join(told)}) if told else None,
        unsaved=None if plan.unsaved is None else Notice(plan.unsaved.key, plan.unsaved.values),
        was_paused=is_kept_paused(state, match, number),
        needs_eyes=not plan.how.with_defaults,
        dial_words=dial_words,
    )
    return Companion(parts, match, number)


def note_pages(companion: Companion, proof: Proof, how: Start, error: Exception | None) -> None:
    """Note whether pages have come up; if not, the next start tries, and one with defaults runs on."""
    if error is None:
        proof.note("pages")
    elif not how.with_defaults:
        companion.put(Failure(error))
    else:
        why = error.format_message() if isinstance(error, click.ClickException) else str(error)
        companion.door.report("no pages", Notice("no pages", {"why": why}))


def _end_trials(state: Path) -> None:
    """End all trials: the table is ready, sees, and has pages."""
    chosen_proven(state)
    starts_proven(state)
    note_came_up(state)


def _buttons(plan: Plan, put: Callable[[Edge], None]) -> tuple[Buttons, tuple[str, ...]]:
    """Open the buttons; where they can't be had, the table goes without, and tells."""
    until = monotonic() + BUSY
    while True:
        try:
            return Buttons(plan.board, put, plan.factory), ()
        except BoardError as error:
            if error.trouble.key == "no pins" or monotonic() > until:
                return _no_buttons(plan, put, board_said(error.trouble))
        # another program has a pin, and may be on its way out
        sleep(LOOK)


def _no_buttons(plan: Plan, put: Callable[[Edge], None], why: str) -> tuple[Buttons, tuple[str, ...]]:
    told = _("No button works: {why}. Phones can say all that buttons say.").format(why=why)
    click.echo(told, err=True)
    return Buttons(plan.board, put, SimulatedPins()), (told,)


# who joins in


def _join(ends: ExitStack, companion: Companion, plan: Plan, twin: SimulatedTable | None) -> None:
    """Let the terminal join in, each way in a thread of its own."""
    if plan.is_twin or sys.stdout.isatty():
        ends.callback(Printer(companion.door).close)
    if plan.is_twin or sys.stdin.isatty():
        commands = None if twin is None else typed_commands(twin.simulation)
        Keyboard(companion.door, lambda: companion.put(Stop()), commands)


def _world(ends: ExitStack, plan: Plan, match: Match, places: EyesPlaces, wished: RunOptions) -> World:
    second = None if places.second is None else frames_of(places.second)
    lens = simulated_lens(wished)
    secret = deal_secret(state_directory(os.environ))
    world = World(match, lambda parting: _zones(plan, parting), frames_of(places.camera), lens, second, secret)
    ends.callback(world.close)
    return world


def _seeing(plan: Plan, wished: RunOptions) -> EyesPlaces:
    """Name the cameras: those that are wished for, or configured; the twin has its own."""
    names = cameras_of(wished, plan.settings.camera, plan.folder if plan.is_twin else None)
    return EyesPlaces(*names, plan.settings.camera, plan.folder, partial(_zones, plan), is_twin=plan.is_twin)


def _home(plan: Plan) -> Home:
    """Find where the table is kept, and how it is parted; where the simulated one is needn't survive."""
    camera = plan.settings.camera
    file = plan.folder / "table.json" if plan.is_twin else table_path(os.environ)
    return Home(file, lambda layout, parting: divide_table(layout, parting, camera.apart, mat=camera.mat))


def _zones(plan: Plan, parting: TableLayout) -> Zones:
    home = _home(plan)
    return home.parted(load_layout(home.file), parting)


# what was asked for


def _settings(here: TablePlaces) -> tuple[TableSettings, tuple[str, ...]]:
    """Read the configuration, unless it is left out or another user's, with what the host chose over it."""
    left = left_out_sentences(here.configuration, here.state) or _unreadable_sentences(here.configuration)
    choice = effective_settings(
        TableSettings() if left else settings_in(here.configuration), here.state, languages()
    )
    told = (*left, *map(problem_text, choice.told))
    for sentence in told:
        click.echo(sentence, err=True)
    return choice.settings, told


def _unreadable_sentences(configuration: Path) -> tuple[str, ...]:
    """Tell that this user may not read the configuration, if so."""
    if may_read(configuration):
        return ()
    told = _("{file} isn't used, as it belongs to another user: give it back with sudo chown.")
    return (told.format(file=configuration),)


def _is_typed(wished: RunOptions) -> bool:
    """Tell whether what was typed can't be, whatever else there is."""
    try:
        wish = _wish(wished, Play())
        if wish.names:
            begin_match(wish, wish.names)
        if wished.profile is not None:
            choose_board(wished.profile)
        if wished.twin or not is_raspberry():
            simulated_lens(wished)
    except click.UsageError:
        return True
    return False


def _wish(wished: RunOptions, play: Play) -> PlayRequest:
    """Understand what was asked for; what wasn't said is as the configuration has it."""
    name = wished.game or play.game
    if name not in GAMES:
        raise click.UsageError(_("{name}: there is no such game").format(name=name))
    is_usual = name == play.game and wished.edition is None
    usual = tuple(f"{key}={value}" for key, value in play.house.items()) if is_usual else ()
    agreed = wished.agreed or usual
    seats = wished.seats or ",".join(play.seats) or None
    return request_from(GAMES[name], PlayArguments(wished.edition, seats, agreed, wished.fresh))


def _sit_down_safely(journal: Journal, wished: RunOptions, plan: Plan) -> tuple[int | None, Match]:
    """Sit down; if no match can be gone on with, a start with defaults begins another one, and all are kept."""
    try:
        return sit_down(journal, wished, plan)
    except (click.ClickException, JournalError):
        raise
    except Exception:
        if not plan.how.with_defaults:
            raise
    click.echo(_("No open match can be gone on with: another one begins, and all are kept."), err=True)
    wish = _wish(wished, Play())
    match = begin_match(wish, wish.names or seat_names(wish, plan.board.seats))
    return journal.begin(match), match


def sit_down(journal: Journal, wished: RunOptions, plan: Plan) -> tuple[int | None, Match]:
    """Sit down: at the match that was on last, if nothing else is wished for or it was on just now."""
    nothing_said = not (wished.game or wished.edition or wished.seats or wished.agreed or wished.fresh)
    if nothing_said or is_restart():
        latest = journal.latest()
        kept = None if latest is None else read_again(journal, latest)
        if kept is not None and kept.match is not None and not kept.is_over:
            return go_on(journal, kept, kept.match)
    return resume_or_begin(journal, _wish(wished, plan.settings.play), plan.seats)
