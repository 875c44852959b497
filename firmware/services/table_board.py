"""The board on the host's page: named, tested by presses, and driven only after confirmation."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from firmware.board.inputs.buttons import PinProbe
from firmware.language.lamps import lamp_checks, lamp_name
from firmware.language.speaking import Sentence, later, not_kept, problem_sentence, say, why_not_kept
from firmware.state_folder import BOARD, BOARD_FAULTS
from firmware.storage import wired_board
from firmware.table.client import TableClient
from firmware.table.effects import ShowLamp
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice, button_name
from hardware.board.board import Board, Boards, Key, LampLines, UndrivenRing
from hardware.board.lamps import all_lamps
from hardware.board.uses import WrongPress, fitting_boards, heard_keys, wrong_presses
from vision.troubles import Problem

DRIVEN: Mapping[str, str] = {
    "green": later("a green lamp"),
    "red": later("a red lamp"),
    "attention": later("the table's lamp"),
    "buzzer": later("the buzzer"),
    "display clock": later("the digits"),
    "display data": later("the digits"),
    "register data": later("the lamps' chips"),
    "register clock": later("the lamps' chips"),
    "register latch": later("the lamps' chips"),
    "spi data": later("the digits"),
    "spi clock": later("the digits"),
    "digits select": later("the digits"),
}
"""Outputs by the use of their pin."""


class BoardOption(Struct, frozen=True):
    """A board that could be wired: its name, its parts, and whether all presses fit it."""

    name: str
    told: Sentence
    fits: bool = True


class BoardButton(Struct, frozen=True):
    """A button of the board, whether it was pressed, and whether it is optional."""

    name: Sentence
    is_pressed: bool
    may_lack: bool = False


class BoardStatus(Struct, frozen=True):
    """The wired board, the stage of its confirmation, its pressed buttons, and its known faults."""

    profile: str
    stage: wired_board.Stage
    options: Sequence[BoardOption]
    buttons: Sequence[BoardButton] = ()
    wrong: Sequence[Sentence] = ()  # presses that are impossible on this board
    faults: Sequence[Sentence] = ()  # buttons and lamps that people have given up

    @property
    def unheard(self) -> Sequence[Sentence]:
        return [button.name for button in self.buttons if not button.is_pressed and not button.may_lack]

    @property
    def is_any_heard(self) -> bool:
        return any(button.is_pressed for button in self.buttons)

    @property
    def may_go_without(self) -> bool:
        """Whether the board may be used without its missing buttons: no press contradicts it."""
        return not self.wrong and self.stage == "trial"

    @property
    def may_confirm(self) -> bool:
        """Whether the board may be used: no press contradicts it, and every button on trial was pressed."""
        is_whole = not self.unheard and (self.is_any_heard or not self.buttons)
        return self.may_go_without and is_whole


class TableBoard:
    """The host's choice of the wired board; failures to store it are returned as sentences."""

    def __init__(
        self,
        state: Path,
        wired: wired_board.WiredBoard,
        boards: Boards,
        table: TableClient,
        probe: PinProbe | None = None,
    ) -> None:
        self._state, self._wired, self._boards, self._probe = state, wired, boards, probe
        self._table, self._driven, self.has_pins = table, wired, wired.has_pins
        self.lamps = all_lamps(self._board()) if wired.has_pins else ()
        if self.is_there:
            self._tell_faults(self._faults())

    @property
    def is_there(self) -> bool:
        """Whether this table has pins; a simulated one has none."""
        return bool(self._boards)

    def has_buttons(self) -> bool:
        """Return whether a wired board or a USB box has buttons."""
        return self.has_pins or bool(wired_board.KEPT_BUTTONS.read(self._state))

    def _tell_faults(self, faults: wired_board.BoardFaults) -> None:
        """Report the board's known faults for as long as they exist."""
        names = fault_names(faults) if self._wired.is_driven else ()
        inside = tuple(replace(name, is_inside=True) for name in names)
        message = say("Not in use: {names}. Phones can replace them.", names=inside)
        self._table.report(BOARD_FAULTS, Notice(NoticeKey.BOARD_FAULTS, {"told": message}) if names else None)

    def _faults(self) -> wired_board.BoardFaults:
        return wired_board.read_board_faults(self._state, self._driven.profile)

    # test of a driven board's lamps, one by one

    def are_lamps_tried(self) -> bool:
        """Return whether people have tested the lamps before."""
        return self._faults().are_lamps_tried

    def show_lamp(self, place: int) -> Mapping[str, object] | None:
        """Light one lamp and no other; after the last one, all lamps show the match again.

        Returns the lamp's number, the number of lamps, its name, and checks if it is dark.
        """
        lamp = self.lamps[place] if place < len(self.lamps) else None
        self._table.do(ShowLamp(lamp))
        if lamp is None:
            return None
        checks = lamp_checks(self._boards[self._driven.profile], lamp)
        return {"place": place, "count": len(self.lamps), "name": lamp_name(lamp), "checks": checks}

    def note_lamp(self, place: int, *, is_seen: bool) -> Sentence | None:
        lamp, faults = self.lamps[place], self._faults()
        dark = {*faults.dark} - {lamp} if is_seen else {*faults.dark, lamp}
        are_tried = faults.are_lamps_tried or place == len(self.lamps) - 1
        in_order = tuple(each for each in self.lamps if each in dark)
        noted = replace(faults, dark=in_order, are_lamps_tried=are_tried)
        why = why_not_kept(lambda: wired_board.KEPT_FAULTS.keep(self._state, noted))
        if why is None:
            self._tell_faults(noted)
        return why

    # test of its buttons, one by one

    def status(self) -> BoardStatus:
        pressed = frozenset[int]() if self._probe is None else self._probe.pressed
        board, fitting = self._board(), fitting_boards(self._boards, pressed)
        boards = self._boards.items()
        options = (BoardOption(name, board_sentence(each), name in fitting) for name, each in boards)
        is_heard = self._wired.stage == "trial" and self._probe is not None
        pressed_keys = heard_keys(board, pressed) if is_heard else {}
        return BoardStatus(
            self._wired.profile,
            self._wired.stage,
            (*options, BoardOption(wired_board.NONE, board_sentence(wired_board.NO_BOARD), not pressed)),
            tuple(
                BoardButton(button_name(key), pressed_keys[key], _may_lack(key, pressed_keys))
                for key in pressed_keys
            ),
            tuple(self._wrong_sentences(board, pressed)) if is_heard else (),
            fault_names(self._faults()) if self.has_pins else (),
        )

    def choose(self, name: str) -> Sentence | None:
        if name != wired_board.NONE and name not in self._boards:
            return say("There is no such board.")
        if self._probe is not None:
            self._probe.pressed = frozenset()
        # without a board nothing is driven, so there is nothing to test
        return self._keep(wired_board.WiredBoard(name, "confirmed" if name == wired_board.NONE else "trial"))

    def confirm(self, *, without: bool = False) -> Sentence | None:
        """Drive the board from the next start on; `without` gives up buttons that weren't pressed."""
        status = self.status()
        if not (status.may_go_without if without else status.may_confirm):
            return say("First press the buttons of this board; each press must match it.")
        return self._keep(wired_board.WiredBoard(self._wired.profile, "confirmed"))

    def must_restart(self) -> bool:
        """Return whether a restart is needed to start or stop driving pins."""
        is_listening = self._probe is not None
        return self._wired.has_pins != self.has_pins or (self._wired.stage == "trial" and not is_listening)

    def _wrong_sentences(self, board: Board, pressed: frozenset[int]) -> Iterator[Sentence]:
        if self._probe is not None and self._probe.failure is not None:
            yield problem_sentence(Problem("no pins", {"why": self._probe.failure}))
        yield from map(_wrong_sentence, wrong_presses(board, pressed))

    def _board(self) -> Board:
        return self._boards.get(self._wired.profile, wired_board.NO_BOARD)

    def _keep(self, wired: wired_board.WiredBoard) -> Sentence | None:
        try:
            if wired.stage == "confirmed" and self._wired.stage == "trial":
                faults = wired_board.read_board_faults(self._state, wired.profile)
                wired_board.KEPT_FAULTS.keep(self._state, replace(faults, dead=self._dead_keys()))
            wired_board.WIRED_BOARD.keep(self._state, wired)
        except OSError as error:
            return not_kept(error)
        self._wired = wired
        if wired.stage == "confirmed":
            self._table.report(BOARD, None)
        return None

    def _dead_keys(self) -> tuple[Key, ...]:
        if self._probe is None:
            return ()
        pressed_keys = heard_keys(self._board(), self._probe.pressed)
        return tuple(key for key in pressed_keys if not pressed_keys[key] and not _may_lack(key, pressed_keys))


def _may_lack(key: Key, pressed_keys: Mapping[Key, bool]) -> bool:
    """Return whether a button is optional: the seats' second ones are if none was pressed."""
    return _is_second(key) and not any(is_heard for each, is_heard in pressed_keys.items() if _is_second(each))


def _is_second(key: Key) -> bool:
    return key.role == "second" and key.seat is not None


def _wrong_sentence(wrong: WrongPress) -> Sentence:
    if wrong.use is None:
        return say("GPIO{gpio} was pressed, but this board doesn't use it.", gpio=wrong.gpio)
    message = later("GPIO{gpio} was pressed, but this board uses it for {what}, and a press would short it.")
    return Sentence(message, {"gpio": wrong.gpio, "what": Sentence(DRIVEN.get(wrong.use.what, wrong.use.what))})


def fault_names(faults: wired_board.BoardFaults) -> tuple[Sentence, ...]:
    return (*map(button_name, faults.dead), *map(lamp_name, faults.dark))


def board_sentence(board: Board) -> Sentence:
    told = (
        say("{seats} seats with a button each", seats=board.seats) if board.call else None,
        say("second buttons") if board.second else None,
        say("{count} buttons for all", count=len(board.table)) if board.table else None,
        _lamp_sentence(board),
        None if board.dial is None else say("dial"),
        None if board.display is None else say("four digits"),
        None if board.max7219 is None else say("{count} digits on SPI", count=board.max7219.digits),
        None if board.attention is None else say("a lamp for the table"),
        None if board.buzzer is None else say("buzzer"),
    )
    parts = tuple(each for each in told if each is not None) or (say("phones only, no board"),)
    return Sentence("{parts}", {"parts": parts})


def _lamp_sentence(board: Board) -> Sentence | None:
    match board.lamps:
        case None | UndrivenRing():
            return None
        case LampLines():
            return say("two lamps a seat")
        case _:
            return say("two lamps a seat behind chips")
