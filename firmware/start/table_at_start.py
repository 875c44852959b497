"""The plan of a table, made of what is wired, wished for and chosen; and all that is at it beside its loop.

Each part is made once, and what the table lacks is a part, too.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial, reduce
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct
from msgspec.structs import replace

from firmware.board.inputs.buttons import PinProbe
from firmware.board.inputs.usb_buttons import UsbButtons, UsbReader
from firmware.board.outputs.drivers import spi_file
from firmware.board.outputs.speech import Sound
from firmware.board_events import DirectorHeld, OffHeld
from firmware.cli.board import choose_board, first_profile, named_board
from firmware.cli.output import complain
from firmware.integrations.following import Follower, Outlet, report_outlet
from firmware.language.catalogues import SpokenLanguages, languages, preferred_language
from firmware.language.speaking import Sentence, _, error_text, problem_sentence, problem_text, say
from firmware.services.addresses import OwnWifi, TableAddress
from firmware.services.backups import Backups, SecondCopies
from firmware.services.card_lines import CardLines
from firmware.services.checks import WHILE_PLAYING, Here, SupplyWatch, look_at
from firmware.services.finding import Home, Pausing, TableFinder
from firmware.services.jobs import do_job
from firmware.services.learning import Teacher
from firmware.services.looks import Looks
from firmware.services.own_club import OwnClub
from firmware.services.photographs import EvidenceFiles, PhotographReader, look_at_table
from firmware.services.power import Power
from firmware.services.presence import TablePresence
from firmware.services.settings import SettingsKeeper
from firmware.services.table_board import TableBoard
from firmware.services.table_sound import TableSound, sound_of
from firmware.services.usb_learning import UsbLearning
from firmware.start.safe_start import Start, unused_sentences, went_back_sentences
from firmware.state_folder import BOARD, EVIDENCE, FOUND_TABLE, LINKS, state_directory
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.configuration import (
    BoardSettings,
    BrokerSettings,
    RunOptions,
    TableSettings,
    effective_settings,
    gone_in,
    settings_in,
)
from firmware.storage.decks import deck_folder
from firmware.storage.found_table import divide_table, load_layout, parting_of
from firmware.storage.found_table import settings as eyes_settings
from firmware.storage.match_history import History, sum_up
from firmware.storage.own_secrets import deal_secret
from firmware.storage.people.links_file import LinksFile
from firmware.storage.state_place import StatePlace
from firmware.storage.wired_board import (
    KEPT_BUTTONS,
    NO_BOARD,
    NONE,
    WiredBoard,
    is_raspberry,
    read_profiles,
    wired_at_start,
)
from firmware.table.client import TableClient
from firmware.table.loop import Companion
from firmware.table.notices import Notice
from firmware.twin.simulated_board import SimulatedPins
from firmware.twin.simulated_camera import SimulatedCameraError, simulated_camera
from firmware.twin.simulated_table import SimulatedTable
from firmware.twin.world import World
from hardware.board.board import INTERFACES, RING_SELECT, Board, Boards
from hardware.board.usb_box import UsbButtonList, usb_seats
from hardware.board.uses import known_pins
from hardware.twin.rendering.scene import SceneCamera
from referee.contract import TableLayout
from referee.games.catalogue import MAX_FAILURES, GameError
from referee.match import Match
from vision.process.eyes import run_eyes
from vision.process.messages import EyesOrder, UseDeck, UseZones, settings_after
from vision.process.supervision import SILENCE_TIMEOUT, START, SupervisedEyes
from vision.table.zones import Zones
from vision.troubles import Problem


class BoardAtStart(Struct, frozen=True, eq=False):
    """The board that is driven, which one is said to be wired, and what people have to know about that."""

    board: Board
    wired: WiredBoard = WiredBoard()
    told: Sentence | None = None


def board_at_start(named: WiredBoard, settings: BoardSettings, *, with_defaults: bool = False) -> BoardAtStart:
    if not named.is_driven:
        return BoardAtStart(NO_BOARD, named, _sleep_sentence(named))
    if named.profile == NONE:
        return BoardAtStart(NO_BOARD, named)
    try:
        board = choose_board(named.profile, settings.own_profiles)[1]
    except click.ClickException as error:
        if not with_defaults:
            raise
        told = say(
            "{why}: no pin is driven. Choose a board on the host page (Board), or type: coyote table board",
            why=error.format_message(),
        )
        return BoardAtStart(NO_BOARD, named, told)
    assumed = say(
        "The wired board isn't chosen yet: it runs as {profile}, as before. Confirm it on the host page "
        "(Board), or type: coyote table board {profile}",
        profile=named.profile,
    )
    return BoardAtStart(board, named, assumed if named.stage == "assumed" else None)


def simulated_board(typed: str | None, settings: BoardSettings, *, with_defaults: bool = False) -> BoardAtStart:
    try:
        return BoardAtStart(choose_board(typed or settings.profile, settings.own_profiles)[1])
    except click.ClickException as error:
        if not with_defaults:
            raise
        told = say("{why}: the table starts with another board.", why=error.format_message())
        return BoardAtStart(choose_board(None)[1], told=told)


def probed_pins(boards: Boards) -> tuple[int, ...]:
    """List the pins to listen to; those of SPI are its own where it is switched on."""
    taken = INTERFACES["spi"] if spi_file(RING_SELECT).exists() else frozenset[int]()
    return tuple(gpio for gpio in known_pins(boards) if gpio not in taken)


def _sleep_sentence(named: WiredBoard) -> Sentence:
    if named.stage == "trial":
        return say(
            "Buttons and lamps sleep: {profile} was chosen as the board. Press its buttons, and confirm it on "
            "the host page (Board).",
            profile=named.profile,
        )
    return say(
        "Buttons and lamps sleep: choose the wired board on the host page (Board), or by coyote table board."
    )


ALONE = 4  # seats of a twin for which no names are given: a person, and bots
DRAWN = "camera.bmp"  # what a twin's camera shows, in the folder for what needn't survive


class Plan(Struct, frozen=True, eq=False):
    """What the table is made of."""

    settings: TableSettings
    board: Board
    is_twin: bool
    factory: Any
    folder: Path  # for what needn't survive
    place: StatePlace  # where the state is, and why it isn't saved, if it isn't
    how: Start = Start()
    wired: WiredBoard = WiredBoard()  # which board is said to be wired; what is driven is `board`
    board_told: Sentence | None = None
    """What people have to know about that, until the host has said which one is wired."""
    usb: UsbButtonList = ()  # whose buttons by USB there are
    slowness: float = 1.0  # how many times as much time as a Pi this machine needs
    camera: str = ""

    @property
    def seats(self) -> int:
        """Give the number of seats that have buttons; a twin's first match has few, whatever is simulated."""
        wired = min(self.board.seats, ALONE) if self.is_twin else self.board.seats
        return max(wired, usb_seats(self.usb))


def make_plan(
    wished: RunOptions, folder: Path, here: TablePlaces, how: Start, place: StatePlace, *, has_played: bool
) -> Plan:
    """Decide what the table drives and reads, from what is wired, configured and chosen."""
    left = unused_sentences(here.configuration, here.state)
    configured = TableSettings() if left else settings_in(here.configuration)
    choice = effective_settings(configured, here.state, languages())
    gone, settings = () if left else gone_in(here.configuration), choice.settings
    told = complain((*left, *map(problem_text, (*gone, *choice.told))))
    told = (*how.told, *went_back_sentences(here.state), *told)
    is_twin = wished.twin or not is_raspberry()
    if is_twin:
        chosen = simulated_board(wished.profile, settings.board, with_defaults=how.with_defaults)
    else:
        wired = wired_at_start(here.state, first_profile(settings.board), has_played=has_played)
        named = named_board(wished.profile, settings.board, wired)
        chosen = board_at_start(named, settings.board, with_defaults=how.with_defaults)
    if chosen.told:
        click.echo(str(chosen.told), err=True)
    if not is_twin:
        # lgpio makes a file in the folder that it works in
        os.environ.setdefault("LG_WD", str(folder))
        os.environ.setdefault("GPIOZERO_PIN_FACTORY", "lgpio")
    factory, usb = SimulatedPins() if is_twin else None, KEPT_BUTTONS.read(here.state)
    how, board = replace(how, told=told), chosen.board
    return Plan(settings, board, is_twin, factory, folder, place, how, chosen.wired, chosen.told, usb)


def home_of(plan: Plan) -> Home:
    camera = plan.settings.camera
    file = plan.folder / FOUND_TABLE if plan.is_twin else state_directory() / FOUND_TABLE
    return file, lambda layout, parting: divide_table(layout, parting, camera.apart, mat=camera.mat)


def zones_of(plan: Plan, parting: TableLayout) -> Zones:
    file, parted = home_of(plan)
    return parted(load_layout(file), parting)


def camera_of(plan: Plan, wished: RunOptions) -> str:
    """Name the camera: the one that is wished for, or configured; the twin has its own."""
    return f"live:{plan.folder / DRAWN}" if plan.is_twin else wished.camera or plan.settings.camera.name


def sound_at(plan: Plan) -> Sound:
    return sound_of(plan.settings.sound, preferred_language(), state_directory())


# all that is at the table


if TYPE_CHECKING:
    from firmware.services.table import Table

SUMMING = 3600.0  # seconds that playing many matches again may take


def table_maker(
    ends: ExitStack,
    plan: Plan,
    here: TablePlaces,
    companion: Companion,
    *,
    links: LinksFile,
    twin: SimulatedTable,
) -> Callable[[TableAddress], "Table"]:
    """Make what works from the start on; pages complete it in their thread: lamps don't wait for that."""
    client, settings, evidence = companion.client, plan.settings, here.state / EVIDENCE
    board, power = _board(ends, plan, here, client), _power(ends, plan, companion)
    usb = _usb(ends, plan, companion)
    presence = TablePresence(client, plan.board, companion.means, is_there=not plan.is_twin)
    if presence.is_there:
        companion.when_pressed(presence.hear_edge)
    club, copies = _club(ends, here, companion), _second_copies(ends, plan, here, client)

    def complete(address: TableAddress) -> "Table":
        # what only pages call loads in their thread
        from firmware.services.privacy import Privacy  # noqa: PLC0415
        from firmware.services.table import Table  # noqa: PLC0415
        from firmware.services.trials import Analyses  # noqa: PLC0415

        pausing = Pausing(client)
        return Table(
            client=client,
            links=links,
            twin=twin,
            board=board,
            usb=UsbLearning(here.state, usb.learn),
            power=power,
            presence=presence,
            club=club,
            copies=copies,
            languages=SpokenLanguages(),
            language=preferred_language(),
            address=address,
            finder=TableFinder(client, home_of(plan), pausing),
            teacher=Teacher(client, pausing, plan.folder),
            lines=CardLines(client),
            sound=TableSound(here.state, settings.sound.volume, sound_at(plan).quiet),
            checks=partial(look_at, Here(here.state, here.journal, settings), WHILE_PLAYING),
            wifi=OwnWifi(here.state),
            looks=Looks(),
            history=History(here.journal, sum_up_beside),
            analyses=Analyses(here.journal),
            evidence=EvidenceFiles(evidence, client.state, partial(_report_unkept, client)),
            photographs=PhotographReader(client.moment, look=partial(look_at_table, client)),
            settings=SettingsKeeper(here.state, here.configuration),
            backups=Backups(here, evidence),
            privacy=Privacy(here, settings, club),
            place=plan.place,
        )

    return complete


def _report_unkept(client: TableClient, why: str) -> None:
    """Report that a phone's photograph couldn't be kept; without a reason, that one was."""
    name = "no photograph kept"
    client.report(name, Notice(name, {"why": why}) if why else None)


def sum_up_beside(journal: Path) -> None:
    """Have a process play all matches of a journal again."""
    do_job(sum_up, journal, SUMMING)


def _usb(ends: ExitStack, plan: Plan, companion: Companion) -> UsbButtons:
    """Listen to the buttons by USB that are known; a box that is missing is told until it is there again."""
    client = companion.client
    reader = UsbReader(plan.usb, companion.put, lambda box, wrong: client.report(("usb box", box), wrong))
    buttons = UsbButtons(reader)
    ends.callback(buttons.close)
    return buttons


def _club(ends: ExitStack, here: TablePlaces, companion: Companion) -> OwnClub:
    """Link to the club that the table is in, as long as it runs; a button held calls its director."""
    client, pictures = companion.client, EvidenceFiles(here.state / EVIDENCE, companion.client.state)

    def newest() -> bytes | None:
        kept = pictures.now()
        return kept[max(kept)].jpeg() if kept else None

    club = OwnClub(here.state, here.journal, client, newest)
    companion.when_held(DirectorHeld, club.hold)
    ends.callback(club.close)
    return club


def links_at_start(client: TableClient) -> LinksFile:
    links = LinksFile(state_directory() / LINKS, client.moment)
    if links.aside is not None:
        told = _(
            "The file of the people at the table can't be read: everybody joins anew. It is kept as {path}."
        )
        click.echo(told.format(path=links.aside), err=True)
    return links


def _second_copies(ends: ExitStack, plan: Plan, here: TablePlaces, client: TableClient) -> SecondCopies:
    """Keep second copies; what goes wrong with them is told as long as it lasts."""
    named = plan.settings.copy.folder
    folder = None if named is None else Path(named)

    def tell(trouble: Problem | None) -> None:
        notice = None
        if folder is not None and trouble is not None:
            notice = Notice("second copy", {"place": folder.name or "?", "why": problem_sentence(trouble)})
        client.report("second copy", notice)

    copies = SecondCopies(here, folder, tell)
    copies.begin()
    ends.callback(copies.close)
    return copies


def _board(ends: ExitStack, plan: Plan, here: TablePlaces, client: TableClient) -> TableBoard:
    """Let the host say which board is wired; as long as none is driven, all pins are listened to."""
    if plan.board_told:
        key = "board asleep" if plan.board == NO_BOARD else "board unsaid"
        client.report(BOARD, Notice(key, {"told": plan.board_told}))
    if plan.is_twin:
        return TableBoard(here.state, plan.wired, {}, client)
    boards, probe = read_profiles(plan.settings.board.own_profiles), None
    if not plan.wired.is_driven:
        probe = PinProbe(probed_pins(boards), plan.factory)
        ends.callback(probe.close)
    return TableBoard(here.state, plan.wired, boards, client, probe)


def _power(ends: ExitStack, plan: Plan, companion: Companion) -> Power:
    """Let host and dial switch the computer off, where it is the table's own; and watch its supply."""
    power = Power(companion.client, has_dial=plan.board.dial is not None, is_there=not plan.is_twin)
    if power.is_there:
        companion.when_held(OffHeld, power.hold)
        watch = SupplyWatch(companion.client.report)
        watch.begin()
        ends.callback(watch.close)
    return power


def open_outlets(ends: ExitStack, settings: TableSettings, client: TableClient) -> None:
    """Follow the table for all who are to be told."""
    outlets = list[Outlet](_broker(settings.broker, client) if settings.broker.host else ())
    if settings.outside.webhooks:
        # a table without webhooks starts without an HTTP client
        from firmware.integrations.webhooks import Webhook  # noqa: PLC0415

        outlets += (
            Webhook(address, number) for number, address in enumerate(settings.outside.webhooks, start=1)
        )
    for outlet in outlets:
        ends.callback(Follower(client, outlet).close)


def _broker(settings: BrokerSettings, client: TableClient) -> Iterator[Outlet]:
    # a table without a broker starts without its library
    from firmware.integrations.broker import Broker  # noqa: PLC0415

    place = f"{settings.host}:{settings.port}"
    try:
        file = settings.password_file
        password = None if file is None else Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        report_outlet(client, place, f"{settings.password_file}: {getattr(error, 'strerror', error)}")
        return
    yield Broker(settings, password, partial(report_outlet, client, place))


# what the eyes start with

OPENING = 30.0  # seconds within which the pages, and then the first frame of the twin, have come


def simulated_lens(wished: RunOptions) -> SceneCamera:
    """Give the lens of the twin's camera; a name that it doesn't know is a mistake of who typed it."""
    try:
        return simulated_camera(wished.camera)
    except SimulatedCameraError as error:
        raise click.UsageError(error_text(error)) from error


def open_eyes(plan: Plan, match: Match, shown: Event | None) -> SupervisedEyes:
    """Draw or find the deck, and open the eyes: that takes longer than the first lamp may.

    A twin's camera shows nothing before its first frame.
    """
    if shown is not None:
        shown.wait(plan.slowness * OPENING)
    usual = eyes_settings(plan.camera, plan.settings.camera)
    settings = reduce(settings_after, orders_for_match(plan, match), usual)
    if plan.is_twin:
        # where the real table is says nothing of the twin's
        settings = replace(settings, table=None, empty="")
    patience, start = plan.slowness * SILENCE_TIMEOUT, plan.slowness * START
    return SupervisedEyes(run_eyes, settings, patience=patience, start=start)


def orders_for_match(plan: Plan, match: Match) -> tuple[EyesOrder, ...]:
    """Return what to order the eyes for another match: where its seats are, and its cards.

    Nothing if the game fails: by then it is disabled, and people sit down at another match.
    """
    for _time in range(MAX_FAILURES):
        with suppress(GameError):
            return _orders_of(plan, match)
    return ()


def _orders_of(plan: Plan, match: Match) -> tuple[EyesOrder, ...]:
    deck = match.setup.game.table.deck(match.setup.house)
    zones, folder = zones_of(plan, parting_of(match)), deck_folder(deck.name, plan.folder)
    return UseZones(zones), UseDeck(str(folder), deck.counts)


def world_of(ends: ExitStack, match: Match, plan: Plan, wished: RunOptions, begin: Event) -> World:
    lens, secret = simulated_lens(wished), deal_secret(state_directory())
    world = World(match, partial(zones_of, plan), plan.folder / DRAWN, lens, secret, begin)
    ends.callback(world.close)
    return world
