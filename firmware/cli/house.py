"""House rules on the command line: `--edition` and `--house`, read once for all commands."""

from collections.abc import Callable
from typing import Any

import click
from msgspec import Struct

from firmware.language.speaking import LANGUAGE, _
from referee.contract import Game, Refusal
from referee.games.catalogue import GAMES
from referee.house_rules import HouseRule, house_from, house_rules
from referee.telling import Listener, tell_refusal


def house_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let a command take an edition and house rules; its help lists them at the end (see `HouseCommand`)."""
    edition = click.option("--edition", metavar="E", help=_("Whose box it is: kidult, gigamic or oliphante."))
    house = click.option(
        "--house",
        "agreed",
        multiple=True,
        metavar="KEY=VALUE",
        help=_("A house rule (see below); may be repeated."),
    )
    return edition(house(command))


class HouseCommand(click.Command):
    """A command whose help ends with the house rules, line by line."""

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the house rules as they stand, without filling lines."""
        formatter.write(f"\n{_list_house_rules()}\n")


def _list_house_rules() -> str:
    lines = [_("House rules, as --house key=value; the first value is the default:")]
    for game in GAMES.values():
        lines.append(f"\n{LANGUAGE.gettext(game.words.title)}")
        for rule in house_rules(game):
            what = LANGUAGE.gettext(game.words.house[rule.name])
            lines.append(f"  {rule.name}={_values(rule)}\n      {what}")
    return "\n".join(lines)


def _values(rule: HouseRule) -> str:
    default = "" if rule.several else str(rule.default).lower()
    values = [default, *(value for value in rule.takes if value != default)]
    return "|".join(value for value in values if value)


def read_house(game: Game, edition: str | None, agreed: tuple[str, ...]) -> Struct:
    """Understand the house rules that stood on the command line."""
    pairs = [_pair(text) for text in agreed]
    pairs += [("edition", edition)] if edition is not None else []
    rules = dict(pairs)
    for key, value in pairs:
        if rules[key] != value:
            raise click.UsageError(_("{key} is said twice, and differently").format(key=key))
    house = house_from(game, rules)
    if isinstance(house, Refusal):
        raise click.UsageError(tell_refusal(Listener(game.words, (), LANGUAGE), house))
    return house


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(_("say a house rule as key=value, not {text}").format(text=text))
    return key.strip().lower(), value.strip().lower()
