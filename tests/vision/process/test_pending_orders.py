"""Orders that wait for the eyes, which look at a picture between two batches of them."""

from multiprocessing import Pipe

from vision.process import messages
from vision.process.eyes import pending_orders


def test_the_same_picture_is_shown_once_however_many_pages_ask() -> None:
    theirs, ours = Pipe()
    show, snapshot, frame = messages.ShowCards(), messages.TakeSnapshot(), messages.TakeFrame()
    read = messages.ReadTable("a")
    for order in (show, show, snapshot, frame, show, read, snapshot, read):
        ours.send(order)
    assert pending_orders(theirs) == [frame, show, read, snapshot, read]
    assert pending_orders(theirs) == []
