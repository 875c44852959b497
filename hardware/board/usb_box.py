"""Buttons that come by USB: which button of which box belongs to which seat, and which box is which."""

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from hardware.board.board import Key

UsbRole = Literal["call", "second"]
MOST_SEATS = 16


class UsbBox(Struct, frozen=True, order=True):
    """A box as the kernel names it; those of one kind share a name, and differ in where they are plugged in."""

    name: str
    phys: str = ""


class UsbButton(Struct, frozen=True):
    """A button of a box, by the kernel's code, and whose it is."""

    box: UsbBox
    code: Annotated[int, Meta(ge=0)]
    seat: Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
    role: UsbRole = "call"

    @property
    def key(self) -> Key:
        return Key(self.role, self.seat)


UsbButtonList = tuple[UsbButton, ...]


def usb_keys(buttons: Iterable[UsbButton]) -> tuple[Key, ...]:
    return tuple(button.key for button in buttons)


def usb_seats(buttons: Iterable[UsbButton]) -> int:
    """Return for how many seats there are buttons, counted from the first to the last that has one."""
    return max((button.seat + 1 for button in buttons), default=0)


def usb_boxes(buttons: Iterable[UsbButton]) -> tuple[UsbBox, ...]:
    return tuple(dict.fromkeys(button.box for button in buttons))


def seats_on(box: UsbBox, buttons: UsbButtonList) -> str:
    """List the seats that have buttons on a box, as people count."""
    return ", ".join(map(str, sorted({button.seat + 1 for button in buttons if button.box == box})))


def begin_learning(known: UsbButtonList, role: UsbRole) -> UsbButtonList:
    """Forget what is to be learned anew: second buttons alone, or the seats' buttons and with them all."""
    return tuple(button for button in known if role == "second" and button.role == "call")


def next_seat(learned: UsbButtonList, role: UsbRole) -> int | None:
    """Return whose button is to be pressed now; None once all have one."""
    seat = sum(button.role == role for button in learned)
    return seat if seat < (MOST_SEATS if role == "call" else usb_seats(learned)) else None


def with_press(learned: UsbButtonList, role: UsbRole, box: UsbBox, code: int) -> UsbButtonList:
    """Give a button that was pressed to the next seat; one that has a seat keeps it."""
    seat = next_seat(learned, role)
    if seat is None or any((button.box, button.code) == (box, code) for button in learned):
        return learned
    return (*learned, UsbButton(box, code, seat, role))


def which_is_which(known: Collection[UsbBox], plugged_in: Collection[UsbBox]) -> Mapping[UsbBox, UsbBox]:
    """Match the boxes that are plugged in with those that are known.

    One that is where it was is itself. One in another socket is known by its name, if it can be no other.
    """
    here = set(known) & set(plugged_in)
    moved = {
        now: [box for box in known if box not in here and _kind(box) == _kind(now)]
        for now in plugged_in
        if now not in here
    }
    kinds = [_kind(now) for now in moved]
    sure = {now: boxes[0] for now, boxes in moved.items() if len(boxes) == 1 and kinds.count(_kind(now)) == 1}
    return {**{box: box for box in here}, **sure}


def _kind(box: UsbBox) -> tuple[str, str]:
    """Give what stays when a box is plugged in elsewhere: its name, and which of its parts this is."""
    return box.name, box.phys.rpartition("/")[2]
