"""Ogallala's cards: bows, sterns and middles that lie side by side as a canoe, and what it carries."""

from msgspec.structs import replace

from hardware.decks.art.canoe import ART, BARK, CARDS, CREAM, DEEP, WOOD, draw_canoe, draw_person, draw_ripple
from hardware.decks.art.paddlers import draw_paddler
from hardware.decks.art.sheet import WINDOWS
from hardware.decks.artwork import Artwork
from hardware.decks.card import BOW, CardFace, back, caption, card, hatching, rank_sign, rays, seal, symbol_sign
from hardware.decks.drawing import Drawing, fill, group, line, path, placement, stroke


def face(name: str) -> Drawing:
    """Draw one face."""
    first, _, rest = name.partition("-")
    if first in CARDS.crews:
        return card(draw_paddler(CARDS.crews[first], rest))
    if name in CARDS.characters:
        return card(_character(name))
    if rest in ("left", "right"):
        return card(_half(first, rest))
    if name in ART.file.faces:
        drawn = ART.face(name)
        return card(
            replace(drawn, picture=(*drawn.picture, *draw_canoe(rest if first == "empty" else "middle")))
        )
    return card(_prize(name))


def reverse() -> Drawing:
    """Draw the back."""
    waves = tuple(draw_ripple(9 + 5.2 * row, row, "#5d9bb4", 1.1) for row in range(9))
    emblem = (
        fill(path("M-11 -5 C-8 -2.6 8 -2.6 11 -5 C10 -1.2 7 0 0 0 C-7 0 -10 -1.2 -11 -5 Z"), BARK),
        *(stroke(line((x + 2, -10.6), (x - 1.6, -1)), WOOD, 0.9) for x in (-4.5, 0, 4.5)),
        stroke(line((-13.5, 0), (13.5, 0)), DEEP, 0.8),
    )
    return back(DEEP, "#1f4c60", waves, emblem)


# cargo


def _prize(name: str) -> CardFace:
    cargo = CARDS.cargo[name]
    picture = (
        *rays(31.5, 40, 26, cargo.pale),
        group(*ART.draw(cargo.picture), matrix=placement(31.5, 36.5, 1.72)),
        *draw_canoe(),
    )
    return CardFace(
        cargo.title,
        cargo.small,
        cargo.colour,
        symbol_sign(ART.symbols[cargo.sign], 7.6),
        picture,
        BOW,
        CREAM,
        caption("A prize: 10 points."),
    )


def _half(name: str, side: str) -> CardFace:
    cargo = CARDS.cargo[name]
    middle = 57 if side == "left" else 6
    arrow = path("M46 79 L41 76 V82 Z") if side == "left" else path("M7 79 L12 76 V82 Z")
    words = caption(f"Prize, {side} half.")
    if side == "right":
        words = tuple(group(item, matrix=(1, 0, 0, 1, 8, 0)) for item in words)
    picture = (
        *hatching(cargo.pale, cargo.stripe, 7, cargo.slant if side == "left" else cargo.slant + 60),
        group(*ART.draw(cargo.picture), matrix=placement(middle, 34.6, 1.85)),
        *draw_canoe(),
    )
    return CardFace(
        f"{cargo.title}, {side}",
        f"{cargo.small}, {'gauche' if side == 'left' else 'droite'}",
        cargo.colour,
        rank_sign("L" if side == "left" else "R", ART.symbols[cargo.sign]),
        picture,
        ground=ART.file.inks.get(cargo.ground, cargo.ground),
        below=(fill(arrow, cargo.colour), *words),
    )


def _character(name: str) -> CardFace:
    person = CARDS.characters[name]
    cargo = CARDS.cargo[person.prize]
    symbol = ART.symbols[cargo.sign]
    picture = (
        *ART.draw(person.scene, pale=cargo.pale),
        *ART.draw(person.tools),
        *draw_person(person.stands, 56, 1.62, person.colour, CREAM, person.hat),
        *draw_canoe(),
    )
    return CardFace(
        person.title,
        person.small,
        person.colour,
        rank_sign("+", symbol),
        picture,
        WINDOWS[person.window],
        CREAM,
        caption("Worth more beside", f"the {person.prize}."),
        seal(symbol, *person.seal, person.colour, 5.2),
    )


ARTWORK = Artwork(face, reverse)
