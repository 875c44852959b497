"""Commands that are imported when they are called, so that each of them starts fast."""

from collections.abc import Mapping
from importlib import import_module

import click


class LazyGroup(click.Group):
    """A group that knows where its commands live, as `module:name`."""

    places: Mapping[str, str]

    def __init__(self, places: Mapping[str, str], **settings: object) -> None:
        """Take the places; the rest is for click."""
        super().__init__(**settings)  # type: ignore[arg-type]
        self.places = places

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Name the commands."""
        return sorted(self.places)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        if cmd_name not in self.places:
            return None
        module, _colon, name = self.places[cmd_name].partition(":")
        command = getattr(import_module(module), name)
        return command if isinstance(command, click.Command) else None
