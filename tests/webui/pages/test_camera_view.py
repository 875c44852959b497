"""What the camera sees, as readers of the pages see it: the row, its question, the reasons, and the picture."""

import re
from pathlib import Path
from random import Random

import pytest

from firmware.language.catalogues import language
from firmware.table.cards import Count, TableCard, show_ask
from firmware.table.client import TableSummary
from referee.contract import is_seen
from referee.games.catalogue import GAMES
from referee.match import Match
from referee.sentences import face_name, listener_at
from tests.firmware.board.inputs.matches import bidden, call_moments
from tests.firmware.table.sat import card, unsure_card
from tests.plugins.installed import OUR_GAMES, game_of
from tests.referee.tables import random_moments
from tests.tiers import tiered
from tests.webui.room import Browser, Room, listen, match_of, orders, room_with
from vision.process.messages import FrameTable, SettleMove, SnapshotTaken, ViewTaken
from vision.troubles import Problem
from webui.views.camera_view import ROWS

TEN, FIVE = TableCard(card("10")), TableCard(card("5"), count=Count.SHOWN)
MOVED = Problem("did the camera move")
ASKED = "The picture changed. Did the camera move?"
PICTURE = b"the picture"
WALKED = tiered(25, 60)  # moments of each match
ADDRESSES = ("/view.jpg", "/view/part", "/view")


def room_at(match: Match, folder: Path, *cards: TableCard) -> Room:
    room = room_with(match, folder)
    room.client.picture_size = (1280, 800)
    room.client.summary = TableSummary(1, cards=cards)
    room.client.seen[ViewTaken] = lambda order: ViewTaken(PICTURE, order.is_read)
    return room


def row(page: str) -> str:
    """Return the text of a page's camera row; a page has at most one."""
    rows = re.findall(r'<section class="cam .*?</section>|<p class="lastline camera .*?</p>', page, re.DOTALL)
    assert len(rows) < 2
    return " ".join(re.sub(r"<[^>]*>", " ", "".join(rows)).split())


def test_anybody_at_the_table_says_whether_the_camera_moved(tmp_path: Path) -> None:
    room = room_at(match_of(), tmp_path)
    ana, host = room.browser().sit(0), room.browser().host()
    room.client.lasting = (MOVED,)
    for phone, page, moved in ((ana, "/seat", "1"), (host, "/host", "0")):
        assert row(phone.get(page).text).startswith(ASKED)
        assert "It moved It didn&#39;t" in row(phone.get(page).text)
        room.client.lasting = (MOVED,)
        assert phone.send(page, "/view/moved", moved=moved).headers["Location"] == page
        room.client.lasting = ()
        undo = {"1": "Undo: it didn&#39;t move", "0": "Undo: it moved"}[moved]
        assert undo in row(ana.get("/seat").text)
        assert host.send("/host", "/view/undo").status_code == 303
        assert "Undo" not in row(ana.get("/seat").text)
        room.client.lasting = (MOVED,)
    assert orders(room) == [SettleMove(True), SettleMove(False), SettleMove(False), SettleMove(True)]
    ana.get("/view/moved?moved=1")
    assert len(orders(room)) == 4


def test_only_people_at_the_table_settle_what_is_asked_and_see_the_picture(tmp_path: Path) -> None:
    room = room_at(call_moments()[0], tmp_path, TEN)
    ana, screen, stranger = room.browser().sit(0), room.screen(), room.browser()
    for viewer in (ana, room.browser().host(), screen):
        response = viewer.get("/view.jpg")
        assert (response.data, response.headers["Cache-Control"]) == (PICTURE, "no-store")
        assert "<polygon" in viewer.get("/view/part").text
    assert [stranger.get(each).status_code for each in ("/view.jpg", "/view/part")] == [403, 403]
    assert "<polygon" not in stranger.get("/view").text
    room.client.lasting = (MOVED,)
    form = ana.form("/seat")
    assert [each.post("/view/moved", moved="1", form=form).status_code for each in (stranger, screen)] == [
        403
    ] * 2
    assert ana.post("/view/moved", moved="1").status_code == 403
    room.client.lasting = ()
    # too late
    assert ana.post("/view/moved", moved="1", form=form).status_code == 409
    assert ana.post("/view/undo", form=form).status_code == 409
    assert orders(room) == []
    room.client.lasting = (Problem("dark"),)
    assert ana.send("/seat", "/view/brighten").status_code == 303
    assert orders(room) == [FrameTable()]


def test_screen_only_tells(tmp_path: Path) -> None:
    room = room_at(bidden(20), tmp_path)
    screen = room.screen()
    room.client.lasting = (MOVED,)
    page = screen.get("/screen").text
    assert row(page) == f"{ASKED} Say so on a phone. Play on."
    assert "/view/moved" not in page


@pytest.mark.parametrize("key", ROWS)
def test_row_says_what_is_wrong_and_nothing_else_does(tmp_path: Path, key: str) -> None:
    room = room_at(match_of(), tmp_path)
    ana = room.browser().sit(0)
    room.client.lasting = (MOVED, Problem(key, {"camera": "usb:0"}))
    stream = listen(room, "seat", seat=1)
    page = ana.get("/seat").text
    assert row(page).startswith(ROWS[key].says.one.replace("'", "&#39;"))
    assert 'role="alert"><b' not in page
    room.client.tell(Problem(key, {"camera": "usb:0"}))
    assert [next(stream)["event"] for _event in range(2)] == ["moment", "beat"]


def test_row_is_drawn_anew_when_cards_come(tmp_path: Path) -> None:
    room = room_at(call_moments()[0], tmp_path)
    room.client.is_looking = True
    assert "I&#39;m still looking." in row(room.browser().sit(1).get("/seat").text)
    room.client.is_looking = False
    stream = listen(room, "seat", seat=0)
    assert "I see no card yet." in row(next(stream)["data"])
    room.client.summary = TableSummary(1, cards=(TEN,))
    room.client.redraw()
    assert "I see 10." in row(next(stream)["data"])


def test_pages_name_what_counts_and_why_the_rest_does_not(tmp_path: Path) -> None:
    """Four cards are asked for: two count, and each other one has a reason."""
    odd = (FIVE, TableCard(card("queen")), TableCard(unsure_card(0)))
    room = room_at(call_moments()[0], tmp_path, TEN, TableCard(card("20")), *odd)
    told = row(room.browser().sit(0).get("/view").text)
    assert "I see 10 and 20. 2 of " in told
    assert "5: already counted. If it counts again, name it on a phone." in told
    assert "queen: not asked now." in told
    assert "One card: blurred. Move it a little, or away from the lamp." in told
    assert "I see 10 and 20." in row(room.browser().sit(1).get("/seat").text)
    page = room.screen().get("/screen").text
    assert "<b>I see 10 and 20.</b>" in page
    assert "5: already counted." in page
    french = room.browser().sit(2).get("/seat?lang=fr").text
    assert row(french).startswith("Je vois 10 et 20. 2 cartes sur ")


# the picture


def viewers_of(room: Room, match: Match) -> dict[int | None, Browser]:
    seats = range(len(match.setup.names))
    # a shared screen shows no seat's cards, even on a player's device
    return {None: room.screen().sit(0), **{seat: room.browser().sit(seat) for seat in seats[1:]}}


@pytest.mark.parametrize("name", [*GAMES, *OUR_GAMES])
def test_no_picture_or_name_of_a_hidden_card_is_served(name: str, tmp_path: Path) -> None:
    """An uncounted open card is named and shown only to those who may see the cards that are asked for."""
    game = GAMES.get(name) or game_of(name)
    house = next(iter(game.rules.settings.values()))
    zones, hidden = set[object](), 0
    room, viewers = None, dict[int | None, Browser]()
    for match in random_moments(match_of(game, game.rules.seats(house)[0], house), Random(1), WALKED):
        ask = show_ask(match)
        # one moment of each kind of ask
        zone = None if ask is None else ask.zone
        if zone in zones:
            continue
        zones.add(zone)
        secret = next(iter(match.setup.deck.counts))
        if room is None:
            room = room_at(match, tmp_path)
            viewers = viewers_of(room, match)
        room.client.match = match
        room.client.summary = TableSummary(1, cards=(TableCard(card(secret)),))
        for seat, viewer in viewers.items():
            may_see = ask is not None and is_seen(game, ask.zone, seat)
            shared = "?screen" if seat is None else ""
            picture, part, page = (viewer.get(f"{each}{shared}") for each in ADDRESSES)
            assert (picture.status_code == 200) == may_see
            assert ("<img" in part.text) == may_see
            text = " ".join(re.findall(r"<text[^>]*>([^<]*)", part.text))
            text += row(page.text) + row(viewer.get("/screen" if seat is None else "/seat").text)
            shown = face_name(listener_at(match.setup, language("en")), secret)
            named = re.search(rf"(?<!\w){re.escape(shown)}(?!\w)", text)
            assert may_see or named is None
            hidden += not may_see
    assert hidden


def test_host_gets_no_picture_of_a_card_that_is_still_secret(tmp_path: Path) -> None:
    """A host plays, too, and sees every name in this picture."""
    room = room_at(match_of(), tmp_path, FIVE)
    host = room.browser().host()
    room.client.seen[SnapshotTaken] = lambda _order: SnapshotTaken(PICTURE)
    assert host.get("/host/picture.jpg").data == PICTURE
    room.client.summary = TableSummary(1, cards=(FIVE, TEN))
    assert host.get("/host/picture.jpg").status_code == 503
