"""A deck that wasn't tried is tried beside the looking: the eyes open at once, and learn of it later."""

from pathlib import Path

import pytest

from tests.vision.process.live import teach_artwork
from vision.process.deck_trial import DeckTrial
from vision.process.messages import EyesSettings
from vision.process.on_frame import EyesState, open_eyes
from vision.reading.certainty import UNTRIED
from vision.teaching import tried_decks


def open_eyes_for(folder: Path) -> EyesState:
    return open_eyes(EyesSettings("twin", str(folder / "deck"), tried=str(folder / "tried")))[0]


def certainty_in(eyes: EyesState) -> object:
    assert eyes.deck is not None
    return eyes.deck.certainty


def never(*_things: object) -> None:
    pytest.fail("the eyes don't wait for trials")


def test_eyes_open_without_trying_their_deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    teach_artwork(tmp_path / "deck")
    monkeypatch.setattr(tried_decks, "try_deck", never)
    assert certainty_in(open_eyes_for(tmp_path)) is UNTRIED


def test_what_trials_teach_is_used_once_it_is_known_and_at_once_from_then_on(tmp_path: Path) -> None:
    teach_artwork(tmp_path / "deck")
    eyes, trial = open_eyes_for(tmp_path), DeckTrial()
    assert trial.go_on(eyes) is eyes
    trial.wait()
    learned = trial.go_on(eyes)
    assert certainty_in(learned) is not UNTRIED
    assert trial.go_on(learned) is learned
    assert certainty_in(open_eyes_for(tmp_path)) == certainty_in(learned)


def test_a_deck_that_is_gone_is_not_tried_again_and_again(tmp_path: Path) -> None:
    teach_artwork(tmp_path / "deck")
    eyes, trial = open_eyes_for(tmp_path), DeckTrial()
    (tmp_path / "deck" / "deck.json").unlink()
    for _look in range(3):
        assert trial.go_on(eyes) is eyes
        trial.wait()


def test_eyes_that_keep_nothing_try_nothing(tmp_path: Path) -> None:
    teach_artwork(tmp_path / "deck")
    eyes, trial = open_eyes(EyesSettings("twin", str(tmp_path / "deck")))[0], DeckTrial()
    assert trial.go_on(eyes) is eyes
    trial.wait()
    assert trial.go_on(eyes) is eyes
