"""Whose buttons by USB there are, and which box is which."""

import pytest

from hardware.board.usb_box import (
    MOST_SEATS,
    UsbBox,
    UsbButton,
    UsbButtonList,
    begin_learning,
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


def test_presses_go_to_one_seat_after_another_and_a_button_has_one_seat() -> None:
    assert [(each.code, each.seat) for each in learned(304, 305, 304, 306)] == [(304, 0), (305, 1), (306, 2)]
    # the same code of another box is another button
    assert with_press(learned(304), "call", TWIN, 304)[1] == UsbButton(TWIN, 304, 1)


def test_second_buttons_are_learned_beside_the_first_and_for_no_other_seats() -> None:
    buttons = begin_learning(learned(304, 305), "second")
    assert next_seat(buttons, "second") == 0
    for code in (304, 310, 311, 312):
        buttons = with_press(buttons, "second", BOX, code)
    assert [(each.role, each.code, each.seat) for each in buttons[2:]] == [
        ("second", 310, 0),
        ("second", 311, 1),
    ]
    assert next_seat(buttons, "second") is None
    assert begin_learning(buttons, "second") == learned(304, 305)
    assert begin_learning(buttons, "call") == ()


def test_there_are_no_more_seats_than_a_table_can_have() -> None:
    buttons = learned(*range(300, 300 + MOST_SEATS + 3))
    assert (len(buttons), usb_seats(buttons), next_seat(buttons, "call")) == (MOST_SEATS, MOST_SEATS, None)
