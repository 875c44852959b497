"""The page of the simulated table: its content and actions for each viewer."""

from itertools import cycle, islice
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from firmware.language.catalogues import language
from firmware.services.looks import Looks
from firmware.twin.simulated_board import BoardOutput
from firmware.twin.simulated_table import OffTableCard, RequestedPose, TableView
from referee.contract import Answer
from referee.games.catalogue import GAMES
from referee.match import hear
from referee.moment_view import view_of
from tests.given import allowed
from tests.referee.tables import after_any
from tests.webui.fakes import FakeTwin
from tests.webui.matches import call_coyote, open_round, play_match
from tests.webui.room import Browser, Room, events_of, hidden_fields, match_of, room_with
from webui.pages.twin.room import SEAT_BUTTONS, awaited_text, press_text

FAR = "192.0.2.44"


@pytest.fixture
def room(twin: FakeTwin, tmp_path: Path) -> Room:
    return room_with(match_of(), tmp_path, twin=twin)


def sit_down(room: Room, seat: int = 0) -> Browser:
    browser = room.computer()
    assert browser.send("/twin", "/twin/sit", seat=seat).status_code == 303
    return browser


def test_one_tap_takes_a_seat_that_sees_others_but_not_itself(room: Room, twin: FakeTwin) -> None:
    far = room.browser(FAR)
    assert "/twin/sit" not in far.get("/twin").text
    form = hidden_fields(far.get("/seat").text, "/seat/take")
    assert far.post("/twin/sit", **form, seat=0).status_code == 403
    browser = sit_down(room, 0)
    assert twin.seats == {1, 2}
    stream = browser.client.get("/twin/events", buffered=False).iter_encoded()
    sent = b"".join(next(stream) for _piece in range(3)).decode()
    assert "event: table\n" in sent
    for seen in (browser.get("/twin").text, sent):
        assert "coyote-kidult/20.png" not in seen
        assert "coyote-kidult/max-.png" in seen
        assert "coyote-kidult/%3F.png" in seen
    again = room.computer()
    hidden = hidden_fields(again.get("/twin").text, "/twin/sit")
    for seat in (0, 3, 77, -1):
        assert again.post("/twin/sit", **{**hidden, "seat": seat}).status_code == 403
    assert again.post("/twin/sit", seat=1).status_code == 403
    # a seat decides about its own bot, the host about all
    assert browser.send("/twin", "/twin/bot", seat=0).status_code == 303
    assert twin.seats == {0, 1, 2}
    browser.host()
    assert browser.send("/twin", "/twin/bot", seat=2).status_code == 303
    assert twin.seats == {0, 1}


def test_only_who_leads_the_table_causes_trouble(room: Room, twin: FakeTwin) -> None:
    guest = room.browser(FAR).sit(1)
    assert "/twin/mischief" not in guest.get("/twin").text
    for what in ("unplugged", "wrong", "well"):
        assert guest.post("/twin/mischief", form=guest.form("/twin"), what=what).status_code == 409
    assert twin.asked == []
    for leader in (sit_down(room, 0), room.browser(FAR).host()):
        with leader.client.get("/twin/events", buffered=False) as stream:
            assert "/twin/mischief" in next(events_of(stream.iter_encoded()))["data"]
        for what, status in (("black", 303), ("well", 303), ("fire", 409)):
            assert leader.send("/twin", "/twin/mischief", what=what).status_code == status
        assert [asked[0] for asked in twin.asked if asked[0] != "note_watching"] == ["mischief", "set_right"]
        twin.asked.clear()


def test_dial_and_shared_button_answer_for_no_other_seat(room: Room, twin: FakeTwin) -> None:
    room.client.match = open_round(match_of(), seat=0)
    room.client.match = allowed(hear(room.client.match, Answer(room.client.match.number, "announce", 5, 0)))
    asked, other = room.browser(FAR).sit(1), room.browser(FAR).sit(2)
    leader = room.browser(FAR).sit(0).host()
    pressed = [{"role": "turn", "clicks": "4"}, {"role": "push"}, {"role": "table"}]
    for browser, status in ((asked, 303), (leader, 303), (other, 409)):
        for fields in pressed:
            assert browser.post("/twin/press", form=browser.form("/twin"), **fields).status_code == status
    assert twin.asked == 2 * [("turn", 4), ("press", None, "push", "short"), ("press", None, "call", "short")]
    assert other.post("/twin/press", form=other.form("/twin"), role="call").status_code == 303
    stranger = room.browser(FAR)
    assert "Take a seat first." in stranger.post("/twin/press", form=stranger.form("/twin"), role="push").text


def test_pictures_are_cached(room: Room) -> None:
    answer = room.computer().get("/twin/card/coyote-kidult/%3F.png")
    assert (answer.status_code, answer.data) == (200, b"PNG")
    assert "max-age" in answer.headers["Cache-Control"]
    assert room.computer().get("/twin/card/coyote-kidult/4711.png").status_code == 404
    assert room.computer().get("/twin/camera.jpg").status_code == 204


def test_blinking_lamps_do_not_redraw_the_page(room: Room, twin: FakeTwin) -> None:
    """A redrawn button is gone while it is tapped."""
    lit, dark = BoardOutput(("green",), None, None), BoardOutput(("",), None, None)
    # the page and the lamps are read one after the other
    blinks = cycle((lit, lit, dark, dark))
    twin.told["read_output"] = lambda: next(blinks)
    stream = sit_down(room).client.get("/twin/events", buffered=False).iter_encoded()
    kinds = [each["event"] for each in islice(events_of(stream), 4)]
    assert kinds == ["table", "lamps", "lamps", "lamps"]


@pytest.mark.parametrize(
    ("lacking", "told"),
    [
        ({2}, "Chloé <b> still has to lay a card."),
        ({1, 2}, "Bo and Chloé <b> still have to lay theirs."),
        ({0, 1, 2}, "3 of 3 still have to lay theirs."),
        (set(), ""),
    ],
)
def test_players_who_owe_a_card_are_named(lacking: set[int], told: str) -> None:
    match, table = call_coyote(match_of()), FakeTwin().table(None)
    chairs = tuple(replace(each, is_worn=seat in lacking) for seat, each in enumerate(table.chairs))
    seen, english = replace(table, chairs=chairs), language("en")
    assert awaited_text(view_of(match, english), seen) == told
    for seat in lacking:
        assert awaited_text(view_of(match, english, seat), seen) == ""
    assert awaited_text(view_of(open_round(match_of()), english), seen) == ""


def test_seated_players_fix_compared_and_misplaced_cards(room: Room, twin: FakeTwin) -> None:
    room.client.match = call_coyote(room.client.match)
    ana, looker = sit_down(room), room.computer()
    assert "/twin/bring" not in ana.get("/twin").text
    assert "Outside the marked area" not in ana.get("/twin").text
    twin.is_compared = twin.is_astray = True
    assert "/twin/bring" not in looker.get("/twin").text
    assert ana.send("/twin", "/twin/bring").status_code == 303
    question = ana.get("/twin").text.split('id="asked"')[1]
    assert ana.post("/twin/move", **hidden_fields(question, "/twin/move")).status_code == 303
    assert twin.asked == [("bring",), ("move", 0, 7, RequestedPose(4.0, 5.0, 0.0, is_up=True))]


def test_buttons_appear_where_the_game_uses_them(tmp_path: Path) -> None:
    for name, has_buttons in (("coyote", True), ("coup", True), ("ogallala", False), ("plenty-coups", False)):
        match = play_match(GAMES[name], moments=1)
        room = room_with(match, tmp_path / name, twin=FakeTwin(), looks=Looks())
        page = sit_down(room).get("/twin").text
        assert ('id="buttons"' in page) == has_buttons


@pytest.mark.parametrize(
    ("name", "moment", "call", "second"),
    [
        ("coup", "challenge-or-block", "I challenge", "I let it pass"),
        ("coyote", "turn", "Coyote!", "Not now"),
        ("coup", "concede", "I don't show it", "Not now"),
        ("coup", "exchange", "Done", "Not now"),
        ("ogallala", "turn", "Answer", "Not now"),
    ],
)
def test_buttons_say_what_a_press_answers(name: str, moment: str, call: str, second: str) -> None:
    match, rng = play_match(GAMES[name], moments=0), Random(f"buttons {moment}")
    while (ask := next((each for each in match.asks if each.key == moment), None)) is None:
        match = after_any(match, rng)
    for seat in range(len(match.setup.names)):
        told = view_of(match, language("en"), seat)
        shown = [press_text(told, seat, role).shown for role in SEAT_BUTTONS]
        if not ask.seats or seat in ask.seats:
            assert shown == [call, second]
        elif not any(seat in each.seats for each in match.asks):
            assert shown == ["Your turn" if told.board.turn == seat else "Not now", "Not now"]


class GivingTwin(FakeTwin):
    """The viewer gives an own card away unseen, after a scene."""

    is_showing = True

    def cards_to_choose(self, *_ask: object) -> tuple[int, int]:
        return 1, 1

    def table(self, seat: int | None) -> TableView:
        table = super().table(seat)
        hand = tuple(replace(each, cards=(OffTableCard("hand", 0, "20"),)) for each in table.chairs)
        return replace(table, chairs=hand, is_showing=self.is_showing)


def test_no_card_is_lifted_before_the_question_is_shown(tmp_path: Path) -> None:
    twin = GivingTwin()
    room = room_with(match_of(), tmp_path, twin=twin)
    browser = room.browser().sit(0)
    assert 'name="give"' not in browser.get("/twin").text
    twin.is_showing = False
    assert 'name="give"' in browser.get("/twin").text


class StuckTwin(FakeTwin):
    """A simulated table that waits for cards that nobody has."""

    def table(self, seat: int | None) -> TableView:
        return replace(super().table(seat), laid=(), is_stuck=True)


def test_seat_that_cannot_tap_anything_sees_reason_and_way_on(tmp_path: Path) -> None:
    match = call_coyote(match_of())
    browser = sit_down(room_with(match, tmp_path, twin=StuckTwin()), 1)
    question = browser.get("/twin").text.split('id="asked"')[1].split("</section>")[0]
    assert "Nothing can be tapped: your only card doesn&#39;t fit." in question
    assert question.count('class="say"') == 1
    undone = browser.post("/seat/back", **hidden_fields(question, "/seat/back"))
    assert (undone.status_code, undone.location) == (303, "/twin#asked")


def test_seat_without_a_player_is_named_with_way_on(room: Room, twin: FakeTwin) -> None:
    twin.seats = set()
    room.client.match = open_round(match_of(), seat=1)
    spectator = sit_down(room)
    text = spectator.get("/twin").text
    assert "Nothing can be tapped: Bo must answer, and nobody plays there." in text
    assert spectator.host().send("/twin", "/twin/bot", seat=1).status_code == 303
    assert twin.seats == {1}
    assert "Nothing can be tapped" not in spectator.get("/twin").text
