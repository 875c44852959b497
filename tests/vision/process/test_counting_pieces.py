"""Pieces are counted at quiet moments, and told once; trouble with what was taught is told."""

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from hardware.decks.catalogue import PRINTED
from hardware.decks.print.raster import picture
from hardware.twin.rendering.scene import Hand, SceneCard, piece_card
from tests.vision.process.live import DUKE, TABLE, render_scene, teach_artwork, with_cards
from vision.process.counting_pieces import CALM
from vision.process.counting_pieces import VOTES as COUNTS
from vision.process.messages import (
    EyesMessage,
    EyesSettings,
    PiecesCounted,
    ReadTable,
    TroubleBegan,
    UsePieces,
    settings_after,
)
from vision.process.on_frame import EyesState, look_at_picture, obey_order, open_eyes
from vision.process.watching import STILL_FRAMES, VOTES
from vision.table.calibration import calibrate
from vision.teaching.taught_decks import TaughtDeck, save_deck

ZONES = {
    "left": ((-390.0, -250.0), (-10.0, -250.0), (-10.0, 250.0), (-390.0, 250.0)),
    "right": ((-10.0, -250.0), (390.0, -250.0), (390.0, 250.0), (-10.0, 250.0)),
}
ONCE = STILL_FRAMES + VOTES + CALM + COUNTS + 2
COINS = tuple(
    piece_card("coins", number % 2, 24.0, 60.0 + 40 * number, -150, 50.0 * number) for number in range(3)
)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    home = tmp_path_factory.mktemp("taught")
    sides = tuple(picture(side(), 4.0) for side in PRINTED["coup"].pieces["coins"])
    save_deck(TaughtDeck("coup-coins", (24.0, 24.0), {"coins": 50}, {"coins": sides}), home / "coins")
    return teach_artwork(home / "coup"), home / "coins"


def opened(folders: tuple[Path, Path]) -> EyesState:
    deck, coins = folders
    table = calibrate(with_cards().picture)
    settings = EyesSettings("twin", str(deck), pieces=(str(coins),), table=table, zones=ZONES)
    return open_eyes(settings)[0]


def show(eyes: EyesState, shown: np.ndarray, frames: int = ONCE) -> tuple[EyesState, list[EyesMessage]]:
    """Show a picture for some frames, with fresh noise."""
    rng, news = np.random.default_rng(frames), list[EyesMessage]()
    for _frame in range(frames):
        noisy = np.where(shown < 250, shown + rng.integers(0, 4, shown.shape, np.uint8), shown)
        eyes, more = look_at_picture(eyes, noisy)
        news += more
    return eyes, news


def counts(news: list[EyesMessage]) -> list[dict[str, tuple[int, bool]]]:
    return [
        {each.zone: (each.count, each.is_sure) for each in told.counts}
        for told in news
        if isinstance(told, PiecesCounted)
    ]


def laid(*cards: SceneCard) -> np.ndarray:
    return with_cards(*cards).picture


def test_pieces_are_counted_once_all_is_still_and_again_after_a_change(
    folders: tuple[Path, Path],
) -> None:
    eyes, news = show(opened(folders), laid(DUKE, *COINS))
    assert counts(news) == [{"left": (0, True), "right": (3, True)}]
    eyes, news = show(eyes, laid(DUKE, *COINS))
    assert counts(news) == []
    eyes, news = show(eyes, laid(DUKE, *COINS[:2]), 2 * ONCE)
    assert counts(news)[-1] == {"left": (0, True), "right": (2, True)}


def test_nothing_is_counted_while_a_hand_is_in_the_picture(folders: tuple[Path, Path]) -> None:
    eyes, _news = show(opened(folders), laid(DUKE, *COINS))
    reaching = render_scene(replace(TABLE, cards=(DUKE, *COINS), hands=(Hand(100, 100),))).picture
    eyes, news = show(eyes, reaching, 20)
    assert counts(news) == []
    _eyes, news = show(eyes, laid(DUKE, *COINS), 2 * ONCE)
    assert counts(news)[-1:] == [{"left": (0, True), "right": (3, True)}]


def test_they_are_counted_again_when_the_table_is_read_again(folders: tuple[Path, Path]) -> None:
    eyes, _news = show(opened(folders), laid(*COINS))
    eyes, _nothing = obey_order(eyes, ReadTable())
    _eyes, news = show(eyes, laid(*COINS))
    assert counts(news) == [{"left": (0, True), "right": (3, True)}]


def test_a_coin_on_a_card_takes_no_wrong_name_from_it(folders: tuple[Path, Path]) -> None:
    coin = piece_card("coins", 0, 24.0, DUKE.x + 5, DUKE.y + 8)
    eyes, news = show(opened(folders), laid(DUKE, coin))
    assert counts(news)[-1]["left"][0] <= 1
    assert eyes.watch is not None
    assert {card.face for card in eyes.watch.known if card.sure} <= {"duke"}


def test_which_pieces_are_counted_outlasts_the_eyes(folders: tuple[Path, Path]) -> None:
    eyes, news = obey_order(opened(folders), UsePieces(()))
    assert news == ()
    assert counts(show(eyes, laid(*COINS))[1]) == []
    assert settings_after(eyes.settings, UsePieces(("a", "b"))).pieces == ("a", "b")


def test_pieces_that_cant_be_read_are_told_and_cards_are_read_on(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    eyes, news = obey_order(opened(folders), UsePieces((str(tmp_path / "gone"),)))
    assert [each.problem.key for each in news if isinstance(each, TroubleBegan)] == ["no deck"]
    eyes, _news = show(eyes, laid(DUKE, *COINS))
    assert eyes.watch is not None
    assert [card.face for card in eyes.watch.known] == ["duke"]
    assert obey_order(eyes, UsePieces((str(folders[1]),)))[0].pieces.kinds
