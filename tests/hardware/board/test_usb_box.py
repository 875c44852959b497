"""Whose buttons by USB there are, and which box is which."""

import pytest

from hardware.board.usb_box import (
    MOST_SEATS,
    UsbBox,
    UsbButtonList,
    next_seat,
    usb_seats,
    which_is_which,
    with_press,
)

BOX, TWIN, OTHER = (
    UsbBox("Box", "usb-1.1/input0"),
    UsbBox("Box", "usb-1.2/input0"),
    UsbBox("Other", "usb-1.3/input0"),
)


def moved(box: UsbBox, socket: str) -> UsbBox:
    return UsbBox(box.name, f"{socket}/{box.phys.rpartition('/')[2]}")


def learned(*codes: int) -> UsbButtonList:
    buttons: UsbButtonList = ()
    for code in codes:
        buttons = with_press(buttons, "call", BOX, code)
    return buttons


def test_a_box_in_another_socket_is_known_if_it_can_be_no_other() -> None:
    elsewhere = moved(BOX, "usb-1.4")
    assert which_is_which([BOX, TWIN], [TWIN, BOX]) == {BOX: BOX, TWIN: TWIN}
    assert which_is_which([BOX, OTHER], [elsewhere, OTHER]) == {elsewhere: BOX, OTHER: OTHER}
    # its twin is where it was, so this is the one that isn't
    assert which_is_which([BOX, TWIN], [elsewhere, TWIN]) == {elsewhere: BOX, TWIN: TWIN}


@pytest.mark.parametrize(
    ("known", "there"),
    [
        ([BOX, TWIN], [moved(BOX, "usb-1.4")]),
        ([BOX], [moved(BOX, "usb-1.4"), moved(BOX, "usb-1.5")]),
        ([BOX], [OTHER]),
        # another part of a box of that kind, such as its second joystick
        ([BOX], [UsbBox("Box", "usb-1.4/input1")]),
    ],
)
def test_nobody_guesses_which_box_it_is(known: list[UsbBox], there: list[UsbBox]) -> None:
    assert which_is_which(known, there) == {}


def test_there_are_no_more_seats_than_a_table_can_have() -> None:
    buttons = learned(*range(300, 300 + MOST_SEATS + 3))
    assert (len(buttons), usb_seats(buttons), next_seat(buttons, "call")) == (MOST_SEATS, MOST_SEATS, None)
