"""Decks and pieces for the eyes: taught ones first, with the counts of the owned box."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from firmware.cli.play import request_from
from firmware.state_folder import DECKS, state_directory
from firmware.storage import found_table
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.cards_choice import choose_deck
from firmware.storage.decks import (
    OwnDeck,
    deck_folder,
    deck_names,
    deck_order,
    game_deck_of,
    new_folder,
    own_decks,
    with_box_counts,
)
from firmware.storage.found_table import chosen_thrift
from firmware.storage.journal import open_journal
from hardware.decks.catalogue import PRINTED
from referee.games.coyote import COYOTE
from referee.games.ogallala import OGALLALA
from referee.games.ogallala.deck import COUNTS
from tests.firmware.playing import match_at
from tests.firmware.storage.backups.tables import backup_of, files_in
from vision.reading.templates import BACK
from vision.table.thrift import PLENTY, SMALL
from vision.teaching.taught_decks import DECK, bare_deck, forget_deck, load_deck, save_deck


@pytest.fixture(autouse=True)
def decks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    return state_directory() / DECKS


def teach(folder: Path, size: float, **counts: int) -> None:
    faces = {face: (np.full((80, 80, 3), 90, np.uint8),) for face in counts}
    save_deck(bare_deck(folder.name, (size, size), counts, faces), folder)


def test_deck_folders_of_own_and_taught_decks(tmp_path: Path, decks: Path) -> None:
    folder = deck_folder("coup", tmp_path)
    drawn = load_deck(folder)
    assert set(drawn.faces) == {*PRINTED["coup"].faces, BACK}
    assert drawn.counts["duke"] == PRINTED["coup"].counts["duke"]
    # they are available for the next match
    when = (folder / "duke").stat().st_mtime_ns
    assert (deck_folder("coup", tmp_path) / "duke").stat().st_mtime_ns == when
    save_deck(drawn, decks / "coup")
    assert deck_folder("coup", tmp_path) == decks / "coup"
    with pytest.raises(KeyError):
        deck_folder("bridge", tmp_path)


def test_deck_with_interrupted_swap_is_complete(tmp_path: Path, decks: Path) -> None:
    teach(decks / "coup", 63.0, duke=3, contessa=3)
    (decks / "coup").rename(decks / ".coup.old")
    shutil.copytree(decks / ".coup.old", decks / ".coup.new")
    assert "coup" in deck_names()
    assert load_deck(deck_folder("coup", tmp_path)).counts == {"duke": 3, "contessa": 3}
    here = TablePlaces(decks.parent, decks.parent / "journal.db", tmp_path / "coyote.toml")
    with open_journal(here.journal) as opened:
        opened.journal.begin(match_at("x", "Ana", "Bo", "Cy"))
    kept = files_in(backup_of(here, tmp_path / "backup.zip"))
    assert {name for name in kept if name.startswith(DECKS)} == {
        "decks/coup/deck.json", "decks/coup/duke/1.png", "decks/coup/contessa/1.png"
    }  # fmt: skip
    forget_deck(decks / "coup")
    assert not list(decks.iterdir())
    assert deck_folder("coup", tmp_path) == tmp_path / "coup"


def test_match_uses_counts_of_taught_box(decks: Path) -> None:
    untaught = OGALLALA.rules.house()
    assert with_box_counts(OGALLALA, untaught) == untaught
    teach(decks / "ogallala", 63.0, keg=4, back=0)
    house = with_box_counts(OGALLALA, untaught)
    assert OGALLALA.table.deck(house).counts == {**COUNTS, "keg": 4}
    assert request_from(OGALLALA, None, None, (), fresh=False).house == house
    assert with_box_counts(COYOTE, COYOTE.rules.house()) == COYOTE.rules.house()
    agreed = ",".join(map(str, [3] * len(COUNTS)))
    wish = request_from(OGALLALA, None, None, (f"box={agreed}",), fresh=False)
    assert set(OGALLALA.table.deck(wish.house).counts.values()) == {3}
    (decks / "ogallala" / DECK).write_text("{")
    assert with_box_counts(OGALLALA, untaught) == untaught


def test_low_memory_means_smaller_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    for total, configured, chosen in (
        (430_000_000, None, SMALL),
        (930_000_000, None, PLENTY),
        (430_000_000, False, PLENTY),
        (8_000_000_000, True, SMALL),
    ):
        monkeypatch.setattr(found_table, "total_memory", lambda total=total: total)
        assert chosen_thrift(configured) == chosen


def test_deck_that_is_learnt_is_ordered_with_its_back_and_extras(tmp_path: Path, decks: Path) -> None:
    deck = COYOTE.table.deck(COYOTE.rules.house())
    printed = deck_order(deck, tmp_path)
    assert (printed.learns, printed.among) == ("", deck.counts)
    choose_deck(state_directory(), deck.name, deck.name, "Our Coyote")
    order = deck_order(deck, tmp_path)
    assert (order.deck, order.learns) == (str(decks / deck.name), "Our Coyote")
    assert order.among == {**deck.counts, **PRINTED[deck.name].extras, BACK: 0}
    choose_deck(state_directory(), deck.name, None)
    assert deck_order(deck, tmp_path) == printed


def test_kept_deck_is_learnt_until_it_has_all_faces(tmp_path: Path, decks: Path) -> None:
    deck = COYOTE.table.deck(COYOTE.rules.house())
    faces = {face: (np.full((80, 80, 3), 90, np.uint8),) for face in deck.counts}
    folder = f"{deck.name}-2"
    first, *_others = faces
    save_deck(bare_deck("Anna's Coyote", (63, 88), {first: 1}, {first: faces[first]}), decks / folder)
    assert own_decks(deck.name) == (
        OwnDeck(folder, deck.name, "Anna's Coyote", 1, is_kept=True, is_used=False),
    )
    choose_deck(state_directory(), deck.name, folder)
    order = deck_order(deck, tmp_path)
    assert (order.deck, order.learns) == (str(decks / folder), "Anna's Coyote")
    assert with_box_counts(COYOTE, COYOTE.rules.house()) == COYOTE.rules.house()
    save_deck(bare_deck("Anna's Coyote", (63, 88), dict(deck.counts), faces), decks / folder)
    assert deck_order(deck, tmp_path).learns == ""


def test_folders_of_own_decks_are_named_after_the_game_deck(decks: Path) -> None:
    assert new_folder("coup") == "coup"
    teach(decks / "coup", 63.0, duke=3)
    teach(decks / "mine", 63.0, duke=3)
    assert new_folder("coup") == "coup-2"
    assert [game_deck_of(name) for name in ("coup", "coup-2", "coup-d", "mine")] == ["coup", "coup", "", ""]
    (deck,) = own_decks("coup")
    assert (deck.title, deck.is_kept, deck.is_used) == ("", True, True)
    # in the order in which they began
    for name in ("coup-10", "ogallala", "coup-3", "coup", "coup-2"):
        teach(decks / name, 63.0, duke=3)
    found = [each.folder for each in own_decks("ogallala", "coup")]
    assert found == ["ogallala", "coup", "coup-2", "coup-3", "coup-10"]
