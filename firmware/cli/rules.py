"""`coyote rules`: the rule book for a table's house rules, and the rules behind rulings."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import click
from msgspec import Struct

from firmware.cli.output import say_all
from firmware.language.speaking import LANGUAGE, _, label_text
from referee import grounds as reasons
from referee.contract import Choice, Game, Refusal
from referee.games.catalogue import GAMES
from referee.grounds import grounds_of_ruling
from referee.house_rules import edition_name, house_from, house_rules
from referee.match import Match
from referee.moment_view import ruling_texts
from referee.rule_sentences import RuleView, book_view, change_texts, find_rules, ground_view
from referee.seatings import seatings_of
from referee.sentences import Listener, refusal_text

INDENT = "  "
FIRST = "      "  # indentation of rules below their subject


def house_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add options for edition and house rules; `HouseCommand` lists them in the help."""
    edition = click.option("--edition", metavar="E", help=_("The edition: kidult, gigamic or oliphante."))
    message = _("A house rule (see below); may be repeated.")
    house = click.option("--house", "agreed", multiple=True, metavar="KEY=VALUE", help=message)
    return edition(house(command))


class HouseCommand(click.Command):
    """A command whose help ends with the house rules, one per line."""

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the house rules without rewrapping."""
        formatter.write("\n" + _("House rules, as --house key=value; the first value is the default:") + "\n")
        for game in GAMES.values():
            formatter.write(f"\n{LANGUAGE.gettext(game.words.title)}\n")
            for rule in house_rules(game):
                default = "" if rule.several else str(rule.default).lower()
                values = "|".join(filter(None, (default, *(value for value in rule.takes if value != default))))
                what = LANGUAGE.gettext(game.words.house[rule.name])
                formatter.write(f"  {rule.name}={values}\n      {what}\n")


def read_house(game: Game, edition: str | None, agreed: tuple[str, ...]) -> Struct:
    rules = {} if edition is None else {"edition": edition}
    for text in agreed:
        key, equals, value = (part.strip().lower() for part in text.partition("="))
        if not equals:
            raise click.UsageError(_("write a house rule as key=value, not {text}").format(text=text))
        if rules.setdefault(key, value) != value:
            raise click.UsageError(_("{key} is given twice, with different values").format(key=key))
    house = house_from(game, rules)
    if isinstance(house, Refusal):
        raise click.UsageError(refusal_text(Listener(game.words, (), LANGUAGE), house))
    return house


@click.command(
    cls=HouseCommand,
    help=_("""Print the rule book of a game, with these house rules.

    Each rule names its source; changes by house rules follow below it.

    \b
    coyote rules coyote --edition oliphante --house powers=all
    coyote rules coup --find contessa"""),
)
@click.argument("game", type=click.Choice(GAMES), metavar="GAME")
@house_options
@click.option(
    "--find", "wanted", metavar="WORDS", default="", help=_("Only the rules that contain these words.")
)
def rules(game: str, edition: str | None, agreed: tuple[str, ...], wanted: str) -> None:
    played = GAMES[game]
    house = read_house(played, edition, agreed)
    listener = Listener(played.words, (), LANGUAGE)
    title = LANGUAGE.gettext(played.words.title)
    book = find_rules(book_view(listener, played, house), wanted)
    if not played.book.chapters:
        raise click.ClickException(_("This game has no rule book in this program."))
    if not book:
        message = _("no rule of {game} contains these words: {words}")
        raise click.ClickException(message.format(game=title, words=wanted))
    click.echo(title_text(played, house))
    for chapter in book:
        click.echo(f"\n{chapter.title}")
        say_all(line for rule in chapter.rules for line in indented_rule(rule, INDENT))


def tell_head(listener: Listener, match: Match) -> list[str]:
    setup = match.setup
    played = title_text(setup.game, setup.house)
    changes = (label_text(_("House rule"), told) for told in change_texts(listener, setup.game, setup.house))
    return [label_text(played, ", ".join(seatings_of(match).people)), *changes]


def title_text(game: Game, house: Struct) -> str:
    title, edition = LANGUAGE.gettext(game.words.title), edition_name(game, house)
    return f"{title} ({edition})" if edition else title


def tell_why(listener: Listener, match: Match) -> list[str]:
    setup = match.setup
    newest = next(reasons.ruled_moments(match), match)
    if not setup.game.book.chapters:
        return [_("This game has no rule book in this program.")]
    if not newest.rulings:
        return [_("Nothing has been ruled yet.")]
    told = zip(newest.rulings, ruling_texts(newest, listener.language), strict=True)
    behind = ((text, grounds_of_ruling(setup.game, setup.house, ruling)) for ruling, text in told)
    return [line for text, grounds in behind for line in (text, *rule_lines(listener, grounds))]


def tell_rules_now(listener: Listener, match: Match) -> list[str]:
    game, house = match.setup.game, match.setup.house
    choices = (ask for ask in match.asks if isinstance(ask, Choice))
    words = dict.fromkeys(option.word for ask in choices for option in ask.options)
    grounds = (
        *(ground for ask in match.asks for ground in reasons.grounds_of_ask(game, house, ask.key)),
        *(ground for word in words for ground in reasons.grounds_of_option(game, house, word)),
    )
    return list(rule_lines(listener, {ground.rule.id: ground for ground in grounds}.values()))


def tell_why_not(listener: Listener, match: Match, refused: Refusal) -> list[str]:
    grounds = reasons.grounds_of_refusal(match.setup.game, match.setup.house, refused, "")
    return [refusal_text(listener, refused), *rule_lines(listener, grounds)]


def rule_lines(listener: Listener, grounds: Iterable[reasons.Ground]) -> Iterator[str]:
    for ground in grounds:
        yield from indented_rule(ground_view(listener, ground), FIRST)


def indented_rule(rule: RuleView, indent: str) -> Iterator[str]:
    yield indent + rule.text
    yield from (f"{indent}  {line}" for line in (rule.place, *rule.house))
