"""Open the board: its buttons, the buttons by USB, and the services that depend on them."""

from collections.abc import Callable
from contextlib import ExitStack
from time import monotonic, sleep

from firmware.board.inputs.buttons import Buttons, PinProbe
from firmware.board.inputs.usb_buttons import UsbButtons, UsbReader
from firmware.board.outputs.drivers import spi_file
from firmware.board_events import Edge, OffHeld
from firmware.cli.output import complain
from firmware.language.speaking import _, problem_text
from firmware.services.checks import SupplyWatch
from firmware.services.power import Power
from firmware.services.presence import TablePresence
from firmware.services.table_board import TableBoard
from firmware.services.usb_learning import UsbLearning
from firmware.start.plan import Plan
from firmware.state_folder import BOARD
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.wired_board import NO_BOARD, read_profiles
from firmware.table.client import TableClient
from firmware.table.loop import Companion
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from firmware.twin.simulated_board import SimulatedPins
from hardware.board.board import INTERFACES, BoardError, Boards
from hardware.board.uses import known_pins

PIN_TIMEOUT = 2.0
"""Seconds that another program, such as a table that is ending, may still use a pin."""
PIN_RETRY_INTERVAL = 0.2
"""Seconds between two attempts to open the pins."""


def open_buttons(plan: Plan, put: Callable[[Edge], None]) -> tuple[Buttons, tuple[str, ...]]:
    """Open the board's buttons; simulated ones and a note if the pins can't be used."""
    until = monotonic() + PIN_TIMEOUT
    while True:
        try:
            return Buttons(plan.board, put, plan.factory), ()
        except BoardError as error:
            if error.trouble.key == "no pins" or monotonic() > until:
                sentence = _("No button works: {why}. Phones can do everything that buttons do.")
                told = complain([sentence.format(why=problem_text(error.trouble))])
                return Buttons(plan.board, put, SimulatedPins()), told
        sleep(PIN_RETRY_INTERVAL)


def probed_pins(boards: Boards) -> tuple[int, ...]:
    """Return the pins to probe for presses, without those of an enabled SPI."""
    taken = INTERFACES["spi"] if spi_file().exists() else frozenset[int]()
    return tuple(gpio for gpio in known_pins(boards) if gpio not in taken)


def open_table_board(ends: ExitStack, plan: Plan, here: TablePlaces, client: TableClient) -> TableBoard:
    """Open the service that confirms the wired board; it probes all pins until one is confirmed."""
    if plan.board_told:
        key = NoticeKey.BOARD_ASLEEP if plan.board == NO_BOARD else NoticeKey.BOARD_ASSUMED
        client.report(BOARD, Notice(key, {"told": plan.board_told}))
    if not plan.has_pins:
        return TableBoard(here.state, plan.wired, {}, client)
    boards, probe = read_profiles(plan.settings.board.own_profiles), None
    if not plan.wired.is_driven:
        probe = PinProbe(probed_pins(boards), plan.factory)
        ends.callback(probe.close)
    return TableBoard(here.state, plan.wired, boards, client, probe)


def open_power(ends: ExitStack, plan: Plan, companion: Companion) -> Power:
    """Allow host and dial to shut down the table's own computer, and watch its supply."""
    power = Power(companion.client, has_dial=plan.board.dial is not None, is_there=plan.has_pins)
    if power.is_there:
        companion.board.when_held(OffHeld, power.hold)
        watch = SupplyWatch(companion.client.report)
        watch.begin()
        ends.callback(watch.close)
    return power


def open_usb(ends: ExitStack, plan: Plan, here: TablePlaces, companion: Companion) -> UsbLearning:
    """Read the assigned USB buttons; a missing box is reported until it is back."""
    client = companion.client
    reader = UsbReader(plan.usb, companion.put, lambda box, wrong: client.report(("usb box", box), wrong))
    buttons = UsbButtons(reader)
    ends.callback(buttons.close)
    return UsbLearning(here.state, buttons.learn)


def open_presence(plan: Plan, companion: Companion) -> TablePresence:
    presence = TablePresence(companion.client, plan.board, companion.means, is_there=plan.has_pins)
    if presence.is_there:
        companion.board.takes_edge = presence.hear_edge
    return presence
