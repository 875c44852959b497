"""The command line in the language of its environment, as a user starts it."""

import os
import subprocess
import sys

import pytest

from tests.tiers import slow


@slow("each starts a program")
@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ([], "coyote [OPTIONS] [COMMANDE] [ARGUMENTS]..."),
        (["run"], "--house CLÉ=VALEUR"),
        (["table", "backup"], "coyote table backup [OPTIONS] FICHIER"),
    ],
)
def test_a_help_is_in_french_to_the_last_place(command: list[str], shown: str) -> None:
    said = subprocess.run(
        [sys.executable, "-m", "coyote_table", *command, "--help"],
        env={**os.environ, "LANGUAGE": "fr", "LANG": "fr_FR.UTF-8", "LC_ALL": "fr_FR.UTF-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert shown in said.stdout
    assert not {"NAME", "FILE", "TEXT", "COMMAND", "INTEGER"} & set(said.stdout.replace("=", " ").split())
