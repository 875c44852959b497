"""Drafts on the disk: continued after a restart, whatever became of the list beside the deck."""

from pathlib import Path

import pytest

from tests.vision.teaching.cards import card, learnt
from vision.files import read_json
from vision.teaching import stored_drafts
from vision.teaching.draft_deck import DraftDeck, LearntCard, Origin, named, take_back
from vision.teaching.kept_cuts import CutCard
from vision.teaching.stored_drafts import DRAFT, DraftFile, NamedPlace, is_possible_name, load_draft, save_draft
from vision.teaching.taught_decks import decks_in, is_deck, load_deck, read_deck_file, save_face

POSSIBLE = {"7h": 1, "8h": 1, "Qs": 2}
PLACE = NamedPlace(((0.0, 0.0), (6.0, 0.0), (6.0, 9.0), (0.0, 9.0)), "7h")


def grown() -> DraftDeck:
    first = named(DraftDeck("Anna's cards", possible=POSSIBLE, shapes=(0.7, 0.72)), learnt("7h"), "7h")
    again = LearntCard(CutCard(card("7h", 1)), Origin("mrq", (1.0, 2.0), "Anna", 5))
    return named(named(first, again, "7h"), learnt("Qs"), "Qs")


def stored_in(folder: Path) -> Path:
    save_draft(grown(), {}, folder, (PLACE,))
    return folder


def load(folder: Path) -> DraftDeck:
    return load_draft(folder, "Anna's cards", None, POSSIBLE)[0]


def test_draft_is_continued_as_it_was(tmp_path: Path) -> None:
    draft, places = load_draft(stored_in(tmp_path / "mine"), "Anna's cards", None, POSSIBLE)
    before = grown()
    assert {face: [each.origin for each in some] for face, some in draft.faces.items()} == {
        face: [each.origin for each in some] for face, some in before.faces.items()
    }
    assert (draft.met, draft.nearest, draft.shapes) == (before.met, before.nearest, before.shapes)
    assert (draft.size, draft.possible, places) == (before.size, POSSIBLE, (PLACE,))


def test_draft_is_a_deck_like_any_other(tmp_path: Path) -> None:
    folder = stored_in(tmp_path / "mine")
    assert decks_in(tmp_path) == ("mine",)
    deck = load_deck(folder)
    assert (deck.name, dict(deck.counts)) == ("Anna's cards", {"7h": 1, "Qs": 2})


@pytest.mark.parametrize("content", [None, b"", b"{", b'{"met": {"7h": -1}}', b"[]", b'{"origins": 1}'])
def test_draft_without_a_readable_list_keeps_its_pictures(tmp_path: Path, content: bytes | None) -> None:
    file = stored_in(tmp_path / "mine") / DRAFT
    file.unlink() if content is None else file.write_bytes(content)
    draft = load(tmp_path / "mine")
    assert {face: len(some) for face, some in draft.faces.items()} == {"7h": 2, "Qs": 1}


def test_list_of_other_pictures_is_ignored(tmp_path: Path) -> None:
    folder = stored_in(tmp_path / "mine")
    save_face(folder, "7h", [CutCard(card("7h", seed)) for seed in range(3)])
    assert len(load(folder).faces["7h"]) == 3


def test_face_taken_back_is_deleted_and_only_changed_faces_are_written(tmp_path: Path) -> None:
    folder, before = stored_in(tmp_path / "mine"), grown()
    save_draft(before, {}, folder)
    untouched = (folder / "Qs").stat().st_ino
    after = named(take_back(before, ("7h",)), learnt("8h"), "8h")
    save_draft(after, before.faces, folder)
    assert set(read_deck_file(folder).faces) == {"Qs", "8h"}
    assert not (folder / "7h").exists()
    assert (folder / "Qs").stat().st_ino == untouched


def test_power_cut_leaves_a_whole_deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, before = stored_in(tmp_path / "mine"), grown()

    def fail(*_arguments: object) -> None:
        raise OSError("no power")

    # the origins are there before the face, because they decide who may see it
    monkeypatch.setattr(stored_drafts, "update_deck", fail)
    with pytest.raises(OSError, match="no power"):
        save_draft(named(before, learnt("8h"), "8h"), before.faces, folder)
    assert set(read_json(folder / DRAFT, DraftFile).origins) == {"7h", "8h", "Qs"}
    assert set(load(folder).faces) == {"7h", "Qs"}


def test_draft_without_faces_is_no_deck(tmp_path: Path) -> None:
    folder = stored_in(tmp_path / "mine")
    save_draft(take_back(grown(), ("7h", "Qs")), grown().faces, folder)
    assert not is_deck(folder)
    assert load(folder).shapes == (0.7, 0.72)


def test_names_are_checked() -> None:
    assert is_possible_name(DraftDeck("m"), "Queen of spades")
    assert not any(is_possible_name(DraftDeck("m"), name) for name in ("", "../x", "a/b", "deck.json", DRAFT))
    assert is_possible_name(grown(), "8h")
    assert not is_possible_name(grown(), "9h")
