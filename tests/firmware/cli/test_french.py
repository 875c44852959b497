"""A French table meets no English word at the terminal, in any game."""

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from referee.games.catalogue import GAMES
from tests.firmware.cli.typing_player import NAMES

ROOT = Path(__file__).parents[3]
MOVES = "120"


@cache
def english_words() -> frozenset[str]:
    """List the words of English texts that no French one has."""
    with (ROOT / "referee" / "languages" / "fr.po").open("rb") as file:
        messages = [message for message in read_po(file) if message.id]
    english, french = set[str](), set[str]()
    for message in messages:
        english |= words_of(*([message.id] if isinstance(message.id, str) else message.id))
        french |= words_of(*([message.string] if isinstance(message.string, str) else message.string))
    return frozenset(english - french)


def words_of(*texts: str) -> set[str]:
    """List the words of texts, without the places to fill in."""
    return {
        word
        for text in texts
        for word in re.findall(r"[^\W\d_]{3,}", re.sub(r"\{[^}]*\}", " ", text).casefold())
    }


def test_english_words_are_known() -> None:
    assert {"challenge", "steal", "column", "discard", "quit"} <= english_words()


def test_why_a_file_can_not_be_read_is_told_in_french(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from firmware.start.program import main; main()"]
    said = subprocess.run(
        [*command, "read", str(tmp_path / "missing.jpg"), "--deck", "coup"],
        cwd=ROOT,
        env={**os.environ, "LANG": "fr_FR.UTF-8", "LC_ALL": "", "LANGUAGE": "", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=False,
        timeout=120,
        encoding="utf-8",
    )
    assert (said.returncode, said.stdout) == (1, "")
    assert "aucun fichier ni dossier de ce nom" in said.stderr


def test_texts_of_many_lines_are_indented_alike() -> None:
    """Click takes as many spaces off each line of a help as the shortest indent has: one odd line shows."""
    with (ROOT / "referee" / "languages" / "fr.po").open("rb") as file:
        texts = [
            (str(message.id), message.string) for message in read_po(file) if isinstance(message.string, str)
        ]
    odd = [english for english, french in texts if french and indent_of(english) != indent_of(french)]
    assert odd == []


def indent_of(text: str) -> int:
    """Count the spaces before all lines but the first."""
    lines = [line for line in text.split("\n")[1:] if line.strip()]
    return min((len(line) - len(line.lstrip(" ")) for line in lines), default=0)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_without_an_english_word(game: str, tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANGUAGE"))}
    command = [sys.executable, "-m", "tests.firmware.cli.typing_player", game, MOVES, str(tmp_path)]
    played = subprocess.run(
        command,
        cwd=ROOT,
        env={**environment, "LANG": "fr_FR.UTF-8", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=False,
        timeout=120,
        encoding="utf-8",
    )
    assert played.returncode == 0, played.stderr
    assert played.stdout.count("\n> ") > int(MOVES) // 4
    typed_nonsense = {"xyzzy"}
    assert not (words_of(played.stdout) & english_words()) - words_of(NAMES) - typed_nonsense, played.stdout
