"""Cards whose sides can't be seen, or whose colours and light aren't those that they were taught in."""

import cv2
import numpy as np
import pytest

from tests.vision.laid_cards import FACES, few_cards, outline_at, small
from tests.vision.sets.drawn_decks import playing_cards
from vision.reading.deciding import likeness
from vision.reading.reader import read
from vision.reading.templates import Picture, soften_patch, templates
from vision.reading.views import Surroundings

TABLE = Surroundings(np.diag((130 / 63, 130 / 63, 1.0)))
"""What lies straight below the camera, in millimetres."""


def on_white_paper(*cards: tuple[str, float, float, float]) -> Picture:
    """Lay cards as a picture shows them in which paper and table are white alike."""
    picture = np.full((700, 900, 3), 255, np.uint8)
    for name, x, y, turned in cards:
        face = small(name)
        high, wide = face.shape[:2]
        corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
        into = cv2.getPerspectiveTransform(corners, np.array(outline_at(x, y, turned), np.float32))
        laid = cv2.warpPerspective(face, into, picture.shape[1::-1], borderValue=(255, 255, 255))
        printed = laid.min(axis=2) < 200
        picture[printed] = laid[printed]
    return picture


@pytest.mark.parametrize("turned", [0.0, 7.0, 37.0, 93.0, 170.0])
def test_white_cards_on_white_paper_are_found_by_their_print(turned: float) -> None:
    laid = [("7c", 100.0, 90.0, turned), ("4h", 400.0, 110.0, -turned), ("Jd", 330.0, 400.0, turned + 20)]
    reading = read(on_white_paper(*laid), few_cards(), table=TABLE)
    assert sorted(card.face or "" for card in reading.cards) == ["4h", "7c", "Jd"]


def test_words_and_lines_on_white_paper_are_no_cards() -> None:
    picture = on_white_paper()
    for number, said in enumerate(("Shopping:", "two lemons", "a dozen eggs", "7 and 4")):
        cv2.putText(picture, said, (150, 200 + 50 * number), cv2.FONT_HERSHEY_COMPLEX, 1.2, (40, 30, 30), 3)
    cv2.circle(picture, (650, 400), 70, (30, 30, 200), 9)
    assert [card for card in read(picture, few_cards(), table=TABLE).cards if card.sure] == []


COLOURS = {"green": (70, 150, 60), "blue": (170, 110, 40), "yellow": (70, 190, 210), "red": (60, 50, 190)}


def figure_on(colour: str, sign: str) -> Picture:
    """Draw a large white figure on a coloured card with a white border."""
    card = np.full((352, 252, 3), 245, np.uint8)
    card[18:-18, 18:-18] = COLOURS[colour]
    cv2.putText(card, sign, (60, 240), cv2.FONT_HERSHEY_COMPLEX, 6, (240, 240, 240), 18)
    return card


def lifted(picture: Picture, by: float) -> Picture:
    """Make colours as much stronger as a camera that likes them strong."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[..., None].astype(np.float32)
    return np.asarray((grey + by * (picture - grey)).clip(0, 255), np.uint8)


@pytest.mark.parametrize("by", [0.6, 1.0, 1.7])
def test_strong_colours_may_be_stronger_than_those_that_were_taught(by: float) -> None:
    deck = templates({f"{colour}-{sign}": [figure_on(colour, sign)] for colour in COLOURS for sign in "478"})
    table = np.full((600, 800, 3), (40, 55, 80), np.uint8)
    for number, name in enumerate(("green-4", "blue-7", "yellow-8")):
        shown = cv2.resize(lifted(figure_on(*name.split("-")), by), (130, 182), interpolation=cv2.INTER_AREA)
        table[200:382, 100 + 200 * number : 230 + 200 * number] = shown
    faces = [card.face for card in read(table, deck).cards]
    assert sorted(face or "" for face in faces) == ["blue-7", "green-4", "yellow-8"]


@pytest.mark.parametrize("name", FACES[:2])
def test_light_that_lay_on_a_taught_picture_tells_no_faces_apart(name: str) -> None:
    plain = playing_cards().face(name)
    sign = plain.copy()
    cv2.circle(sign, (215, 40), 14, (40, 40, 40), -1)
    high, wide = plain.shape[:2]
    brown = (
        1
        - np.linspace(0, 0.25, wide)[None, :, None] * (1.0, 0.7, 0.4) * np.linspace(0.5, 1, high)[:, None, None]
    )
    deck = templates({"plain": [np.asarray(plain * brown, np.uint8)], "sign": [sign], "other": [small("Qc")]})
    for shown, wanted in ((plain, "plain"), (sign, "sign")):
        fine = deck.fine
        patch = cv2.resize(shown, fine.shape[::-1], interpolation=cv2.INTER_AREA).astype(np.float32)
        order = np.arange(len(deck.faces))
        seen = np.asarray(fine.inside, np.float32)
        told = likeness(soften_patch(patch), np.diag((300.0, 420.0, 1.0)), deck, fine, order, seen)
        assert deck.names[deck.faces[told.row]] == wanted
        assert told.margin > 0.5
