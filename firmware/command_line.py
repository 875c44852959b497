"""The command `coyote`."""

import os
import sys

import click

from firmware.lazy import Lazy
from firmware.speaking import _

SUBCOMMANDS = {
    "bench": "firmware.benches:bench",
    "count": "firmware.count:count",
    "decks": "firmware.decks:decks",
    "matches": "firmware.keeping:matches",
    "play": "firmware.play:play",
    "print": "firmware.prints:prints",
    "render": "firmware.rendering:rendering",
    "replay": "firmware.replay:replay",
    "save": "firmware.keeping:save",
}
"""Where each command lives."""


@click.pass_context
def _alone(context: click.Context) -> None:
    """Say what there is, when no command is named."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


coyote = Lazy(
    SUBCOMMANDS,
    name="coyote",
    callback=_alone,
    invoke_without_command=True,
    help=_("A referee for card games at a real table."),
)
click.version_option(package_name="coyote-table", prog_name="coyote")(coyote)


def main() -> None:
    """Run a command; whatever goes wrong is one line on the error channel."""
    try:
        sys.exit(coyote(prog_name="coyote", standalone_mode=False))
    except click.ClickException as error:
        _fail(_one_line(error), error.exit_code)
    except click.Abort:
        _fail(_("stopped"), 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


def _one_line(error: click.ClickException) -> str:
    told = " ".join(error.format_message().split())
    hint = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else ""
    return f"{told} ({hint} --help)" if hint else told


def _fail(told: str, code: int) -> None:
    click.echo(f"coyote: {told}", err=True)
    sys.exit(code)
