"""The way to real cards: the first page's two doors, the camera, the cards."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from firmware.language.speaking import say
from firmware.services.finding import CardsLaid, FindingProgress
from firmware.state_folder import JOURNAL
from firmware.storage.cards_choice import CARDS_CHOICE, Kind
from firmware.storage.configuration import read_choice
from firmware.storage.journal import open_journal
from firmware.storage.match_marks import mark_of, note_kind
from tests.firmware.board.inputs.matches import begun_at, bidden
from tests.given import present
from tests.webui.fakes import FakeFinder
from tests.webui.laptop import Cards, laptop
from tests.webui.room import Browser, Room, hidden_fields
from vision.process.messages import CardsShown, Hindrance, ShowCards, ShownCard
from vision.table.values import Calibration
from vision.teaching.taught_decks import bare_deck, save_deck
from vision.troubles import Problem

FAR = "192.0.2.9"
CAMERA, NEW = "/welcome/camera", "/host/new"
KINDS: tuple[Kind, ...] = ("real", "simulated")


def test_real_cards_begin_with_the_camera_and_a_restart(tmp_path: Path) -> None:
    room = laptop(tmp_path)
    browser = room.computer()
    camera = browser.send("/welcome", "/welcome", game="coup", cards="real").location
    assert camera == f"{CAMERA}?game=coup"
    page = browser.get(camera).text
    assert "&lt;Brio&gt;" in page
    assert "Built-in camera" in page
    assert 'value="usb:0" checked' in page
    assert browser.get(f"{CAMERA}/1.jpg").data == b"jpeg of usb:1"
    assert [browser.get(f"{CAMERA}/{number}.jpg").status_code for number in (0, 2)] == [404, 404]
    starts = browser.send(camera, CAMERA, camera="usb:1")
    assert 'content="15; url=/host/table?game=coup"' in starts.text
    assert CARDS_CHOICE.read(tmp_path).kind == "real"
    assert read_choice(tmp_path).camera == {"name": "usb:1"}
    # the person leads the real table, too
    starts.close()
    assert room.client.actions == [("restart",)]
    assert browser.get("/host").status_code == 200
    assert 'action="/host/enter"' not in browser.get("/host").text


CHOSEN_CAMERAS = (
    ({"camera": "phone"}, f"{CAMERA}?game=coyote"),
    ({"camera": "phone", "here": "1"}, "/camera?game=coyote"),
    ({"camera": "rtsp://ana:secret@cam/live"}, "/host/table?game=coyote"),
    ({"camera": "192.0.2.7:8080/video"}, "/host/table?game=coyote"),
)


def test_each_camera_has_its_next_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, (sent, there) in enumerate(CHOSEN_CAMERAS):
        starts = laptop(tmp_path / str(number)).computer().send(CAMERA, CAMERA, **sent)
        assert f'data-to="{there}"' in starts.text
        assert "secret" not in starts.text
    # typed without its scheme
    assert read_choice(tmp_path / "3").camera == {"name": "http://192.0.2.7:8080/video"}
    room = laptop(tmp_path)
    assert room.computer().send(CAMERA, CAMERA, camera="usb:7").status_code == 400
    # an address without pictures is answered on the same page
    monkeypatch.setattr(Cards, "why_not", lambda _self, _address: say("It asks for a password."))
    answer = room.computer().send(CAMERA, CAMERA, camera="rtsp://192.0.2.40/live")
    assert (answer.status_code, "It asks for a password." in answer.text) == (409, True)
    assert 'value="rtsp://192.0.2.40/live"' in answer.text
    assert room.client.actions == []
    assert CARDS_CHOICE.read(tmp_path).kind is None


def test_login_of_the_network_camera_stays_stored_and_unseen(tmp_path: Path) -> None:
    laptop(tmp_path).computer().send(CAMERA, CAMERA, camera="http://ana:secret@cam/live")
    room = laptop(tmp_path, kind="real", camera="http://ana:secret@cam/live")
    browser = room.computer()
    page = browser.get(CAMERA).text
    assert 'value="http://cam/…"' in page
    browser.send(CAMERA, CAMERA, camera="http://cam/…")
    assert read_choice(tmp_path).camera == {"name": "http://ana:secret@cam/live"}
    for address in ("/host/settings", "/host/settings/camera"):
        page += (told := browser.get(address).text)
        assert "http://cam/…" in told
    # saving another group, or this one as shown, keeps the address
    for group in ("language", "camera"):
        sent = {"camera": "http://cam/…"} if group == "camera" else {"language": ""}
        assert browser.send(f"/host/settings/{group}", f"/host/settings/{group}", **sent).status_code == 200
    assert read_choice(tmp_path).camera == {"name": "http://ana:secret@cam/live"}
    assert "secret" not in page


def test_known_camera_is_shown_and_left_for_the_simulated_table(tmp_path: Path) -> None:
    laptop(tmp_path).computer().send(CAMERA, CAMERA, camera="usb:0")
    browser = laptop(tmp_path, kind="real", camera="usb:0").computer()
    # in use, it shows the pictures of the eyes
    assert browser.get(f"{CAMERA}/0.jpg").data == b"jpeg"
    assert browser.send("/welcome", "/welcome", game="coup", cards="real").location == "/host/new?game=coup"
    starts = browser.send("/welcome", "/welcome", game="coup", cards="simulated")
    assert 'data-to="/welcome/me?game=coup"' in starts.text
    assert CARDS_CHOICE.read(tmp_path).kind == "simulated"
    phone = laptop(tmp_path, kind="real", camera="phone").computer().get(f"{CAMERA}?game=coup").text
    assert 'class="qr"' in phone
    assert 'href="/host/table?game=coup"' in phone


def test_strangers_and_old_forms_change_nothing(tmp_path: Path) -> None:
    room = laptop(tmp_path)
    far = room.browser(FAR)
    assert far.get(CAMERA).location == far.post(CAMERA, camera="usb:0").location == "/host"
    assert room.computer().post(CAMERA, camera="usb:0").status_code == 403
    assert far.get(f"{CAMERA}/1.jpg").status_code == 404
    assert far.post("/welcome", game="coup", cards="real").location == "/host"
    assert room.computer().send("/welcome", "/welcome", game="coup", cards="other").status_code == 400
    # a Raspberry Pi's own screen is seen by everybody
    public = laptop(tmp_path, kind="real", is_pi=True).computer()
    assert public.get(CAMERA).location == public.get("/welcome").location == "/host"
    # options decided
    assert laptop(tmp_path, is_fixed=True).computer().get(CAMERA).location == "/host"
    assert room.client.actions == []
    assert CARDS_CHOICE.read(tmp_path).kind is None


def host_of(room: Room) -> Browser:
    browser = room.computer()
    browser.send("/host", "/host/here")
    return browser


def begin(browser: Browser, game: str, **more: str) -> Any:
    return browser.send(
        f"{NEW}?game={game}", NEW, game=game, **{"seat-0": "Ana", "seat-1": "Bo", "seat-2": "Chloé"}, **more
    )


def test_cards_are_chosen_with_the_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    browser = host_of(laptop(tmp_path, kind="real", camera="usb:0"))
    assert 'name="box" value="printed"' in browser.get(f"{NEW}?game=coyote").text
    assert begin(browser, "coyote", box="printed").location == "/host"
    editions = {"coyote-kidult", "coyote-gigamic", "coyote-oliphante"}
    assert set(CARDS_CHOICE.read(tmp_path).printed) == editions
    # a new box is learnt during play
    assert begin(browser, "coyote", box="").location == "/host"
    choice = CARDS_CHOICE.read(tmp_path)
    assert (choice.printed, set(choice.used), set(choice.learning.values())) == ((), editions, {"Our Coyote"})
    # a learnt deck is offered for its game only
    face = np.full((88, 63, 3), 90, np.uint8)
    deck = bare_deck("Anna's Coup", (63, 88), {"duke": 3}, {"duke": [face]})
    save_deck(deck, tmp_path / "decks" / "coup-2")
    assert "Anna&#39;s Coup" in browser.get(f"{NEW}?game=coup").text
    assert "coup-2" not in browser.get(f"{NEW}?game=coyote").text
    begin(browser, "coup", box="coup-2")
    assert CARDS_CHOICE.read(tmp_path).used["coup"] == "coup-2"
    assert 'value="coup-2" checked' in browser.get(f"{NEW}?game=coup").text
    # cards that gave the table choose their box
    for seen_deck, box in (("", "printed"), ("coup-2", "coup-2"), (None, "coup-2")):
        finder = FakeFinder()
        finder.seen_deck = seen_deck
        measured = host_of(laptop(tmp_path, kind="real", camera="usb:0", finder=finder))
        assert f'value="{box}" checked' in measured.get(f"{NEW}?game=coup").text
    # nobody prints 52 playing cards, and the simulated table has its own
    monkeypatch.setattr("webui.views.card_choice.is_worth_printing", lambda _deck: False)
    assert 'value="printed"' not in browser.get(f"{NEW}?game=coup-d-etat").text
    assert 'name="box"' not in host_of(laptop(tmp_path)).get(f"{NEW}?game=coyote").text


@pytest.mark.parametrize(
    ("kind", "told"), [("real", "at the simulated table"), ("simulated", "with real cards")]
)
def test_history_names_the_other_table(tmp_path: Path, kind: Kind, told: str) -> None:
    room = laptop(tmp_path, kind=kind)
    match = begun_at(bidden(5), "2026-11-28T20:00:00+00:00")
    with open_journal(tmp_path / JOURNAL) as opened:
        # the first one is on the table
        opened.journal.begin(bidden(5))
        opened.journal.begin(match)
    host = room.computer().host()
    note_kind(tmp_path, mark_of(match.setup.begun), kind)
    assert told not in host.get("/history/2").text
    note_kind(tmp_path, mark_of(match.setup.begun), "simulated" if kind == "real" else "real")
    assert told in host.get("/history/2").text


class Measured(FakeFinder):
    """A finder whose four cards have been accepted."""

    is_measured = True


def guide_of(tmp_path: Path) -> Browser:
    """Open a real table on the way to Coup; its cards have been accepted."""
    laptop(tmp_path).computer().send(f"{CAMERA}?game=coup", CAMERA, camera="usb:1")
    return host_of(laptop(tmp_path, kind="real", camera="usb:1", finder=Measured()))


def test_back_and_cancel_lead_to_pages_before(tmp_path: Path) -> None:
    browser = guide_of(tmp_path)
    page = browser.get("/host/table").text
    form = {"form": hidden_fields(page, "/host/table/close")["form"]}
    assert f'href="{CAMERA}?game=coup&amp;from=table"' in page
    assert browser.post("/host/table/close", **form).location == "/welcome"
    players = browser.get(f"{NEW}?game=coup").text
    # back to the cards
    assert 'action="/host/table/by"' in players
    assert browser.post("/host/table/by", by="cards", **form).location == "/host/table"
    for step in (page, players):
        assert "Another camera" in step
    camera = browser.get(f"{CAMERA}?game=coup").text
    assert "Step 1 of 4" in camera
    assert camera.count('href="/welcome"') == 2
    # back, and Cancel: to the page where one came from, also after a wrong address
    for origin, there in (("table", "/host/table"), ("host", "/host"), ("//elsewhere", "/welcome")):
        refused = browser.post(CAMERA, camera="ftp://x", game="coup", **{"from": origin}, **form).text
        for shown in (browser.get(f"{CAMERA}?game=coup&from={origin}").text, refused):
            assert shown.count(f'href="{there}"') == 2


def test_players_chosen_first_lead_to_real_cards(tmp_path: Path) -> None:
    simulated = host_of(laptop(tmp_path))
    assert begin(simulated, "coup", cards="real").location == f"{CAMERA}?game=coup"
    simulated.send(f"{CAMERA}?game=coup", CAMERA, camera="usb:1")
    page = (
        host_of(laptop(tmp_path, kind="real", camera="usb:1", finder=Measured())).get(f"{NEW}?game=coup").text
    )
    assert [f'value="{name}"' in page for name in ("Ana", "Bo", "Chloé")] == [True] * 3
    assert "Play with real cards" not in page


def test_guide_judges_nothing_without_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blind = FindingProgress(is_open=True, wrong=(Problem("gone", {"camera": "usb:0"}),))
    monkeypatch.setitem(FakeFinder.tells, "sight", lambda: blind)
    page = host_of(laptop(tmp_path, kind="real", camera="usb:0", finder=FakeFinder())).get("/host/table").text
    assert "No picture from the camera." in page
    assert "usb:0: the camera is gone: check the cable" in page
    assert "<li" not in page[page.index("<main") :]


FLAT = Calibration(((1, 0, 400), (0, 1, 300), (0, 0, 1)), (800, 600), (1, 1, 1), 1.0, {})


def laid(*whys: Hindrance | None, table: Calibration | None = None, **more: Any) -> FindingProgress:
    """Return the guide's progress with outlines in a row."""
    cards = tuple(
        ShownCard(((x, 10.0), (x + 60.0, 10.0), (x + 60.0, 90.0), (x, 90.0)), why)
        for x, why in zip(range(10, 800, 80), whys, strict=False)
    )
    shown = CardsShown((800, 600), b"", cards, table)
    return FindingProgress(is_open=True, laid=CardsLaid(1, shown, **more), told=more.get("told", ShowCards()))


@pytest.mark.parametrize(
    ("progress", "says", "actions"),
    [
        (laid(*[None] * 4, table=FLAT), "Four outlines. Are they your four cards?", {"refuse", "laid"}),
        (laid(*[None] * 3, table=FLAT), "3 outlines. Are they your cards?", {"refuse", "laid"}),
        (laid("doubtful", "doubtful"), "2 outlines. Are they cards?", {"clear"}),
        (
            laid("doubtful", is_clearing=True),
            "Clear the table: one picture without cards.",
            {"empty", "unclear"},
        ),
        (laid(None, told=ShowCards((), ((9.0, 9.0),))), "1 outline is left. Tap another card.", {"forget"}),
        (laid(), "Spread out any four cards.", {"clear"}),
    ],
)
def test_guide_asks_one_thing_with_its_buttons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, progress: FindingProgress, says: str, actions: set[str]
) -> None:
    monkeypatch.setitem(FakeFinder.tells, "sight", lambda: progress)
    page = host_of(laptop(tmp_path, kind="real", camera="usb:0", finder=FakeFinder())).get("/host/table").text
    assert says in page
    shown = {action for action in ("refuse", "laid", "empty", "unclear", "forget") if f"table/{action}" in page}
    assert shown == actions - {"clear"}
    assert ('action="/host/table/clear"' in page) == ("unclear" not in actions)
    # each outline can be tapped by key, too; a cleared table has none
    outlines = 0 if "unclear" in actions else len(present(progress.laid).outlined)
    assert page.count('name="at"') == outlines
