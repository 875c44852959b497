"""A game is blamed for the end of a process that hung or ran out of memory in its code."""

from pathlib import Path
from threading import Thread
from time import monotonic

import pytest
from msgspec.structs import replace

from firmware.start import game_calls
from firmware.start.game_calls import CALLS, hung_game, number_of
from firmware.start.guarding import guarded
from firmware.start.supervisor import DIED
from referee.games.coyote import COYOTE
from tests.given import altered


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(CALLS, "note", CALLS.note)
    return tmp_path


@pytest.mark.parametrize(
    ("seconds", "is_out_of_memory", "blamed"),
    [(5.9, False, "coyote"), (0.1, False, ""), (0.1, True, "coyote")],
    ids=["hung", "killed", "out of memory"],
)
def test_game_is_blamed_if_it_hung_or_took_all_memory(
    seconds: float, is_out_of_memory: bool, blamed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hung_game(("coup", "coyote")) == ""
    CALLS.note[0], CALLS.note[1] = number_of("coyote"), monotonic()
    kills = game_calls._memory_kills()
    monkeypatch.setattr(game_calls, "_memory_kills", lambda: kills + is_out_of_memory)
    monkeypatch.setenv(DIED, str(monotonic() + seconds))
    assert hung_game(("coup", "coyote")) == blamed
    # by one start only
    assert hung_game(("coup", "coyote")) == ""


def test_only_calls_of_the_main_thread_are_noted() -> None:
    seen = list[float]()

    def seats(house: object) -> range:
        seen.append(CALLS.note[0])
        return COYOTE.rules.seats(house)

    game = guarded(altered(replace(COYOTE, name="brittle"), seats=seats))
    hung_game(())
    game.rules.seats(COYOTE.rules.house())
    other = Thread(target=lambda: game.rules.seats(COYOTE.rules.house()))
    other.start()
    other.join()
    assert seen == [number_of("brittle"), 0.0]


def test_damaged_note_is_ignored(folder: Path) -> None:
    (folder / "game-call").write_bytes(b"x" * 23)
    assert hung_game(("coyote",)) == ""
    assert CALLS.note[0] == 0
