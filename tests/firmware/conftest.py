"""The command line, called as by a person."""

import io
import os
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from msgspec import Struct

from firmware.start.program import main
from tests.tidiness import share_tries


class CommandResult(Struct, frozen=True):
    """A command's output and exit status."""

    code: int
    out: str
    err: str


Coyote = Callable[..., CommandResult]


@pytest.fixture
def coyote(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Coyote:
    """Return a function that calls the command, with its data in a folder of this test."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    share_tries(tmp_path / "state")
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path / "configuration"))
    monkeypatch.setenv("COYOTE_JOURNAL", str(tmp_path / "journal.sqlite3"))
    monkeypatch.setattr(os, "_exit", sys.exit)

    def call(line: str, typed: str = "") -> CommandResult:
        monkeypatch.setattr(sys, "argv", ["coyote", *shlex.split(line)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        return CommandResult(int(ended.value.code or 0), captured.out, captured.err)

    return call


def put_programs(folder: Path, scripts: Mapping[str, str]) -> None:
    """Create shell scripts in a folder, as programs with these names."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
