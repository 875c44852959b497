"""Each failure in a game's code becomes one error that names the game; the second disables it.

A game is blamed for the end of a process that hung or ran out of memory in its code.
"""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

import pytest
from msgspec.structs import replace

from firmware.start import game_calls
from firmware.start.game_calls import CALLS, hung_game, number_of
from firmware.start.guarding import end_program, guarded, interrupt
from firmware.start.supervisor import DIED
from referee.contract import Game, Standing
from referee.games import catalogue
from referee.games.catalogue import DISABLED, GAMES, ORIGINALS, GameError
from referee.games.coyote import COYOTE
from referee.match import Match, Setup, begin
from referee.record import read_record, record_lines
from tests.given import allowed, altered
from tests.plugins.brittle_game import FUNCTIONS, HIDDEN, KINDS, NAME, brittle


@pytest.fixture(autouse=True)
def shelf() -> Iterator[None]:
    """Install the program's signal handlers, and restore the games at the end."""
    before = signal.signal(signal.SIGINT, interrupt)
    yield
    signal.signal(signal.SIGINT, before)
    for known in (GAMES, DISABLED, catalogue._FAILURES):
        known.pop(NAME, None)  # type: ignore[attr-defined]


def function_of(game: Game, where: str) -> Callable[..., Any]:
    found: Any = game
    for name in where.split("."):
        found = getattr(found, name)
    return found  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("where", "kind"),
    [*((where, "error") for where in FUNCTIONS), *(("rules.hear", kind) for kind in KINDS if kind != "error")],
)
def test_function_fails_with_one_error_and_second_failure_disables_game(where: str, kind: str) -> None:
    GAMES[NAME] = game = guarded(brittle(FUNCTIONS[where], lambda _where: kind))
    for times in (1, 2):
        with pytest.raises(GameError) as raised:
            function_of(game, where)(None)
        failure = raised.value.failure
        assert (failure.game, failure.where) == (NAME, where)
        assert failure.why == type(raised.value.__cause__).__name__
        assert (NAME in GAMES, NAME in DISABLED) == ((True, False) if times == 1 else (False, True))
        assert HIDDEN not in f"{raised.value} {failure}"


def test_working_function_returns_its_result_and_defaults_stay() -> None:
    game = guarded(COYOTE)
    match = allowed(begin(Setup(game, game.rules.house(), ("Ana", "Bo"))))
    assert match.position.asks == COYOTE.rules.asks(match.state)
    assert {type(each) for each in game.rules.standings(match.state)} == {Standing}
    assert game.rules.hear.__module__ == COYOTE.rules.hear.__module__
    assert game.table.audited is COYOTE.table.audited
    assert ORIGINALS["coyote"] is COYOTE
    assert game.words is COYOTE.words


def test_record_of_failing_game_is_preserved_but_not_continued() -> None:
    failing = ""
    GAMES[NAME] = game = guarded(brittle(COYOTE, lambda where: "error" if where == failing else ""))
    lines = record_lines(allowed(begin(Setup(game, game.rules.house(), ("Ana", "Bo")))))
    assert isinstance(read_record(lines).match, Match)
    failing = "rules.asks"
    for _time in range(3):
        # at the third time the game is no longer available
        reading = read_record(lines)
        assert reading.match is None
        assert reading.fault is not None
        assert (reading.fault.key, reading.fault.about) == ("failed-game", NAME)
    assert NAME in DISABLED


# signals


@pytest.mark.parametrize(("end", "kind"), [(interrupt, KeyboardInterrupt), (end_program, SystemExit)])
def test_signal_during_game_code_ends_program_and_is_no_failure(
    end: Callable[..., None], kind: type[BaseException]
) -> None:
    game = guarded(replace(COYOTE, name=NAME, rules=replace(COYOTE.rules, asks=lambda _state: end())))  # type: ignore[arg-type,return-value,func-returns-value]
    with pytest.raises(kind):
        game.rules.asks(None)
    assert NAME not in catalogue._FAILURES


def test_python_interrupts_only_the_main_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "getsignal", lambda _signal: signal.default_int_handler)
    game, told = guarded(brittle(COYOTE, lambda _where: "interrupt")), list[type[BaseException]]()

    def ask() -> None:
        try:
            game.rules.asks(None)
        except BaseException as error:  # noqa: BLE001 - it is looked at
            told.append(type(error))

    ask()
    thread = Thread(target=ask)
    thread.start()
    thread.join()
    assert told == [KeyboardInterrupt, GameError]


# hanging games


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(CALLS, "note", CALLS.note)
    return tmp_path


@pytest.mark.usefixtures("folder")
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


@pytest.mark.usefixtures("folder")
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


def test_damaged_note_of_a_call_is_ignored(folder: Path) -> None:
    (folder / "game-call").write_bytes(b"x" * 23)
    assert hung_game(("coyote",)) == ""
    assert CALLS.note[0] == 0
