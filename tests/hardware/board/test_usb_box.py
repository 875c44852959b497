"""Assigning USB boxes and their buttons."""

import pytest

from hardware.board import usb_box

BOX, TWIN, OTHER = (
    usb_box.UsbBox("Box", "usb-1.1/input0"),
    usb_box.UsbBox("Box", "usb-1.2/input0"),
    usb_box.UsbBox("Other", "usb-1.3/input0"),
)


def moved(box: usb_box.UsbBox, socket: str) -> usb_box.UsbBox:
    return usb_box.UsbBox(box.name, f"{socket}/{box.phys.rpartition('/')[2]}")


def learned(*codes: int) -> usb_box.UsbButtonList:
    buttons: usb_box.UsbButtonList = ()
    for code in codes:
        buttons = usb_box.with_press(buttons, "call", BOX, code)
    return buttons


def test_moved_usb_box_is_recognised_if_unambiguous() -> None:
    elsewhere = moved(BOX, "usb-1.4")
    assert usb_box.which_is_which([BOX, TWIN], [TWIN, BOX]) == {BOX: BOX, TWIN: TWIN}
    assert usb_box.which_is_which([BOX, OTHER], [elsewhere, OTHER]) == {elsewhere: BOX, OTHER: OTHER}
    # its twin hasn't moved, so this is the missing one
    assert usb_box.which_is_which([BOX, TWIN], [elsewhere, TWIN]) == {elsewhere: BOX, TWIN: TWIN}


@pytest.mark.parametrize(
    ("known", "there"),
    [
        ([BOX, TWIN], [moved(BOX, "usb-1.4")]),
        ([BOX], [moved(BOX, "usb-1.4"), moved(BOX, "usb-1.5")]),
        ([BOX], [OTHER]),
        # another part of a box of that kind, such as its second joystick
        ([BOX], [usb_box.UsbBox("Box", "usb-1.4/input1")]),
    ],
)
def test_ambiguous_usb_box_is_not_guessed(known: list[usb_box.UsbBox], there: list[usb_box.UsbBox]) -> None:
    assert usb_box.which_is_which(known, there) == {}


def test_seats_do_not_exceed_the_table_maximum() -> None:
    buttons = learned(*range(300, 300 + usb_box.MOST_SEATS + 3))
    assert (len(buttons), usb_box.usb_seats(buttons), usb_box.next_seat(buttons, "call")) == (
        usb_box.MOST_SEATS,
        usb_box.MOST_SEATS,
        None,
    )
