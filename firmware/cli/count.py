"""`coyote count`: the total of a Coyote reveal."""

import click
import msgspec

from firmware.cli.output import say_all
from firmware.language.speaking import LANGUAGE, _
from referee.contract import make_ruling
from referee.contract.cards import Deck, face_named, first_surplus_card
from referee.games.coyote.rules import step_ruling
from referee.games.coyote.state import CAVE, EDITIONS, SPECIALS, tally
from referee.games.coyote.words import WORDS
from referee.sentences import Listener, ruling_text

NO_CARD = "none"  # the draw of a cave from an empty pile


@click.command(
    context_settings={"ignore_unknown_options": True},
    help=_("""Count the cards of a Coyote reveal, step by step.

    EDITION is kidult, gigamic or oliphante. CARD is the printed number, or ?, max0, max-, x2, night. In gigamic
    and oliphante, 0 is the night; in kidult it is the decoy. If your shell interprets the ?, put it in quotes
    or write cave.

    \b
    coyote count gigamic 20 max- 15 10 6 -5
    coyote count kidult '?' 10 5 --drawn max0"""),
)
@click.argument("edition", type=click.Choice(EDITIONS), metavar="EDITION")
@click.argument("cards", nargs=-1, required=True, metavar="CARD...")
@click.option(
    "--drawn",
    multiple=True,
    metavar="CARD",
    help=_("The card drawn by a ?, once for each ?. Write none if no card was left to draw."),
)
@click.option("--json", "as_json", is_flag=True, help=_("Print one object: total, reshuffle, steps."))
@click.option("--any", "anything", is_flag=True, help=_("Also count cards that the deck can't contain."))
def count(
    edition: str, cards: tuple[str, ...], drawn: tuple[str, ...], *, as_json: bool, anything: bool
) -> None:
    deck = EDITIONS[edition].deck
    turned_up = tuple(text for text in drawn if text.lower() != NO_CARD)
    table = tuple(_card(deck, text, anything=anything) for text in cards)
    draws = tuple(_card(deck, text, anything=anything) for text in turned_up)
    # each ? draws one card, and no other card draws
    caves = (table + draws).count(CAVE)
    if len(drawn) < caves:
        raise click.UsageError(_("the ? draws a card: turn up the top one and name it with --drawn CARD"))
    if len(drawn) > caves:
        message = _("--drawn needs a ?: {drawn} drawn, but {caves} of ? on the table")
        raise click.UsageError(message.format(drawn=len(drawn), caves=caves))
    # the first surplus card, named as it was typed
    surplus = None if anything else first_surplus_card(deck.counts, table + draws)
    if surplus is not None:
        text = (cards + turned_up)[(table + draws).index(surplus)]
        name = surplus if text == surplus else f"{text} ({surplus})"
        have, shown = deck.counts[surplus], (table + draws).count(surplus)
        message = _("{deck} has {have} of card {card}, not {shown}; --any counts it anyway")
        raise click.UsageError(message.format(deck=deck.name, have=have, card=name, shown=shown))
    counted, listener = tally(table, draws, EDITIONS[edition].doubling), Listener(WORDS, (), LANGUAGE)
    sentences = [ruling_text(listener, step_ruling(step)) for step in counted.steps]
    if as_json:
        steps = [
            {"step": step.key, "cards": step.cards, "start": step.start, "sum": step.sum, "text": text}
            for step, text in zip(counted.steps, sentences, strict=True)
        ]
        whole = {"total": counted.total, "reshuffle": counted.reshuffle, "steps": steps}
        click.echo(msgspec.json.encode(whole).decode())
        return
    say_all([ruling_text(listener, make_ruling("no-draw"))] if len(draws) < len(drawn) else [])
    # the total is in plain digits, for copying
    say_all((*sentences, _("Total: {total}").format(total=counted.total)))


def _card(deck: Deck, text: str, *, anything: bool) -> str:
    face = face_named(deck, text)
    number = face.removeprefix("-")
    is_number = face not in deck.counts and number.isascii() and number.isdecimal() and len(number) <= 6
    face = str(int(face)) if is_number else face
    if face in deck.counts or (anything and (is_number or face in SPECIALS)):
        return face
    if text.startswith("--"):
        message = _("{text} isn't a card; options come before --, and coyote count --help lists them")
        raise click.UsageError(message.format(text=text))
    message = _("there is no card “{text}” in {deck}; it has {has}")
    raise click.UsageError(message.format(text=text, deck=deck.name, has=", ".join(deck.counts)))
