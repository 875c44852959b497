"""The command `coyote`."""

import os
import sys
from importlib import import_module

import click

from firmware.speaking import _

SUBCOMMANDS = {
    "bench": "firmware.bench",
    "count": "firmware.count",
    "matches": "firmware.keeping",
    "play": "firmware.play",
    "replay": "firmware.replay",
    "save": "firmware.keeping",
}
"""Where each command lives; it is imported when it is called, so that each starts fast."""


class _Commands(click.Group):
    """The commands by name, each loaded when it is needed."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return sorted(SUBCOMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in SUBCOMMANDS:
            return None
        command = getattr(import_module(SUBCOMMANDS[cmd_name]), cmd_name)
        return command if isinstance(command, click.Command) else None


@click.group(cls=_Commands, invoke_without_command=True, help=_("A referee for card games at a real table."))
@click.version_option(package_name="coyote-table", prog_name="coyote")
@click.pass_context
def coyote(context: click.Context) -> None:
    """Hold the commands; alone, say what there is."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


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
