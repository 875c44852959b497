"""`coyote cards check`, `show` and `pictures`: look-alikes among cards, and pictures of cards."""

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import click
import cv2
import msgspec
from markupsafe import Markup
from msgspec import Struct

from firmware.cli.output import ANY_PATH, FOLDER, click_errors, say_all, write_output
from firmware.language.catalogues import preferred_language
from firmware.language.cuts import WHY, cuts_sentence
from firmware.language.speaking import Sentence, _, problem_text
from firmware.storage.decks import deck_names, draw_faces, taught_deck, taught_folder
from hardware.decks.catalogue import PRINTED
from hardware.twin.pictures import sheet, table
from hardware.twin.scenes import TABLES
from vision.pictures import Picture, packed_jpeg, small_jpeg, unpack_picture
from vision.teaching.kept_cuts import KeptCut, without_ground
from vision.teaching.likeness import LIMIT, closest_pairs
from vision.teaching.odd_cuts import odd_cuts, sum_up
from vision.teaching.taught_decks import TaughtDeck, load_kept_deck
from vision.troubles import Problem

PAIRS_LISTED = 3  # closest pairs listed per deck


class LookAlike(Struct, frozen=True):
    """Two faces of a deck, the second perhaps turned round, and their distance for the reader."""

    deck: str
    distance: float
    faces: tuple[str, str]
    turned: bool


@click.command(
    help=_("""List the most similar cards of each deck. Exits with 1 if two are too similar for the reader.

    A deck is the name or the folder of a taught deck, or a deck that coyote prints. By default, all printed
    decks are checked.""")
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--json", "as_json", is_flag=True, help=_("Print one object: limit, pairs."))
def check(names: tuple[str, ...], *, as_json: bool) -> None:
    pairs = [pair for pairs in map(_closest_of, names or PRINTED) for pair in pairs]
    if as_json:
        click.echo(msgspec.json.encode({"limit": LIMIT, "pairs": pairs}).decode())
    else:
        say_all(_check_lines(pairs))
    if any(pair.distance < LIMIT for pair in pairs):
        raise click.exceptions.Exit(1)


def _check_lines(pairs: list[LookAlike]) -> Iterator[str]:
    deck, distance, cards = _("deck"), _("distance"), _("most similar cards")
    yield f"{deck:18} {distance:>8}  {cards}"
    for pair in pairs:
        turned = _("turned round") if pair.turned else ""
        close, (one, other) = _("TOO CLOSE") if pair.distance < LIMIT else "", pair.faces
        yield f"{pair.deck:18} {pair.distance:8.3f}  {one:16} {other:16} {turned:14} {close}".rstrip()
    if any(pair.distance < LIMIT for pair in pairs):
        verdict = _(
            "Pairs below {limit} may be misread: mark one card of each, or teach them again in even light."
        )
    else:
        verdict = _("The camera tells all of these apart: no distance is below {limit}.")
    yield verdict.format(limit=LIMIT)


def _closest_of(name: str) -> list[LookAlike]:
    """Return the closest pairs of a deck; a taught deck takes precedence over a printed one."""
    with click_errors():
        taught = taught_deck(name)
    if taught is None and name not in PRINTED:
        unknown = Problem("no such deck", {"name": name, "known": ", ".join(deck_names())})
        raise click.UsageError(problem_text(unknown))
    faces = draw_faces(name) if taught is None else taught.faces
    found = closest_pairs({face: pictures[0] for face, pictures in faces.items()})
    # a card that looks the same turned round isn't misread
    pairs = [pair for pair in found if pair.first != pair.second][:PAIRS_LISTED]
    return [LookAlike(name, round(pair.distance, 3), (pair.first, pair.second), pair.turned) for pair in pairs]


@click.command(
    help=_("""Draw the cards of a taught deck on one page for any browser.

    Each card has the line by which it was cut out. Unusual ones come first, with the reason. To correct one,
    teach the card again.

    \b
    coyote cards show my-coyote -o my-coyote.html""")
)
@click.argument("name")
@click.option("-o", "--out", type=ANY_PATH, metavar="FILE", required=True, help=_("The file of the page."))
def show(name: str, out: Path) -> None:
    folder = taught_folder(name)
    if folder is None:
        raise click.UsageError(
            _("there is no taught deck {name}: coyote cards teach teaches one").format(name=name)
        )
    with click_errors():
        taught = load_kept_deck(folder)
        cuts = [each for face in taught.cards for each in _shown_cuts(taught, face)]
        why = odd_cuts(dict(enumerate(each.cut for each in cuts)))
        odd = Markup("").join(_figure(taught, cuts[place], WHY[reason]) for place, reason in why.items())
        others = (each for place, each in enumerate(cuts) if place not in why)
        right = Markup("").join(_figure(taught, each) for each in others)
    told = sum_up([each.cut for each in cuts], len(why), taught.card[0])
    lang, how = preferred_language(), cuts_sentence(told)
    write_output(out, PAGE.format(lang=lang, name=taught.name, how=how, odd=odd, right=right).encode())


@click.command(help=_("Draw all faces of each deck, and for each game a table as the camera would see it."))
@click.argument("folder", type=FOLDER)
def pictures(folder: Path) -> None:
    with click_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for name, content in all_pictures():
        write_output(folder / name, content)


def all_pictures() -> Iterator[tuple[str, bytes]]:
    for name, printed in PRINTED.items():
        drawn = cv2.imencode(".png", sheet(printed), [cv2.IMWRITE_PNG_COMPRESSION, 9])[1]
        yield f"deck-{name}.png", drawn.tobytes()
    for name, find in TABLES.items():
        yield f"table-{name}.jpg", packed_jpeg(table(find()()), 88)


PAGE = Markup("""<!doctype html>
<html lang="{lang}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{name}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 1rem/1.4 Cabin, system-ui, sans-serif; margin: 1.5rem; background: #f3e3c3; color: #1d2030; }}
main {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 1rem; }}
main + main {{ margin-top: 2rem; }}
main.odd {{ grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); }}
figure {{ margin: 0; padding: .75rem; background: #fffdf8; border-radius: .5rem; }}
figure div {{ position: relative; }}
img {{ display: block; width: 100%; border-radius: .25rem; }}
svg {{ position: absolute; inset: 0; width: 100%; height: 100%; }}
polygon {{ fill: none; stroke: #1a7f4b; stroke-width: 3; vector-effect: non-scaling-stroke; }}
.odd polygon {{ stroke: #f4b23c; stroke-width: 4; }}
.unseen polygon {{ stroke-dasharray: 9 7; }}
figcaption {{ overflow-wrap: anywhere; }}
figcaption b, figcaption small {{ display: block; }}
@media (prefers-color-scheme: dark) {{
  body {{ background: #12142b; color: #fdf3df; }}
  figure {{ background: #1d2045; }}
}}
</style>
<h1>{name}</h1>
<p>{how}</p>
<main class="odd">{odd}</main>
<main>{right}</main>
</html>
""")
CARD = Markup(
    '<figure{unseen}><div><img src="data:image/jpeg;base64,{data}" alt="">'
    '<svg viewBox="0 0 1 1" preserveAspectRatio="none"><polygon points="{points}"/></svg></div>'
    "<figcaption><b>{face} × {count}</b><small>{why}</small></figcaption></figure>\n"
)
PICTURE_WIDTH = 320  # pixels of a picture's width, enough to check how its card was cut out


class ShownCut(Struct, frozen=True, eq=False):
    """A picture of a taught card with its cut line."""

    face: str
    picture: Picture
    cut: KeptCut


def _shown_cuts(taught: TaughtDeck, face: str) -> Iterator[ShownCut]:
    for card in taught.cards[face]:
        wide = card.wide or without_ground(card.picture)
        whole = None if card.wide is None else unpack_picture(card.wide.jpeg)
        yield ShownCut(face, card.picture if whole is None else whole, wide.cut)


def _figure(taught: TaughtDeck, shown: ShownCut, why: Sentence | str = "") -> Markup:
    return CARD.format(
        data=b64encode(small_jpeg(shown.picture, PICTURE_WIDTH)).decode(),
        points=" ".join(f"{x:.4f},{y:.4f}" for x, y in shown.cut.corners),
        unseen=Markup("") if shown.cut.is_sure else Markup(' class="unseen"'),
        face=shown.face,
        count=taught.counts.get(shown.face, 1),
        why=why,
    )
