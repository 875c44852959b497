"""A deck that is learnt during play: rendered tables with cards that the eyes have never seen."""

from collections.abc import Sequence
from errno import ENOSPC
from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from firmware.storage.decks import all_counts
from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.renderer import render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneTable
from tests.given import present
from tests.hardware.twin.levels import aim_camera
from tests.tiers import slow
from tests.vision.process.live import (
    CAPTAIN,
    DUKE,
    ONCE,
    TABLE,
    found_table,
    render_scene,
    show_picture,
    with_cards,
)
from tests.vision.slanted_views import seen_from
from tests.vision.table_sequences import both_faces
from vision.pictures import Picture
from vision.process import messages
from vision.process.eyes_state import EyesState
from vision.process.learning import with_fair_guesses
from vision.process.messages import EyesMessage, EyesOrder, EyesSettings, NameCard
from vision.process.on_frame import CALM, obey_order, open_eyes
from vision.process.places import add_look, carry_names
from vision.sightings import RunnerUp, Sighting, likely_face
from vision.table.camera import WARM
from vision.teaching.taught_decks import load_deck

pytestmark = slow("the same cards are laid and read several times")
TITLE = "Anna's Coup"
BACK = SceneCard(None, 0.0, -90.0, 3.0)
CONTESSA = SceneCard("contessa", -110.0, -100.0, 85.0)
DUKE_MOVED = SceneCard("duke", 10.0, 80.0, 40.0)


class Evening:
    """Eyes over a table, with a person who answers for them."""

    def __init__(self, folder: Path, **changed: object) -> None:
        among = all_counts(PRINTED["coup"])
        settings = EyesSettings("twin", str(folder), among, TITLE, found_table())
        self.eyes, self.news = open_eyes(replace(settings, **changed))
        self.asked, self.moment = 0, 0

    def lay(self, *cards: SceneCard) -> None:
        self.news = []
        self.eyes, self.news = show_picture(self.eyes, with_cards(*cards).picture)

    def order(self, order: EyesOrder) -> None:
        self.eyes, more = obey_order(self.eyes, order)
        self.news += more

    def unknown(self) -> tuple[messages.UnknownCard, ...]:
        return tuple(each.news for each in present(self.eyes.learning).shown)

    def name(self, card: messages.UnknownCard, face: str) -> None:
        self.asked, self.moment = self.asked + 1, self.moment + 1
        self.order(NameCard(card.outline, face, "mrq", self.moment, "Anna"))

    def play(self, *cards: SceneCard) -> None:
        """Lay cards, and name the unknown ones by their truth."""
        self.lay(*cards)
        while unknown := self.unknown():
            self.name(unknown[0], true_name(unknown[0], cards))

    def names(self) -> list[str]:
        return named_by(self.eyes)

    def faces(self) -> dict[str, int]:
        return {face: len(some) for face, some in present(self.eyes.learning).draft.faces.items()}


def named_by(eyes: EyesState) -> list[str]:
    """Return the sure names on the table, sorted; "?" for other cards."""
    known = present(eyes.watch).known
    return sorted(
        "?" if not each.sure else "back" if each.facing == "down" else str(each.face) for each in known
    )


def true_name(card: messages.UnknownCard, laid: Sequence[SceneCard]) -> str:
    frame = with_cards(*laid)
    x, y = (sum(corner[i] for corner in card.outline) / 4 for i in (0, 1))
    middles = [tuple(sum(corner[i] for corner in each.outline) / 4 for i in (0, 1)) for each in frame.truth]
    off = [abs(x - u) + abs(y - v) for u, v in middles]
    return frame.truth[off.index(min(off))].face or "back"


def last(news: Sequence[EyesMessage], kind: type) -> object:
    return [each for each in news if isinstance(each, kind)][-1]


@slow("shows a whole deck, card by card")
def test_a_new_deck_is_asked_for_once_per_face_and_then_read(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "coup-2")
    evening.lay(DUKE)
    (unknown,) = evening.unknown()
    read = last(evening.news, messages.TableRead)
    assert isinstance(read, messages.TableRead)
    assert [(each.card.sure, each.card.outline) for each in read.cards] == [(False, unknown.outline)]
    assert evening.news.index(read) < evening.news.index(last(evening.news, messages.UnknownCards))
    assert (unknown.jpeg[:2], unknown.like, unknown.earlier) == (b"\xff\xd8", (), b"")
    laid = (DUKE, CAPTAIN, BACK, CONTESSA, DUKE_MOVED)
    for number in (1, 4, 5):
        evening.play(*laid[:number])
    evening.lay(*laid)
    assert evening.names() == ["back", "captain", "contessa", "duke", "duke"]
    assert evening.asked == 4
    # the second duke lay in another place
    assert evening.faces() == {"duke": 2, "captain": 1, "back": 1, "contessa": 1}
    deck = load_deck(tmp_path / "coup-2")
    assert (deck.name, deck.counts["duke"], deck.counts["back"]) == (TITLE, 3, 0)


def test_a_name_is_reported_at_once(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "coup-2")
    evening.lay(DUKE, CAPTAIN)
    one, other = evening.unknown()
    evening.news = []
    evening.name(one, true_name(one, (DUKE, CAPTAIN)))
    read, grew, unknown = evening.news
    assert isinstance(read, messages.TableRead)
    assert [each.card.sure for each in read.cards if each.card.outline == one.outline] == [True]
    assert isinstance(grew, messages.DeckGrew)
    assert (grew.learnt, grew.taken_back) == (grew.faces[0], ())
    assert isinstance(unknown, messages.UnknownCards)
    assert [each.outline for each in unknown.cards] == [other.outline]


def test_a_killed_process_goes_on_where_it_was(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "coup-2")
    evening.play(DUKE, CAPTAIN)
    again = Evening(tmp_path / "coup-2")
    again.lay(DUKE, CAPTAIN)
    assert (again.names(), again.unknown()) == (["captain", "duke"], ())
    again.play(DUKE, CAPTAIN, CONTESSA)
    assert again.asked == 1
    assert set(again.faces()) == {"duke", "captain", "contessa"}


@pytest.mark.parametrize(("copies", "like"), [(3, ("captain",)), (1, ())])
def test_unique_card_in_view_is_not_suggested(tmp_path: Path, copies: int, like: tuple[str, ...]) -> None:
    evening = Evening(tmp_path / "coup-2", among={"duke": 3, "captain": copies, "contessa": 3})
    evening.play(CAPTAIN)
    evening.lay(CAPTAIN, DUKE)
    (unknown,) = evening.unknown()
    assert (unknown.like, unknown.is_good) == (like, False)


def test_wrong_names_are_undone_one_by_one_or_all_of_a_person(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "coup-2")
    evening.play(CAPTAIN)
    evening.lay(CAPTAIN, DUKE, CONTESSA)
    for moment, (unknown, wrong) in enumerate(zip(evening.unknown(), ("assassin", "ambassador"), strict=True)):
        evening.order(NameCard(unknown.outline, wrong, "mrq", moment, "seat 2"))
    assert evening.names() == ["ambassador", "assassin", "captain"]
    evening.news = []
    evening.order(messages.UndoNames("another match", "seat 2"))
    assert evening.news == []
    evening.order(messages.UndoName("assassin", "mrq", 0))
    assert evening.names() == ["?", "ambassador", "captain"]
    evening.order(messages.UndoNames("mrq", "seat 2"))
    assert evening.names() == ["?", "?", "captain"]
    grew = [(each.faces, each.taken_back) for each in evening.news if isinstance(each, messages.DeckGrew)]
    assert grew == [(("captain", "ambassador"), ("assassin",)), (("captain",), ("ambassador",))]
    assert set(load_deck(tmp_path / "coup-2").counts) == {"captain"}
    evening.play(CAPTAIN, DUKE, CONTESSA)
    assert evening.names() == ["captain", "contessa", "duke"]
    # the pictures that were wrong are the duke's and the contessa's again
    assert evening.faces() == {"captain": 1, "duke": 2, "contessa": 2}


def test_a_face_is_renamed_and_forgotten(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "coup-2")
    evening.play(DUKE, CAPTAIN)
    evening.order(messages.ChangeFace("duke", "assassin"))
    assert evening.names() == ["assassin", "captain"]
    evening.lay(DUKE, CAPTAIN)
    assert evening.names() == ["assassin", "captain"]
    evening.order(messages.ChangeFace("assassin", "queen"))
    assert evening.names() == ["assassin", "captain"]
    evening.order(messages.ChangeFace("assassin"))
    evening.lay(DUKE, CAPTAIN)
    assert evening.names() == ["?", "captain"]
    assert set(load_deck(tmp_path / "coup-2").counts) == {"captain"}


def test_an_impossible_name_has_no_effect(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "coup-2")
    evening.lay(DUKE)
    before = evening.eyes
    for face in ("joker", "../up", "deck.json", "a" * 100):
        evening.name(evening.unknown()[0], face)
        assert evening.eyes.learning is before.learning
    elsewhere = ((1.0, 1.0), (9.0, 1.0), (9.0, 9.0), (1.0, 9.0))
    evening.order(NameCard(elsewhere, "duke", "mrq", 1))
    assert evening.faces() == {}


def test_a_thing_that_is_no_card_is_not_asked_for_while_it_stays(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "coup-2")
    evening.lay(DUKE)
    evening.name(evening.unknown()[0], "")
    evening.lay(DUKE)
    evening.play(DUKE, CAPTAIN)
    assert (evening.names(), evening.faces()) == (["captain"], {"captain": 1})
    evening.lay(CAPTAIN)
    evening.lay(CAPTAIN, DUKE_MOVED)
    assert len(evening.unknown()) == 1


def test_a_name_reaches_its_card_although_another_one_was_named_meanwhile(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "coup-2", among=dict.fromkeys(all_counts(PRINTED["coup"]), 1))
    evening.play(CAPTAIN)
    evening.lay(DUKE)
    (seen,) = evening.unknown()
    assert seen.like == ("captain",)
    evening.lay(CAPTAIN, DUKE)
    assert evening.unknown()[0].like == ()
    evening.name(seen, "duke")
    assert evening.names() == ["captain", "duke"]


def test_a_name_that_reaches_no_card_is_asked_again(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "coup-2")
    evening.lay(DUKE)
    unknown = evening.unknown()
    for lost in (replace(unknown[0], outline=((0, 0), (9, 0), (9, 9), (0, 9))), unknown[0]):
        evening.news = []
        evening.name(lost, "duke")
        assert unknown in [each.cards for each in evening.news if isinstance(each, messages.UnknownCards)]
        evening.eyes = replace(evening.eyes, picture=None)


@pytest.mark.parametrize("shift", [(0, 0, 0), (14, -9, 12)], ids=["same place", "about the same place"])
def test_another_card_in_the_same_place_is_another_question(
    tmp_path: Path, shift: tuple[float, float, float]
) -> None:
    x, y, angle = shift
    tossed = replace(DUKE, face="contessa", x=DUKE.x + x, y=DUKE.y + y, angle=DUKE.angle + angle)
    evening = Evening(tmp_path / "coup-2")
    evening.play(CAPTAIN)
    evening.lay(CAPTAIN, DUKE)
    (first,) = evening.unknown()
    evening.lay(CAPTAIN, tossed)
    (second,) = evening.unknown()
    assert first.jpeg != second.jpeg
    evening.name(second, "contessa")
    evening.lay(CAPTAIN, tossed)
    assert evening.names() == ["captain", "contessa"]
    # a named card that is covered by another one doesn't pass its name on
    evening.lay(CAPTAIN, replace(tossed, face="ambassador"))
    assert len(evening.unknown()) == 1


def test_a_card_that_was_replaced_meanwhile_is_not_named(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "coup-2")
    evening.lay(DUKE)
    (unknown,) = evening.unknown()
    evening.eyes, _news = show_picture(evening.eyes, with_cards(replace(DUKE, face="contessa")).picture, 1)
    evening.name(unknown, "duke")
    assert (evening.names(), evening.faces()) == (["?"], {"duke": 1})
    evening.lay(replace(DUKE, face="contessa"))
    assert (evening.names(), len(evening.unknown())) == (["?"], 1)


def test_covered_cards_wait(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "coup-2")
    evening.play(CAPTAIN)
    over = replace(CAPTAIN, x=CAPTAIN.x + 12, y=CAPTAIN.y + 15)
    under = replace(DUKE, x=over.x + 25, y=over.y + 40, angle=-12.0)
    evening.lay(under, over)
    assert all(true_name(each, (under, over)) == "captain" for each in evening.unknown())
    evening.lay(under)
    evening.play(under)
    assert evening.names() == ["duke"]


def test_cards_side_by_side_are_both_asked_for(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    # the dark print of their corners opens their white rims
    evening.lay(SceneCard("assassin", -35.0, 60.0, 2.0), SceneCard("duke", 35.0, 60.0, -1.0))
    assert len(evening.unknown()) == 2


def test_more_cards_than_the_deck_has_are_asked_for_again(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "coup-2", among={"duke": 1, "captain": 1, "contessa": 1, "back": 0})
    evening.play(CAPTAIN, DUKE)
    evening.lay(CAPTAIN, DUKE, CONTESSA)
    (unknown,) = evening.unknown()
    evening.name(unknown, "duke")
    evening.lay(CAPTAIN, DUKE, CONTESSA)
    grew = [each for each in evening.news if isinstance(each, messages.DeckGrew)]
    assert [each.taken_back for each in grew] == [("duke",)]
    assert (evening.names(), set(evening.faces())) == (["?", "?", "captain"], {"captain"})
    evening.play(CAPTAIN, DUKE, CONTESSA)
    assert evening.names() == ["captain", "contessa", "duke"]


def test_a_table_without_markers_is_found_by_named_cards(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "coup-2", table=None)
    scene = replace(TABLE, table=SceneTable("felt", plates=()), cards=(DUKE, CAPTAIN))
    picture = render_scene(scene).picture
    evening.eyes, _news = show_picture(evening.eyes, picture, WARM + ONCE)
    assert len(evening.unknown()) == 2
    for card in evening.unknown():
        evening.name(card, true_name(card, (DUKE, CAPTAIN)))
    evening.eyes, news = show_picture(evening.eyes, picture)
    assert [type(each) for each in news if isinstance(each, messages.TableFound)] == [messages.TableFound]
    assert evening.names() == ["captain", "duke"]


def test_a_moved_camera_asks_for_no_named_card_again(tmp_path: Path) -> None:
    """In dim light and from elsewhere, cards of a pack look too different for a sure name."""
    faces = ("7s", "Kc", "Qc", "9c", "Ac", "10c")
    places = ((-150, -90), (0, -95), (140, -90), (-140, 60), (0, 70), (150, 65))
    cards = tuple(SceneCard(f"piquet/{face}", x, y, 7.0) for face, (x, y) in zip(faces, places, strict=True))
    slant = SceneCamera(
        at=(0.0, 432.0, 618.0), tilt=35.0, focal=1040.0, resolution=(1280, 960), noise=0.0, jpeg=0
    )
    ground = SceneTable("felt", plates=(), width=1800.0, depth=1600.0)
    scene = Scene(aim_camera(slant, 0.0, 0.0), ground, TABLE.light, cards)

    def picture(seen: Scene) -> Picture:
        return render(seen, both_faces)

    evening = Evening(tmp_path / "piquet-2", table=None, among=all_counts(PRINTED["piquet"]))
    for shown in range(4):
        laid = replace(scene, cards=cards[: 2 * shown])
        evening.eyes, _news = show_picture(evening.eyes, picture(laid), WARM + ONCE)
        while unknown := evening.unknown():
            middle = np.mean(unknown[0].outline, axis=0)
            seen_at = seen_from(scene.camera, np.array(places, np.float64))
            evening.name(unknown[0], faces[int(np.hypot(*(seen_at - middle).T).argmin())])
    assert evening.names() == sorted(faces)
    dim = replace(scene, light=replace(scene.light, strength=0.6 * scene.light.strength))
    evening.eyes, _news = show_picture(evening.eyes, picture(dim), 3 * ONCE)
    x, y, z = scene.camera.at
    other = replace(dim, camera=replace(scene.camera, at=(x + 60.0, y + 30.0, z), pan=scene.camera.pan - 5.0))
    evening.eyes, news = show_picture(evening.eyes, picture(other), 8 * ONCE)
    asked = [each.cards for each in news if isinstance(each, messages.UnknownCards) and each.cards]
    assert (evening.names(), asked) == (sorted(faces), [])
    # the names still hold after the cards were covered
    assert sorted(each.face for each in present(evening.eyes.learning).named) == sorted(faces)


def test_a_blurred_card_is_not_asked_for_until_it_is_sharp(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "coup-2")
    evening.lay()
    blurred = np.asarray(cv2.GaussianBlur(with_cards(DUKE).picture, (0, 0), 4), np.uint8)
    evening.eyes, _news = show_picture(evening.eyes, blurred)
    assert (evening.names(), evening.unknown()) == (["?"], ())
    evening.eyes, _news = show_picture(evening.eyes, with_cards(DUKE).picture, CALM + ONCE)
    assert len(evening.unknown()) == 1


def test_the_size_of_other_cards_is_measured_when_the_first_is_named(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "coup-2")
    bridge = [replace(each, size=(56.0, 87.0)) for each in (DUKE, CAPTAIN)]
    evening.play(*bridge)
    assert evening.names() == ["captain", "duke"]
    assert present(evening.eyes.learning).draft.size == (56.0, 87.0)


def test_a_likely_name_gets_no_surer_by_a_taken_card_or_a_second_look() -> None:
    likely = Sighting(None, False, 0.9, (RunnerUp("duke", 0.9),), ((0, 0), (6, 0), (6, 9), (0, 9)), "up", 1.0)
    likely = replace(likely, chance=0.98)
    gone = replace(likely, face="duke", sure=True)
    assert carry_names([gone], [likely])[0].sure
    assert add_look(likely, likely, is_separate=True).sure
    fair = with_fair_guesses(likely)
    assert likely_face(fair) == "duke"
    assert not carry_names([gone], [fair])[0].sure
    assert not add_look(fair, fair, is_separate=True).sure


@pytest.mark.parametrize("written", ["taught_decks", "stored_drafts"])
def test_what_a_full_disk_refused_is_stored_once_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    def refuse(*_values: object, **_more: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    folder = tmp_path / "coup-2"
    evening = Evening(folder)
    with monkeypatch.context() as full:
        full.setattr(f"vision.teaching.{written}.write_whole", refuse)
        evening.play(DUKE)
        assert [problem.key for problem in evening.eyes.wrong["deck"]] == ["deck unsaved"]
        assert evening.names() == ["duke"]
    evening.lay(DUKE, CAPTAIN)
    assert not evening.eyes.wrong.get("deck")
    assert set(load_deck(folder).faces) == {"duke"}
    evening.play(DUKE, CAPTAIN)
    assert set(load_deck(folder).faces) == {"duke", "captain"}
    assert evening.asked == 2
    assert set(Evening(folder).faces()) == {"duke", "captain"}
