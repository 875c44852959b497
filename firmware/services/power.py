"""Shutting down and restarting the computer through systemd."""

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Literal

import click

from firmware.board_events import OffHeld
from firmware.language.speaking import Sentence, label_text, say, system_text
from firmware.table.client import TableClient
from firmware.table.hosting import keep_match
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice

Kind = Literal["off", "again"]
"""Shut down, or restart."""
WORDS: Mapping[Kind, tuple[str, str, NoticeKey]] = {
    "off": ("CanPowerOff", "poweroff", NoticeKey.SHUTTING_DOWN),
    "again": ("CanReboot", "reboot", NoticeKey.REBOOTING),
}
"""systemd's permission method and verb, and the notice for people."""
LOGIN = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")
COMMAND_TIMEOUT = 10.0  # seconds for systemd or the disk to respond
NAME = "power"
Run = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]


def run_command(
    command: Sequence[str], given: bytes = b"", seconds: float | None = COMMAND_TIMEOUT
) -> "subprocess.CompletedProcess[str]":
    """Run a program with input and English messages; a timeout or a missing program counts as a failure."""
    environ = {**os.environ, "LC_ALL": "C"}
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            command, input=given, capture_output=True, check=False, timeout=seconds, env=environ
        )
    except OSError as error:
        return subprocess.CompletedProcess(command, 127, "", label_text(command[0], system_text(error)))
    except subprocess.SubprocessError as error:
        return subprocess.CompletedProcess(command, 127, "", str(error))
    told, why = (said.decode(errors="replace") for said in (done.stdout, done.stderr))
    return subprocess.CompletedProcess(command, done.returncode, told, why)


def why_failed(done: "subprocess.CompletedProcess[str]") -> str:
    """Return the last error line of a failed program; empty on success."""
    return (done.stderr.strip().splitlines() or [f"{done.returncode}"])[-1] if done.returncode else ""


class Power:
    """Power actions for pages and the dial."""

    def __init__(
        self, client: TableClient, run: Run = run_command, *, has_dial: bool = False, is_there: bool = True
    ) -> None:
        self._client, self._run, self.has_dial, self.is_there = client, run, has_dial, is_there
        self._lock = Lock()
        self._is_going = False

    def hindrance(self, kind: Kind) -> Sentence | None:
        """Return why the computer can't be switched off or restarted from here; None if it can."""
        said = self._run(("busctl", "--no-pager", "call", *LOGIN, WORDS[kind][0]))
        if said.returncode != 0:
            return say("systemd doesn't respond here: switch the computer off as usual.")
        if '"yes"' in said.stdout:
            return None
        return say("The table may not shut down the computer: sudo ./run table service allows it.")

    def switch(self, kind: Kind) -> Sentence | None:
        """Save the match, announce the action and request it from systemd; returns the reason of a failure."""
        with self._lock:
            if self._is_going:
                return None
            self._is_going = True
        why = self.hindrance(kind) or self._keep_match() or self._go(kind)
        self._is_going = not why
        return why

    def hold(self, held: OffHeld) -> None:
        """Handle the dial being held or released."""
        # a person at the dial can't see a confirmation page
        lost = say("Nothing can be saved now, so matches would be lost: use the host's page.")
        why = self.hindrance("off") if self._client.state().is_saving else lost
        if held.is_let_go and not why:
            why = self.switch("off")
        if why:
            click.echo(str(why), err=True)
            self._client.say(Notice(NoticeKey.SHUTDOWN_FAILED, {"why": why}))
        elif not held.is_let_go:
            self._client.say(Notice(NoticeKey.RELEASE_TO_SHUT_DOWN))

    def _keep_match(self) -> Sentence | None:
        """Save an open match without answers; all others are saved already."""
        try:
            kept = self._client.host(keep_match).result(COMMAND_TIMEOUT)
        except TimeoutError:
            return say("The disk doesn't save the match: check the host's page.")
        return say("The match can't be saved.") if isinstance(kept, Notice) else None

    def _go(self, kind: Kind) -> Sentence | None:
        """Announce the action, then request it; a failure withdraws the announcement."""
        _question, verb, notice = WORDS[kind]
        self._client.report(NAME, Notice(notice))
        done = self._run(("systemctl", "--no-ask-password", "--no-wall", verb))
        if done.returncode == 0:
            return None
        self._client.report(NAME, None)
        why = (done.stderr.strip().splitlines() or [str(done.returncode)])[0]
        return say("systemd refused: {why}", why=why)
