"""The way to real cards: the first page's two doors, the camera, the cards."""

import re
from pathlib import Path
from random import Random

import numpy as np
import pytest

from firmware.state_folder import JOURNAL
from firmware.storage.cards_choice import CARDS_CHOICE, Kind
from firmware.storage.configuration import read_choice
from firmware.storage.journal import open_journal
from firmware.storage.match_marks import mark_of, note_kind
from hardware.twin.player import play_on
from referee.match import with_name
from tests.firmware.board.inputs.matches import begun_at, bidden, new_match
from tests.given import allowed
from tests.webui.fakes import FakeFinder
from tests.webui.laptop import Cards, laptop
from tests.webui.room import hidden_fields
from vision.teaching.taught_decks import bare_deck, save_deck

FAR = "192.0.2.9"
CAMERA, DECK = "/welcome/camera", "/welcome/deck"
KINDS: tuple[Kind, ...] = ("real", "simulated")


def test_first_page_offers_both_and_fills_what_works_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = laptop(tmp_path).browser().get("/welcome").text
    assert 'class="play first" name="cards" value="real"' in page
    assert 'class="play" name="cards" value="simulated"' in page
    monkeypatch.setattr(Cards, "is_camera_likely", False)
    page = laptop(tmp_path).browser().get("/welcome").text
    assert 'class="play first" name="cards" value="simulated"' in page
    # options decided
    assert 'name="cards"' not in laptop(tmp_path, is_fixed=True).browser().get("/welcome").text


def test_simulated_table_begins_without_a_restart(tmp_path: Path) -> None:
    room = laptop(tmp_path)
    asked = room.browser().send("/welcome", "/welcome", game="coup", cards="simulated")
    assert asked.location == "/welcome/me?game=coup"
    assert room.client.actions == []


def test_real_cards_begin_with_the_camera_and_a_restart(tmp_path: Path) -> None:
    room = laptop(tmp_path)
    browser = room.browser()
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


@pytest.mark.parametrize(
    ("sent", "there"),
    [
        ({"camera": "phone"}, f"{CAMERA}?game=coyote"),
        ({"camera": "phone", "here": "1"}, "/camera?game=coyote"),
        ({"camera": "rtsp://ana:secret@cam/live"}, "/host/table?game=coyote"),
    ],
)
def test_each_camera_has_its_next_page(tmp_path: Path, sent: dict[str, str], there: str) -> None:
    starts = laptop(tmp_path).browser().send(CAMERA, CAMERA, **sent)
    assert f'data-to="{there}"' in starts.text
    assert "secret" not in starts.text


@pytest.mark.parametrize("camera", ["", "usb:7", "file:/etc/passwd", "ftp://cam/", "http://", "live:x", "pi"])
def test_unknown_cameras_are_refused(tmp_path: Path, camera: str) -> None:
    room = laptop(tmp_path)
    assert room.browser().send(CAMERA, CAMERA, camera=camera).status_code == 400
    assert room.client.actions == []
    assert CARDS_CHOICE.read(tmp_path).kind is None


def test_login_of_the_network_camera_stays_stored_and_unseen(tmp_path: Path) -> None:
    laptop(tmp_path).browser().send(CAMERA, CAMERA, camera="http://ana:secret@cam/live")
    room = laptop(tmp_path, kind="real", camera="http://ana:secret@cam/live")
    browser = room.browser()
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


def test_back_to_the_simulated_table(tmp_path: Path) -> None:
    room = laptop(tmp_path, kind="real", camera="usb:0")
    browser = room.browser()
    asked = browser.send("/welcome", "/welcome", game="coup", cards="real")
    assert asked.location == f"{DECK}?game=coup"
    browser.send(asked.location, DECK, cards="printed")
    # camera and deck are known
    asked = browser.send("/welcome", "/welcome", game="coup", cards="real")
    assert asked.location == "/host/new?game=coup"
    starts = browser.send("/welcome", "/welcome", game="coup", cards="simulated")
    assert 'data-to="/welcome"' in starts.text
    assert CARDS_CHOICE.read(tmp_path).kind == "simulated"


def test_camera_in_use_shows_the_pictures_of_the_eyes(tmp_path: Path) -> None:
    laptop(tmp_path).browser().send(CAMERA, CAMERA, camera="usb:0")
    browser = laptop(tmp_path, kind="real", camera="usb:0").browser()
    assert browser.get(f"{CAMERA}/0.jpg").data == b"jpeg"


def test_phone_finds_the_camera_page_by_code(tmp_path: Path) -> None:
    laptop(tmp_path).browser().send(CAMERA, CAMERA, camera="phone")
    page = laptop(tmp_path, kind="real", camera="phone").browser().get(f"{CAMERA}?game=coup").text
    assert 'class="qr"' in page
    assert 'href="/host/table?game=coup"' in page


def test_strangers_and_old_forms_change_nothing(tmp_path: Path) -> None:
    room = laptop(tmp_path)
    far = room.browser(FAR)
    for address in (CAMERA, DECK):
        assert far.get(address).location == far.post(address, camera="usb:0").location == "/host"
        assert room.browser().post(address, camera="usb:0", cards="own").status_code == 403
    assert far.get(f"{CAMERA}/1.jpg").status_code == 404
    assert far.post("/welcome", game="coup", cards="real").location == "/host"
    assert room.browser().send("/welcome", "/welcome", game="coup", cards="other").status_code == 400
    # a Raspberry Pi's own screen is seen by everybody
    public = laptop(tmp_path, kind="real", is_pi=True).browser()
    assert public.get(CAMERA).location == public.get("/welcome").location == "/host"
    # options decided
    assert laptop(tmp_path, is_fixed=True).browser().get(CAMERA).location == "/host"
    assert room.client.actions == []
    assert CARDS_CHOICE.read(tmp_path).kind is None


def test_deck_is_chosen_for_the_game(tmp_path: Path) -> None:
    browser = laptop(tmp_path, kind="real", camera="usb:0").browser()
    page = browser.get(f"{DECK}?game=coyote").text
    assert "Kidult edition, 36 cards." in page
    assert browser.send(f"{DECK}?game=coyote", DECK, cards="printed").location == "/host/new?game=coyote"
    editions = {"coyote-kidult", "coyote-gigamic", "coyote-oliphante"}
    assert set(CARDS_CHOICE.read(tmp_path).printed) == editions
    # a new box is learnt during play
    assert browser.send(f"{DECK}?game=coyote", DECK, cards="").location == "/host/new?game=coyote"
    choice = CARDS_CHOICE.read(tmp_path)
    assert (choice.printed, set(choice.used), set(choice.learning.values())) == ((), editions, {"Our Coyote"})


def test_learnt_deck_is_chosen_by_its_title(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    browser = laptop(tmp_path, kind="real", camera="usb:0").browser()
    face = np.full((88, 63, 3), 90, np.uint8)
    deck = bare_deck("Anna's Coup", (63, 88), {"duke": 3}, {"duke": [face]})
    save_deck(deck, tmp_path / "decks" / "coup-2")
    page = browser.get(f"{DECK}?game=coup").text
    assert "Anna&#39;s Coup" in page
    assert 'value="coup-2"' in page
    assert browser.send(f"{DECK}?game=coup", DECK, cards="coup-2").location == "/host/new?game=coup"
    assert CARDS_CHOICE.read(tmp_path).used == {"coup": "coup-2"}
    assert re.search('value="coup-2" checked', browser.get(f"{DECK}?game=coup").text)
    # another game's deck isn't offered
    assert "coup-2" not in browser.get(f"{DECK}?game=coyote").text


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
    host = room.browser().host()
    note_kind(tmp_path, mark_of(match.setup.begun), kind)
    assert told not in host.get("/history/2").text
    note_kind(tmp_path, mark_of(match.setup.begun), "simulated" if kind == "real" else "real")
    assert told in host.get("/history/2").text


def test_bots_are_no_people_at_the_real_table(tmp_path: Path) -> None:
    begun = allowed(with_name(begun_at(new_match(seats=2), "2026-11-28T20:00:00+00:00"), 1, "Vix"))
    with open_journal(tmp_path / JOURNAL) as opened:
        opened.journal.begin(play_on(begun, Random(1)))
    pages = {kind: laptop(tmp_path, kind=kind).browser().get("/welcome").text for kind in KINDS}
    assert [kind for kind, page in pages.items() if "/welcome/again" in page] == ["simulated"]
    # a person may have the name of a bot
    note_kind(tmp_path, mark_of(begun.setup.begun), "real")
    pages = {kind: laptop(tmp_path, kind=kind).browser().get("/welcome").text for kind in KINDS}
    assert [kind for kind, page in pages.items() if "/welcome/again" in page] == ["real"]


def test_playing_cards_replace_the_own_box(tmp_path: Path) -> None:
    browser = laptop(tmp_path, kind="real", camera="usb:0").browser()
    disabled = {
        game: [part.split(">")[0].endswith("disabled") for part in page.split('type="radio"')[1:]]
        for game in ("coup", "coup-d-etat")
        if (page := browser.get(f"{DECK}?game={game}").text)
    }
    assert disabled == {"coup": [False, False, True], "coup-d-etat": [False, False]}


def test_only_browser_on_laptop_leads_without_pin(tmp_path: Path) -> None:
    room = laptop(tmp_path, kind="real", camera="usb:0")
    assert 'action="/host/here"' in room.browser().get("/host").text
    far = room.browser(FAR)
    assert 'action="/host/here"' not in far.get("/host").text
    assert room.browser().post("/host/here").status_code == 403
    fields = hidden_fields(far.get("/host").text, "/host/enter")
    assert far.post("/host/here", **fields).status_code == 403
    browser = room.browser()
    assert browser.send("/host", "/host/here").location == "/host"
    assert 'action="/host/pause"' in browser.get("/host").text
    pi = laptop(tmp_path / "pi", kind="real", camera="usb:0", is_pi=True)
    assert 'action="/host/here"' not in pi.browser().get("/host").text


def test_cards_are_chosen_once_table_is_found(tmp_path: Path) -> None:
    laptop(tmp_path).browser().send(f"{CAMERA}?game=coup", CAMERA, camera="usb:1")
    room = laptop(tmp_path, kind="real", camera="usb:1", finder=FakeFinder())
    browser = room.browser()
    browser.send("/host", "/host/here")
    form = {"form": hidden_fields(browser.get("/host/table").text, "/host/table/open")["form"]}
    kept = browser.post("/host/table/keep", **form)
    assert kept.location == DECK
    assert "Coup" in browser.get(DECK).text
    assert browser.send(DECK, DECK, cards="printed").location == "/host/new?game=coup"
    assert browser.post("/host/table/keep", **form).location == "/host/table"
