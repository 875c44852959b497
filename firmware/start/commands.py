"""The command `coyote`: its groups, and the errors that it prints."""

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import entry_points

import click
from msgspec import Struct

from firmware.cli.plain_stream import escape_output
from firmware.language.speaking import PROGRAM, _, game_error_text, system_text
from firmware.start.games import failure_text
from firmware.state_folder import other_owner
from referee.games.catalogue import GameError

# groups: a command is imported when it is called, so the help of a group is fast


class At(Struct, frozen=True):
    """A command of a group: its place in a package, as `module:name`, and its help line."""

    place: str
    line: str = ""
    package: str = "firmware"

    def told(self) -> str:
        """Return the help line; commands of other packages are imported for theirs."""
        try:
            return self.line or getattr(_load(self), "get_short_help_str", lambda _most: "")(80)
        except click.ClickException as error:
            return error.message


class Group(click.Group):
    """A group that lists its commands under headings."""

    def __init__(self, headings: Mapping[str, Mapping[str, At]], begin: str, **settings: object) -> None:
        super().__init__(**settings)  # type: ignore[arg-type]
        self.headings, self.begin = headings, begin

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return [name for listed in self.headings.values() for name in listed]

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name."""
        # our commands win over those of other packages
        listed = reversed(tuple(self.headings.values()))
        here = {name: each for some in listed for name, each in some.items()}
        at = here.get(cmd_name)
        return None if at is None else _load(at)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] == "club" and ctx.parent is None and self.get_command(ctx, "club") is None:
            told = _(
                "the club is a package of its own, coyote-club, in plugins/club of the repository: "
                "install it, too"
            )
            raise click.UsageError(told, ctx)
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.list_commands(ctx)))
        formatter.write_paragraph()
        for heading, listed in self.headings.items():
            formatter.write(f"{heading}\n" if heading else "")
            with formatter.indentation():
                formatter.write_dl([(name.ljust(width), each.told()) for name, each in listed.items()])
        formatter.write_paragraph()
        more = f"{ctx.command_path} COMMAND --help"
        begin = f"{ctx.find_root().command_path} {self.begin}".rstrip()
        formatter.write(_("Begin with: {command}").format(command=begin) + "\n")
        formatter.write(_("More about each: {command}").format(command=more) + "\n")


def _load(at: At) -> click.Command | None:
    """Import a command. Raises ClickException if another package can't be imported."""
    module, _colon, name = at.place.partition(":")
    try:
        command = getattr(import_module(f"{at.package}.{module}"), name)
    except (Exception, SystemExit) as error:
        if at.package == "firmware":
            raise
        told = _("the package {name} doesn't work, reinstall it: {why}")
        raise click.ClickException(told.format(name=at.package, why=error)) from error
    return command if isinstance(command, click.Command) else None


OUTPUT_CLOSED = 141
"""Exit code after SIGPIPE: the reader has closed the pipe, which is no failure."""

PLACES = sorted((point.name, point.value.partition(".")) for point in entry_points(group="coyote.commands"))
BROUGHT = {name: At(place, package=package) for name, (package, _dot, place) in PLACES}
"""Commands of other packages."""
HEADINGS = {
    _("To play"): {
        "run": At("start.run:run", _("Run the table, or a simulated one in the browser")),
        "play": At("cli.play:play", _("Play in the terminal: you type your cards")),
        "rules": At("cli.rules:rules", _("Look up rules, with your house rules")),
        "count": At("cli.count:count", _("Count the cards of a Coyote reveal, step by step")),
    },
    _("The table"): {
        "doctor": At("start.doctor:doctor", _("Check everything: camera, markers, buttons, lamps, sound")),
        "table": At("start.commands:table", _("Set up and maintain the table: board, Wi-Fi, PIN, backups")),
    },
    _("Cards and matches"): {
        "print": At("cli.print:prints", _("Print decks, markers, play mat, tokens, wiring and case")),
        "cards": At("start.commands:cards", _("Read cards in photographs, teach decks, show them")),
        "record": At("start.commands:record", _("Stored matches: list, save, replay, film")),
    },
    _("More"): {**BROUGHT, "develop": At("start.commands:develop", _("Write your own game, and check it"))},
}
OF_TABLE = {
    "board": At("cli.board:board", _("Show or choose the wired board")),
    "calibrate": At("cli.calibrate:calibration", _("Find the table in a picture by its corner markers")),
    "pin": At("start.pin:pin", _("Show the host's PIN and the seats' codes, or draw a new PIN")),
    "screen": At("start.kiosk:kiosk", _("Show the table's screen on this computer, full screen")),
    "wifi": At("cli.access_point:access_point", _("Create the table's own Wi-Fi")),
    "service": At("cli.install_service:install_service", _("Start the table with the computer")),
    "image": At("cli.image:image", _("Prepare a memory card that installs the table on a Raspberry Pi")),
    "backup": At("cli.backup:backup", _("Back up all data of the table to one file")),
    "restore": At("cli.backup:restore", _("Restore a backup")),
    "forget": At("start.forget:forget", _("Delete a player's name everywhere, or an evening")),
}
OF_CARDS = {
    "read": At("cli.read:reading", _("Read the cards in photographs")),
    "teach": At("cli.teach:teach", _("Teach a deck card by card, with a camera or from pictures")),
    "learn": At("cli.learn:learn", _("Learn a deck from photographs, question by question")),
    "show": At("cli.decks:show", _("Draw a taught deck on one page, to check it")),
    "check": At("cli.decks:check", _("List cards that look similar to the reader")),
    "pictures": At("cli.decks:pictures", _("Draw the faces of each deck, and a table for each game")),
}
OF_MATCHES = {
    "list": At("cli.replay:matches", _("List the stored matches")),
    "save": At("cli.replay:save", _("Save a match as a file")),
    "add": At("cli.replay:add", _("Add a match from a file")),
    "replay": At("cli.replay:replay", _("Replay a stored match with its rulings")),
    "film": At("start.film:film", _("Make a film of a match, for any browser")),
    "evening": At("start.film:evening", _("Print an evening in a few lines, for a chat")),
    "statistics": At("cli.statistics:figures", _("Statistics: matches won, bluffs, correct calls")),
    "analyse": At("cli.statistics:analyse", _("Analyse the decisions of a finished match")),
}
OF_GAMES = {
    "new-game": At("cli.new_game:new_game", _("Create a package with a small working card game")),
    "check-game": At("cli.new_game:checking", _("Check a game by playing it, and report what is missing")),
}
KEPT_BY_THE_TABLE = frozenset(
    {"run", "doctor", "cards teach", "cards learn"}
    | {f"table {name}" for name in ("backup", "board", "calibrate", "forget", "pin", "restore")}
    | {f"record {name}" for name in OF_MATCHES if name != "replay"}
)
"""Commands that read or write the table's state."""
SAID = ("STATE_DIRECTORY", "COYOTE_JOURNAL", "NOTIFY_SOCKET")
"""Environment variables that choose a table explicitly."""


@click.pass_context
def _run_table(context: click.Context) -> None:
    run = coyote.get_command(context, "run")
    if context.invoked_subcommand is None and run is not None:
        context.invoke(run)


table = Group({"": OF_TABLE}, "table board", help=_("Set up and maintain the table."))
cards = Group(
    {"": OF_CARDS},
    "cards read table.jpg --deck coyote-gigamic",
    help=_("Read cards, teach decks and show them."),
)
record = Group({"": OF_MATCHES}, "record list", help=_("Stored matches."))
develop = Group({"": OF_GAMES}, "develop new-game my-game", help=_("Write games and check them."))
coyote = Group(
    HEADINGS,
    "",
    name="coyote",
    callback=_run_table,
    invoke_without_command=True,
    help=_("A referee for card games at a real table."),
)
click.version_option(package_name="coyote-table", prog_name="coyote")(coyote)


def main() -> None:
    escape_output()
    voice = sys.stdout
    try:
        hint = other_user_hint(sys.argv[1:], os.environ)
        if hint:
            click.echo(f"{PROGRAM}: {hint}", err=True)
        sys.exit(coyote(prog_name=PROGRAM, standalone_mode=False))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(0)
    except click.ClickException as error:
        # click writes "integer range" for a number with bounds
        told = " ".join(error.format_message().split()).replace("integer range.", "integer.")
        hint = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else ""
        _fail(f"{told} ({hint} --help)" if hint else told, error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _fail(_("stopped"), 130)
    except OSError as error:
        where = f"{error.filename}: " if error.filename and error.strerror else ""
        _fail(where + system_text(error), 1)
    except GameError as error:
        _fail(game_error_text(error), 1)
    except Exception as error:  # noqa: BLE001 - every error is printed as one line
        _fail(failure_text(error), 1)
    except SystemExit:
        if sys.stdout is not voice:  # click replaces it when the reader has closed the pipe
            sys.exit(OUTPUT_CLOSED)
        raise


def other_user_hint(words: Sequence[str], environ: Mapping[str, str]) -> str:
    """Return how to run a command as the owner of this machine's table, if that is another user."""
    first = words[0] if words else ""
    is_kept = not KEPT_BY_THE_TABLE.isdisjoint({first, " ".join((first, *words[1:2]))})
    owner = other_owner() if is_kept else None
    if owner is None or any(environ.get(name) for name in SAID):
        return ""
    told = _("this computer's table belongs to {owner}, and its data isn't shown here; to use it: {command}")
    return told.format(owner=owner, command=f"sudo -u {owner} {shlex.join([sys.argv[0], *words])}")


def _fail(told: str, code: int) -> None:
    """Print an error and exit; output that can't be flushed is dropped."""
    try:
        sys.stdout.flush()
    except OSError:
        # Python flushes again at exit and would print a traceback
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    click.echo(f"{PROGRAM}: {told}", err=True)
    sys.exit(code)
