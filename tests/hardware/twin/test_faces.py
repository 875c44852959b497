"""A deck is drawn once for all matches that are played with it."""

from hardware.twin.rendering.faces import faces_of


def test_the_pictures_of_a_deck_are_the_same_in_every_match() -> None:
    faces = faces_of("coup")
    assert faces_of("coup") is faces
    assert faces("duke") is faces_of("coup")("duke")
