"""USB buttons: the seat of each button, and the identification of boxes."""

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from hardware.board.board import Key

UsbRole = Literal["call", "second"]
MOST_SEATS = 16


class UsbBox(Struct, frozen=True, order=True):
    """A box as named by the kernel; boxes of one model share a name but not a socket."""

    name: str
    phys: str = ""


class UsbButton(Struct, frozen=True):
    """A button of a box, by the kernel's code, and its seat."""

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
    """Return the number of seats with buttons, counted up to the last one."""
    return max((button.seat + 1 for button in buttons), default=0)


def usb_boxes(buttons: Iterable[UsbButton]) -> tuple[UsbBox, ...]:
    return tuple(dict.fromkeys(button.box for button in buttons))


def seats_on(box: UsbBox, buttons: UsbButtonList) -> str:
    """List the seats with buttons on a box, counted from 1."""
    return ", ".join(map(str, sorted({button.seat + 1 for button in buttons if button.box == box})))


def begin_learning(known: UsbButtonList, role: UsbRole) -> UsbButtonList:
    """Drop the buttons to assign again: second ones alone, or all of them."""
    return tuple(button for button in known if role == "second" and button.role == "call")


def next_seat(learned: UsbButtonList, role: UsbRole) -> int | None:
    """Return the seat of the next button; None once all seats have one."""
    seat = sum(button.role == role for button in learned)
    return seat if seat < (MOST_SEATS if role == "call" else usb_seats(learned)) else None


def with_press(learned: UsbButtonList, role: UsbRole, box: UsbBox, code: int) -> UsbButtonList:
    """Assign a pressed button to the next seat; assigned ones are unchanged."""
    seat = next_seat(learned, role)
    if seat is None or any((button.box, button.code) == (box, code) for button in learned):
        return learned
    return (*learned, UsbButton(box, code, seat, role))


def which_is_which(known: Collection[UsbBox], plugged_in: Collection[UsbBox]) -> Mapping[UsbBox, UsbBox]:
    """Map the boxes that are plugged in to known ones.

    A box in its former socket is the same. One in another socket is identified by its name, if that is
    unambiguous.
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
    """Return a box's properties that are independent of the socket: its name, and the number of its part."""
    return box.name, box.phys.rpartition("/")[2]
