"""The command `coyote`."""

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

import click

from firmware.cli.lazy import LazyGroup
from firmware.language.speaking import _, system_text, teach_click
from firmware.updates.service_folders import other_owner

OUTPUT_CLOSED = 141
"""What a shell says of a command whose reader has gone: no failure of the command."""

SUBCOMMANDS = {
    "add": "firmware.cli.matches:add",
    "analyse": "firmware.cli.analyse:analyse",
    "access-point": "firmware.cli.access_point:access_point",
    "backup": "firmware.cli.backup:backup",
    "board": "firmware.cli.board:board",
    "bench": "firmware.start.commands:bench",
    "calibrate": "firmware.cli.calibrate:calibration",
    "check-game": "firmware.cli.check_game:checking",
    "club": "firmware.start.club.command:club",
    "count": "firmware.cli.count:count",
    "decks": "firmware.cli.decks:decks",
    "doctor": "firmware.start.doctor:doctor",
    "evening": "firmware.start.film:evening",
    "film": "firmware.start.film:film",
    "forget": "firmware.start.forget:forget",
    "image": "firmware.cli.image:image",
    "install-service": "firmware.cli.install_service:install_service",
    "install-sticks": "firmware.cli.install_sticks:install_sticks",
    "kiosk": "firmware.start.kiosk:kiosk",
    "matches": "firmware.cli.matches:matches",
    "new-game": "firmware.cli.new_game:new_game",
    "pin": "firmware.start.pin:pin",
    "play": "firmware.cli.play:play",
    "print": "firmware.cli.print:prints",
    "read": "firmware.cli.read:reading",
    "render": "firmware.cli.render:rendering",
    "replay": "firmware.cli.replay:replay",
    "restore": "firmware.cli.backup:restore",
    "rules": "firmware.cli.rules:rules",
    "run": "firmware.start.run:run",
    "save": "firmware.cli.matches:save",
    "statistics": "firmware.cli.statistics:figures",
    "teach": "firmware.cli.teach:teach",
    "teach-pieces": "firmware.cli.teach_pieces:teach_pieces",
    "update": "firmware.cli.update:update",
}
"""Where each command lives."""
OF_THE_TABLE = frozenset(
    {"add", "analyse", "backup", "board", "calibrate", "doctor", "evening", "film", "forget", "matches"}
    | {"pin", "restore", "run", "save", "statistics", "teach", "teach-pieces"}
)
"""Commands that look at what the table keeps."""
SAID = ("STATE_DIRECTORY", "COYOTE_JOURNAL", "NOTIFY_SOCKET")
"""Variables by which it was said which table is meant."""


@click.pass_context
def _show_help(context: click.Context) -> None:
    """Say what there is, when no command is named."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


teach_click()


@click.command(
    hidden=True,
    add_help_option=False,
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
)
def bench() -> None:
    """Say where the benches went."""
    raise click.ClickException(_("the benches are in the source code now; there: python -m tests.bench"))


coyote = LazyGroup(
    SUBCOMMANDS,
    name="coyote",
    callback=_show_help,
    invoke_without_command=True,
    help=_("A referee for card games at a real table."),
)
click.version_option(package_name="coyote-table", prog_name="coyote")(coyote)


def main() -> None:
    """Run a command; whatever goes wrong is one line on the error channel."""
    voice = sys.stdout
    hint = other_user_hint(sys.argv[1:], os.environ)
    if hint:
        click.echo(f"coyote: {hint}", err=True)
    try:
        sys.exit(coyote(prog_name="coyote", standalone_mode=False))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(0)
    except click.ClickException as error:
        _fail(_one_line(error), error.exit_code)
    except click.Abort:
        _fail(_("stopped"), 130)
    except OSError as error:
        where = f"{error.filename}: " if error.filename and error.strerror else ""
        _fail(where + system_text(error), 1)
    except SystemExit:
        if sys.stdout is not voice:  # click puts another in its place when the reader has gone
            sys.exit(OUTPUT_CLOSED)
        raise


def other_user_hint(words: Sequence[str], environ: Mapping[str, str]) -> str:
    """Say how to look at the table of this machine, where it is another user's."""
    owner = other_owner() if OF_THE_TABLE.intersection(words[:1]) else None
    if owner is None or any(environ.get(name) for name in SAID):
        return ""
    told = _("the table of this machine is {owner}'s, and this isn't what it keeps; for that: {command}")
    return told.format(owner=owner, command=f"sudo -u {owner} {shlex.join([sys.argv[0], *words])}")


def _one_line(error: click.ClickException) -> str:
    told = " ".join(error.format_message().split())
    hint = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else ""
    return f"{told} ({hint} --help)" if hint else told


def _fail(told: str, code: int) -> None:
    """Say what went wrong; what could not be printed is not tried again on the way out."""
    with suppress(OSError):
        sys.stdout.flush()
    click.echo(f"coyote: {told}", err=True)
    sys.exit(code)
