"""The people's own decks: faces, keeping, throwing away, suits from one picture, and look-alikes."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from threading import Event
from typing import Any

import cv2
import numpy as np
import pytest

from firmware.services.learning import DeckShelf
from firmware.state_folder import DECKS, state_directory
from firmware.storage.cards_choice import CARDS_CHOICE, choose_deck
from firmware.table.notices import Notice
from hardware.decks.catalogue import PRINTED
from referee.games.catalogue import GAMES
from referee.kit.french_cards import CARDS, SUIT_ROWS, suit_rows
from tests.firmware.recording_client import RecordingClient
from tests.given import present
from tests.referee.tables import new_match
from tests.tiers import slow
from tests.vision.photographs import laid
from tests.waiting import until
from vision.pictures import Picture
from vision.process.messages import ChangeFace, FrameTaken, UseDeck
from vision.reading.templates import BACK
from vision.teaching import tried_decks
from vision.teaching.taught_decks import bare_deck, load_deck, save_deck
from vision.teaching.tried_decks import Doubt

CARD = np.full((352, 252, 3), 200, np.uint8)
COUP = PRINTED["coup"].counts


class Shelf(DeckShelf):
    """The decks of a table that plays Coup."""

    def __init__(self, folder: Path) -> None:
        self.client = RecordingClient()
        super().__init__(self.client, folder / "scratch")


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shelf:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(tried_decks, "try_taught", lambda *_values, **_named: ())
    return Shelf(tmp_path)


def teach(name: str, title: str, *faces: str) -> None:
    counts = {face: COUP.get(face, 0) for face in faces}
    deck = bare_deck(title, (63, 88), counts, dict.fromkeys(faces, (CARD,)))
    save_deck(deck, state_directory() / DECKS / name)


def learn(name: str, *faces: str) -> None:
    """Learn faces of a new deck, which is in use."""
    choose_deck(state_directory(), "coup", name, "Our Coup")
    if faces:
        teach(name, "Our Coup", *faces)


def test_learnt_faces_have_pictures_whose_address_follows_their_content(shelf: Shelf) -> None:
    assert shelf.decks(None) == ()
    learn("coup")
    (deck,) = shelf.decks(None)
    assert (deck.title, deck.known, deck.is_kept, shelf.is_on_table(deck)) == ("Our Coup", 0, False, True)
    assert {face.name: face.shot for face in shelf.faces("coup", None)} == dict.fromkeys(COUP, "")
    learn("coup", "duke", BACK)
    faces = {face.name: face for face in shelf.faces("coup", None)}
    assert set(faces) == {*COUP, BACK}
    shot = faces["duke"].shot
    assert present(shelf.picture("coup", "duke", shot)).startswith(b"\xff\xd8")
    for folder, face, name in (("coup", "captain", shot), ("coup", "duke", "0"), ("other", "duke", shot)):
        assert shelf.picture(folder, face, name) is None
    assert shelf.picture("coup", "captain", "") is None


def test_deck_is_kept_under_a_title_learnt_on_and_thrown_away(shelf: Shelf) -> None:
    learn("coup-2", "duke")
    assert present(shelf.unkept()).folder == "coup-2"
    assert shelf.keep("coup-2", "Anna's Coup") is None
    (deck,) = shelf.decks(None)
    assert (deck.title, deck.is_kept, deck.is_used) == ("Anna's Coup", True, True)
    assert shelf.unkept() is None
    assert shelf.is_learnt(deck)
    (order,) = shelf.client.done
    assert isinstance(order, UseDeck)
    assert (Path(order.deck).name, order.learns) == ("coup-2", "Anna's Coup")
    # with all faces, it is read like any taught deck
    teach("coup-2", "Anna's Coup", *COUP)
    assert not shelf.is_learnt(deck)
    assert shelf.keep("coup-3", "x") == Notice("no such deck")
    # only eyes that learn the deck on the table change it
    shelf.client.done.clear()
    assert shelf.change("coup-2", "duke", "captain", None) is None
    used, changed = shelf.client.done
    assert isinstance(used, UseDeck)
    assert (used.learns, changed) == ("Anna's Coup", ChangeFace("duke", "captain"))
    assert shelf.change("coup-2", "duke", "king", None) == Notice("no such face")
    for number in (-1, 1000):
        assert shelf.count("coup-2", "duke", number, None) == Notice("no such face")
    choose_deck(state_directory(), "coup", None)
    assert shelf.change("coup-2", "duke", "", None) == Notice("no such deck")
    choose_deck(state_directory(), "coup", "coup-2")
    assert shelf.throw_away("coup-2") is None
    assert shelf.decks(None) == ()
    assert CARDS_CHOICE.read(state_directory()).learning == {}
    printed = shelf.client.done[-1]
    assert isinstance(printed, UseDeck)
    assert ("scratch" in printed.deck, printed.learns) == (True, "")


def test_full_disk_is_reported(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    learn("coup", "duke")

    def full(*_values: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("vision.teaching.taught_decks.save_deck", full)
    assert present(shelf.keep("coup", "Anna's Coup")).key == "not written"
    (deck,) = shelf.decks(None)
    assert not deck.is_kept


def test_trials_run_in_the_background_with_their_progress(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, may_end, tried = Event(), Event(), list[int]()
    doubt = Doubt("duke", "captain", 0.1, "far")

    def try_slowly(faces: Any, _size: Any, report: Callable[[int, int], None]) -> tuple[Doubt, ...]:
        tried.append(len(faces))
        report(1, len(faces))
        told.set()
        may_end.wait()
        return (doubt,)

    monkeypatch.setattr(tried_decks, "try_taught", try_slowly)
    teach("coup", "coup", "duke", "captain")
    assert shelf.trials("coup").pairs is None
    told.wait()
    now = shelf.trials("coup")
    assert (now.done, now.all, now.pairs) == (1, 2, None)
    may_end.set()
    until(lambda: shelf.trials("coup").pairs is not None)
    assert (shelf.trials("coup").pairs, tried) == ((doubt,), [2])
    # another picture makes another trial
    teach("coup", "coup", "contessa")
    until(lambda: shelf.trials("coup").pairs is not None)
    assert tried == [2, 3]


class OnePicture(RecordingClient):
    """A client to eyes that take one picture."""

    picture: Picture | None = None

    def show(self, _order: object, kind: type) -> "Future[Any]":
        future = Future[Any]()
        if kind is FrameTaken and self.picture is not None:
            future.set_result(FrameTaken(cv2.imencode(".png", self.picture)[1].tobytes()))
        else:
            future.cancel()
        return future


@pytest.fixture
def suits(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """Return the shelf of a table with 52 playing cards."""
    monkeypatch.setattr("firmware.services.learning.game_deck_of", lambda folder: folder)
    monkeypatch.setattr("firmware.storage.decks.game_deck_of", lambda folder: folder)
    monkeypatch.setattr("firmware.services.learning.all_counts", lambda _deck: dict.fromkeys(CARDS, 1))
    monkeypatch.setattr("firmware.services.learning.PRINTED", {"french-52": None})
    choose_deck(state_directory(), "french-52", "french-52", "Our cards")
    shelf._client = shelf.client = OnePicture(new_match(GAMES["coup"], "rule text", 3))
    return shelf


@slow("a rendered picture of a suit is read twice")
def test_suit_is_learnt_from_one_picture(suits: Shelf) -> None:
    above, below = SUIT_ROWS["spades"]
    client: Any = suits.client
    client.picture = laid((above, below))
    assert suits.suit("french-52", "spades") is None
    assert set(load_deck(state_directory() / DECKS / "french-52").faces) == {*above, *below}
    wrong = present(suits.suit("french-52", "clubs"))
    assert wrong.key == "suit not taught"
    assert "Ac looks like As" in str(wrong.values["why"])


@slow("a rendered picture of a suit is read")
def test_suit_of_a_pack_of_32_is_learnt_from_one_row(shelf: Shelf) -> None:
    choose_deck(state_directory(), "piquet", "piquet", "Our cards")
    client = OnePicture(new_match(GAMES["coup"], "rule text", 3))
    client.picture = laid(suit_rows(PRINTED["piquet"].counts)["spades"])
    shelf._client = shelf.client = client
    assert shelf.suit("piquet", "spades") is None
    faces = load_deck(state_directory() / DECKS / "piquet").faces
    assert [*faces] == ["As", "7s", "8s", "9s", "10s", "Js", "Qs", "Ks"]
    assert present(shelf.suit("piquet", "clubs")).key == "suit not taught"


def test_missing_picture_cards_or_suit_is_reported(suits: Shelf) -> None:
    client: Any = suits.client
    assert suits.suit("french-52", "spades") == Notice("no frame")
    assert suits.suit("french-52", "swords") == Notice("no such face")
    client.picture = np.full((300, 400, 3), 90, np.uint8)
    assert present(suits.suit("french-52", "spades")).key == "suit not taught"
