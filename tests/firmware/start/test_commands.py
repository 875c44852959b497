"""The command itself: output, language and exit status; the PIN and the screen by command."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import Mock

import click
import pytest

from firmware.cli.install_service import screen_command
from firmware.language.catalogues import preferred_language
from firmware.start import kiosk
from firmware.start.kiosk import profile_folder
from firmware.start.supervisor import Supervisor
from firmware.storage.people.links import computer_token
from firmware.storage.people.links_file import LinksFile
from tests.firmware.conftest import Coyote, put_programs
from tests.webui.room import match_of, room_with

PROGRAM = (sys.executable, "-c", "from firmware.start.program import main; main()")


def test_full_disk_is_reported_in_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, "count", "kidult", "5"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr[:8], done.stderr.count(b"\n")) == (1, b"coyote: ", 1)


def test_closed_pipe_of_reader_is_not_an_error(tmp_path: Path) -> None:
    environ, pipe = {**os.environ, "COYOTE_JOURNAL": str(tmp_path / "journal.sqlite3")}, subprocess.PIPE
    command = (*PROGRAM, "play", "--seats=Ana,Bo")
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environ) as process:
        for end in (process.stdout, process.stdin):
            assert end is not None
            end.close()
        assert process.stderr is not None
        assert (process.wait(), process.stderr.read()) == (141, b"")


def test_bare_command_starts_the_table(coyote: Coyote, monkeypatch: pytest.MonkeyPatch) -> None:
    # as the supervisor starts it, not by the shortcut
    monkeypatch.setattr("firmware.start.program.is_supervised", lambda: True)
    monkeypatch.setattr(Supervisor, "run", lambda _self: 7)
    assert coyote("").code == 7


BUSY_AT_EXIT = """
import sys, threading, time
import cv2, numpy
import firmware.start.commands as commands
from firmware.start.program import main

def compute():
    while True:
        cv2.GaussianBlur(picture, (31, 31), 3)

def end():
    for _thread in range(8):
        threading.Thread(target=compute, daemon=True).start()
    time.sleep(0.2)
    print("over", end="")
    sys.exit(3)

picture = numpy.zeros((1000, 1000, 3), numpy.uint8)
commands.main, sys.argv = end, ["coyote", "run"]
main()
"""


def test_table_ends_while_threads_are_in_native_code() -> None:
    environ = {**os.environ, "NOTIFY_SOCKET": "/dev/null"}
    done = subprocess.run([sys.executable, "-c", BUSY_AT_EXIT], env=environ, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, b"over", b"")


SET_UP = """
import atexit, os, signal, sys
sys.argv = ["coyote", "count", "gigamic", "20", "15"]
signal.signal(signal.SIGINT, signal.default_int_handler)
def interrupt(*_args): os.kill(os.getpid(), signal.SIGINT)
"""
RUN = "import coyote_table; coyote_table.main()"
KILLED, STOPPED = (-signal.SIGINT, b""), (130, b"coyote: stopped\n")


@pytest.mark.parametrize(
    ("moment", "ended"),
    [
        ("signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,)); interrupt()", KILLED),
        ("import firmware.start.games as games; games.hand_in_games = interrupt", KILLED),
        ("import firmware.start.commands as commands; commands.coyote.invoke = interrupt", STOPPED),
        ("atexit.register(interrupt)", KILLED),
        # as a shell sets it for a program in the background
        ("signal.signal(signal.SIGINT, signal.SIG_IGN); atexit.register(interrupt)", (0, b"")),
    ],
    ids=("Python starts", "games are loaded", "the command", "at the exit", "ignored"),
)
def test_interrupt_prints_no_traceback(moment: str, ended: tuple[int, bytes]) -> None:
    command = [sys.executable, "-c", f"{SET_UP}{moment}\n{RUN}"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stderr.lstrip(b"\n")) == ended


def test_shell_completion() -> None:
    typed = {"COMP_WORDS": "coyote record s", "COMP_CWORD": "2", "_COYOTE_COMPLETE": "bash_complete"}
    done = subprocess.run(PROGRAM, env={**os.environ, **typed}, capture_output=True, check=True, text=True)
    assert {line.partition(",")[2] for line in done.stdout.splitlines()} == {"save", "statistics"}


def test_help_and_errors_name_the_program_as_it_was_typed() -> None:
    def call(*words: str) -> str:
        environ = {**os.environ, "COYOTE_PROGRAM": "./run"}
        done = subprocess.run([*PROGRAM, *words], env=environ, capture_output=True, check=False, text=True)
        return done.stdout + done.stderr

    assert call("--help").endswith("Begin with: ./run\nMore about each: ./run COMMAND --help\n")
    told = call("cards", "--help")
    assert told.startswith("Usage: ./run cards [OPTIONS]")
    assert "Begin with: ./run cards read table.jpg --deck coyote-gigamic" in told
    told = call("cards", "check", "tarot")
    assert told.startswith("./run: there is no deck tarot: teach it (./run cards teach), or name one of coup,")
    assert told.endswith(" (./run cards check --help)\n")


def test_script_of_a_clone_names_itself(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).parents[3] / "run", tmp_path)
    put_programs(tmp_path / "venv/bin", {"coyote": 'echo "$COYOTE_PROGRAM $*"'})
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci/environment").write_text("environment() { venv=$root/venv; }\n")
    for typed, expected in (("./run", "./run run\n"), ("./run record list", "./run record list\n")):
        said = subprocess.run(typed.split(), cwd=tmp_path, capture_output=True, check=True, text=True)
        assert said.stdout == expected


@pytest.mark.parametrize(
    ("environ", "code"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANGUAGE": "de:fr:en", "LANG": "en_GB.UTF-8"}, "fr"),
        ({"LC_ALL": "C", "LANG": "fr_FR"}, "en"),
        ({"LC_MESSAGES": "fr", "LANG": "en_US"}, "fr"),
    ],
)
def test_language_follows_environment(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], code: str
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, environ.get(name, ""))
    assert preferred_language() == code


# the PIN


def test_pin_is_shown_and_new_one_signs_hosts_out_but_not_players(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"
    state.mkdir(exist_ok=True)
    assert "No table has run here yet" in coyote("table pin").err
    room = room_with(match_of(), state)
    host, ana = room.browser().host(), room.browser().sit(0)
    old, said = ana.links.pin, coyote("table pin").out
    assert said.splitlines()[-1] == f"PIN of the host: {old}"
    assert f"Ana {ana.links.codes[0]}, Bo {ana.links.codes[1]}" in said
    assert (coyote("table pin --new").code, ana.links.pin != old) == (0, True)
    assert 'name="pin"' in host.get("/host").text
    assert "/seat/hand-over" in ana.get("/seat").text
    with monkeypatch.context() as patch:
        patch.setattr(
            "firmware.storage.people.links_file.write_private", Mock(side_effect=OSError("the disk is full"))
        )
        assert "couldn't be stored" in coyote("table pin --new").err
    (state / "links.json").write_bytes(b"{")
    for line in ("table pin", "table pin --new"):
        assert "can't be read: start the table" in coyote(line).err
    assert (state / "links.json").read_bytes() == b"{"


# the screen


def _command(*there: str, has_desktop: bool) -> tuple[str, ...]:
    found = {name: f"/usr/bin/{name}" for name in there}
    return tuple(screen_command(found.get, Path("/profile"), has_desktop=has_desktop))


@pytest.mark.parametrize(
    ("there", "has_desktop", "missing"),
    [
        ((), False, "chromium cage xwayland"),
        (("chromium", "cage"), False, "xwayland"),
        (("cage",), True, "chromium"),
    ],
)
def test_missing_screen_packages_are_reported(there: Sequence[str], missing: str, *, has_desktop: bool) -> None:
    with pytest.raises(click.ClickException, match=f"sudo apt install {missing}$"):
        _command(*there, has_desktop=has_desktop)
    command = _command("chromium", "cage", has_desktop=True)
    assert command[:2] == ("/usr/bin/chromium", "--kiosk")
    assert {"--user-data-dir=/profile", "--autoplay-policy=no-user-gesture-required"} < {*command}
    assert "--no-sandbox" not in command
    command = _command("chromium-browser", "cage", "Xwayland", has_desktop=False)
    assert command[:4] == ("/usr/bin/cage", "-s", "--", "/usr/bin/chromium-browser")
    assert command[-1] == "--ozone-platform=wayland"


def test_screen_waits_for_table_and_has_separate_profile(
    coyote: Coyote, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as by_hand:
        by_hand.setenv("XDG_DATA_HOME", "/home/ana/data")
        by_hand.delenv("STATE_DIRECTORY")
        assert profile_folder() == Path("/home/ana/data/coyote-kiosk/browser")
    answers, started = [8000, 8000, None, None], list[Sequence[str]]()
    monkeypatch.setattr(kiosk, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(kiosk, "sleep", lambda _seconds: None)
    monkeypatch.setattr(kiosk, "table_port", lambda _ports: answers.pop())
    monkeypatch.setattr(kiosk, "has_display", lambda: True)
    monkeypatch.setattr(os, "execv", lambda _program, command: started.append(command))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "without sudo" in coyote("table screen").err
    assert coyote("table screen --dry-run --port 80").out.rstrip().endswith("'http://localhost/screen#ask'")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert coyote("table screen").out.count("Waiting for the table") == 1
    assert (started[0][0], started[0][-1]) == ("/usr/bin/chromium", "http://localhost:8000/screen#ask")
    assert (tmp_path / "state/browser").stat().st_mode & 0o777 == 0o700
    # the table's own user brings the token, in a file that others can't read
    token = computer_token(LinksFile(tmp_path / "state/links.json").renew(lambda evening: evening).secret)
    coyote("table screen")
    file = tmp_path / "state/browser/screen.html"
    assert started[1][-1] == file.as_uri()
    assert f"http://localhost:8000/here?to=screen#{token}" in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
