"""Groups of commands: each command is imported when it is called, and a group's help fits a screen."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import entry_points

import click
from msgspec import Struct

from firmware.language.speaking import _


class At(Struct, frozen=True):
    """A command in a group's help: where it lives in its package, as `module:name`, and its line."""

    place: str
    line: str = ""
    package: str = "firmware"


def commands_of_packages() -> dict[str, At]:
    """List the commands that other packages bring by the entry point `coyote.commands`."""
    found = {point.name: point.value.partition(".") for point in entry_points(group="coyote.commands")}
    return {name: At(place, package=package) for name, (package, _dot, place) in sorted(found.items())}


class Group(click.Group):
    """A group that knows where its commands live, under headings; older spellings stand in no help."""

    def __init__(
        self,
        headings: Mapping[str, Mapping[str, At]],
        begin: str,
        older: Mapping[str, str] | None = None,
        **settings: object,
    ) -> None:
        super().__init__(**settings)  # type: ignore[arg-type]
        self.headings, self.begin, self.older = headings, begin, older or {}

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Name the commands, in the order in which they are read."""
        return [name for listed in self.headings.values() for name in listed]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command, also by an older spelling."""
        # what stands first is ours: no package takes a name of it
        listed = reversed(tuple(self.headings.values()))
        here = {name: each for some in listed for name, each in some.items()}
        at = here.get(cmd_name) or At(self.older.get(cmd_name, ""))
        if ":" in at.place:
            return _load(at)
        return self._command_at(ctx, at.place.split()) if at.place else None

    def _command_at(self, ctx: click.Context, words: Sequence[str]) -> click.Command | None:
        found: click.Command | None = self
        for word in words:
            found = found.get_command(ctx, word) if isinstance(found, click.Group) else None
        return found

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, and end with what to type next."""
        width = max(map(len, self.list_commands(ctx)))
        formatter.write_paragraph()
        for heading, listed in self.headings.items():
            formatter.write(f"{heading}\n" if heading else "")
            with formatter.indentation():
                formatter.write_dl(
                    [(name.ljust(width), each.line or _line_of(each)) for name, each in listed.items()]
                )
        formatter.write_paragraph()
        more = f"{ctx.command_path} COMMAND --help"
        formatter.write(_("Begin with: {command}").format(command=self.begin) + "\n")
        formatter.write(_("More about each: {command}").format(command=more) + "\n")


def _load(at: At) -> click.Command | None:
    """Import a command; a package that can't be imported says so in one line."""
    module, _colon, name = at.place.partition(":")
    try:
        command = getattr(import_module(f"{at.package}.{module}"), name)
    except (Exception, SystemExit) as error:
        if at.package == "firmware":
            raise
        told = _("the package {name} can't be used, install it again: {why}")
        raise click.ClickException(told.format(name=at.package, why=error)) from error
    return command if isinstance(command, click.Command) else None


def _line_of(at: At) -> str:
    """Give the line of a package's command, which only the command knows."""
    try:
        command = _load(at)
    except click.ClickException as error:
        return error.message
    return "" if command is None else command.get_short_help_str(80)
