"""`coyote rules`: the rule book of a game as a table plays it, with what its house rules change."""

from collections.abc import Iterator

import click

from firmware.cli.house import HouseCommand, house_options, read_house
from firmware.cli.why import title_text, told_lines
from firmware.language.speaking import LANGUAGE, _
from referee.games.catalogue import GAMES
from referee.telling import Listener
from referee.telling_rules import ToldChapter, find_rules, tell_book

INDENT = "  "


@click.command(
    "rules",
    cls=HouseCommand,
    help=_("""Tell the rule book of a game, as it is played with these house rules.

    Each rule has its name, its sentence, and where it is printed; what was agreed otherwise stands below it.

    \b
    coyote rules coyote --edition oliphante --house powers=all
    coyote rules coup --find contessa"""),
)
@click.argument("game", type=click.Choice(list(GAMES)), metavar="GAME")
@house_options
@click.option("--find", "wanted", metavar="WORDS", default="", help=_("Only the rules that have these words."))
def rules(game: str, edition: str | None, agreed: tuple[str, ...], wanted: str) -> None:
    """Tell a rule book."""
    played = GAMES[game]
    house = read_house(played, edition, agreed)
    listener = Listener(played.words, (), LANGUAGE)
    title = LANGUAGE.gettext(played.words.title.one)
    book = find_rules(tell_book(listener, played, house), wanted)
    if not played.book.chapters:
        raise click.ClickException(_("This game has no rule book in this program."))
    if not book:
        raise click.ClickException(
            _("no rule of {game} has these words: {words}").format(game=title, words=wanted)
        )
    click.echo(title_text(played, house))
    for line in _book_lines(book):
        click.echo(line)


def _book_lines(book: tuple[ToldChapter, ...]) -> Iterator[str]:
    for chapter in book:
        yield f"\n{chapter.title}"
        for rule in chapter.rules:
            yield from told_lines(rule, INDENT)
