"""The live picture: taken for those who may see it, while they may, and once for all of them."""

from concurrent.futures import Future
from typing import Any

import pytest
from msgspec import Struct

from firmware.services import live_view
from firmware.services.live_view import LiveView
from firmware.table.cards import TableCard
from firmware.table.client import TableClient, TableSummary
from referee.match import Match
from tests.firmware.board.inputs.matches import bidden, call_moments
from tests.firmware.table.sat import card
from vision.process.messages import SettleMove, TakeView, ViewTaken
from vision.troubles import Problem

OPEN = TableCard(card("10"))
MOVED = Problem("did the camera move")


class Eyes(Struct):
    """Takes the requests for the loop; answers those for a picture, unless it is silent."""

    views: list[bool] = []
    orders: list[Any] = []
    is_silent: bool = False
    client: Any = None
    then: TableSummary | None = None  # summary by the time of the picture

    def put(self, request: Any) -> None:
        order = getattr(request, "order", None)
        if isinstance(order, TakeView) and not self.is_silent:
            self.views.append(order.is_read)
            self.client.summary = self.then or self.client.summary
            request.future.set_result(ViewTaken(b"%d" % len(self.views), order.is_read))


def viewed(match: Match, *cards: TableCard) -> tuple[LiveView, Eyes]:
    eyes = Eyes()
    eyes.client = client = TableClient(eyes.put, match)
    client.picture_size = (640, 480)
    client.summary = TableSummary(cards=cards)
    return LiveView(client), eyes


def test_all_viewers_share_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    view, eyes = viewed(call_moments()[0], OPEN)
    assert [view.picture(seat) for seat in (None, 0, 1)] == [b"1"] * 3
    monkeypatch.setattr(live_view, "AGE", 0.0)
    assert view.picture(None) == b"2"
    assert eyes.views == [False, False]


def test_picture_of_an_ask_is_not_sent_at_the_next_moment() -> None:
    view, eyes = viewed(call_moments()[0], OPEN)
    view.picture(None)
    eyes.client.summary = TableSummary()
    eyes.client.tell(bidden(20))
    assert view.picture(None) == b"2"
    # without an ask, only a picture in which all is read
    assert eyes.views == [False, True]


def test_uncounted_card_hides_the_picture_also_if_it_comes_meanwhile() -> None:
    view, eyes = viewed(bidden(20), OPEN)
    assert view.picture(None) is None
    assert eyes.views == []
    eyes.client.summary, eyes.then = TableSummary(), TableSummary(cards=(OPEN,))
    assert view.picture(None) is None
    assert eyes.views == [True]


def test_silent_eyes_give_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_view, "TIMEOUT", 0.01)
    view, eyes = viewed(call_moments()[0])
    eyes.is_silent = True
    assert view.picture(None) is None
    eyes.client.picture_size = (0, 0)
    assert view.picture(None) is None


def test_late_picture_for_another_viewer_is_not_sent() -> None:
    view, eyes = viewed(bidden(20))

    def show(_order: object, _kind: object) -> "Future[Any]":
        future: Future[Any] = Future()
        future.set_result(ViewTaken(b"late", is_read=False))
        return future

    eyes.client.show = show
    assert view.picture(None) is None


def test_answer_is_undone_only_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    view, eyes = viewed(bidden(20))
    eyes.client.do = eyes.orders.append
    assert not view.settle_move(moved=True)
    eyes.client.lasting = (MOVED,)
    assert view.settle_move(moved=True)
    assert view.settled is True
    assert view.undo_move()
    assert not view.undo_move()
    view.settle_move(moved=False)
    monkeypatch.setattr(live_view, "UNDO_SECONDS", -1.0)
    assert not view.undo_move()
    assert eyes.orders == [SettleMove(True), SettleMove(False), SettleMove(False)]
