"""The terminal in French shows no English word: a program types the offered answers."""

import builtins
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from babel.messages.pofile import read_po

from referee.games.catalogue import GAMES
from tests.tiers import tiered

ROOT = Path(__file__).parents[3]
NAMES = "Ana,Bo,Chloé"
TERMINAL_COMMANDS = ("help", "table", "score", "log", "cards", "why", "rules", "xyzzy")
MAX_LINES, CHECK_INTERVAL = 120, 7  # most typed lines, and answers between other checks


def words_of(*texts: str) -> set[str]:
    plain = (re.sub(r"\{[^}]*\}", " ", text).casefold() for text in texts)
    return {word for text in plain for word in re.findall(r"[^\W\d_]{3,}", text)}


def english_words() -> set[str]:
    with (ROOT / "referee" / "languages" / "fr.po").open("rb") as file:
        messages = [message for message in read_po(file) if message.id]
    texts = [
        [text for each in which for text in ([each] if isinstance(each, str) else each)]
        for which in ([message.id for message in messages], [message.string for message in messages])
    ]
    return words_of(*texts[0]) - words_of(*texts[1])


@pytest.mark.parametrize("game", tiered(["plenty-coups"], list(GAMES)))
def test_match_is_played_without_english_words(game: str, tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANGUAGE"))}
    played = subprocess.run(
        [sys.executable, "-m", "tests.firmware.cli.test_french", game, str(tmp_path)],
        cwd=ROOT,
        env={**environment, "LANG": "fr_FR.UTF-8", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=False,
        timeout=120,
        encoding="utf-8",
    )
    assert played.returncode == 0, played.stderr
    assert played.stdout.count("\n> ") > MAX_LINES // 4
    assert not re.search(r"\w[:;!?](\s|$)", played.stdout), "a space stands before these signs in French"
    english = english_words()
    assert {"challenge", "steal", "column", "discard", "quit"} <= english
    assert not (words_of(played.stdout) & english) - words_of(NAMES) - {"xyzzy"}, played.stdout


def main(game: str, folder: str) -> None:
    """Play a match at the terminal by typing the offered answers, in the environment's language."""
    from firmware.start.games import hand_in_games  # noqa: PLC0415 - the terminal lists the games when it is loaded

    hand_in_games()
    from firmware.cli import play, replay, terminal  # noqa: PLC0415
    from firmware.cli.parsing import bare, command_of, offered_text, typed_face, vocabulary_of  # noqa: PLC0415
    from firmware.language.speaking import _  # noqa: PLC0415
    from hardware.twin.player import any_answer  # noqa: PLC0415
    from referee.contract import Choice, Option  # noqa: PLC0415

    rng, tables, typed, sit_down = Random(MAX_LINES), list[play.TerminalTable](), list[str](), play.play_table

    def next_line() -> str:
        match, number = tables[0].match, len(typed) + 1
        if number > MAX_LINES or not match.asks:
            return _("quit")
        if number % CHECK_INTERVAL == 0 and number // CHECK_INTERVAL <= len(TERMINAL_COMMANDS):
            look = _(TERMINAL_COMMANDS[number // CHECK_INTERVAL - 1])
            assert command_of(bare(look)) == command_of(look), "no accent is needed"
            return look
        answer = any_answer(match.asks, match.number, rng)
        words = vocabulary_of(terminal.listener_of(match), match)
        ask = next(ask for ask in match.asks if ask.key == answer.ask)
        if isinstance(answer.value, Option) and isinstance(ask, Choice):
            return offered_text(words, ask, answer.value, answer.seat)
        if isinstance(answer.value, tuple):
            return " ".join(typed_face(words.listener, face) for face in answer.value)
        return _("finished") if answer.value is None else str(answer.value)

    def read(prompt: str) -> str:
        typed.append(next_line())
        sys.stdout.write(f"{prompt}{typed[-1]}\n")
        return typed[-1]

    def play_typed(table: play.TerminalTable) -> None:
        tables.append(table)
        sit_down(table)

    play.play_table, builtins.input = play_typed, read  # type: ignore[assignment]
    journal = ("--journal", str(Path(folder) / "journal"))
    play.play.main([game, "--seats", NAMES, *journal], standalone_mode=False)
    replay.matches.main(journal, standalone_mode=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
