"""People to the waist, without facial features: a coat, a head and a hat."""

from collections.abc import Callable

from msgspec import Struct

from hardware.decks.drawing import (
    Item,
    circle,
    ellipse,
    fill,
    fill_and_stroke,
    group,
    path,
    placement,
    smooth_path,
    stroke,
)

SKIN, HAIR, EDGE = "#b98055", "#2d2320", "#3a2a20"


class Outfit(Struct, frozen=True):
    """A person's clothes."""

    coat: str
    trim: str
    hat: str


def person(x: float, y: float, scale: float, look: Outfit) -> tuple[Item, ...]:
    """Draw a person with the waist at a point."""
    body = path("M-8.4 2 C-9.4 -5 -9 -9.6 -4.6 -11 C-2 -11.8 2 -11.8 4.6 -11 C9 -9.6 9.4 -5 8.4 2 Z")
    items = (
        *_hair(look.hat),
        fill_and_stroke(body, look.coat, look.trim, 0.5),
        fill(path("M-3.2 -11.4 L0 -6 L3.2 -11.4 C1 -10.6 -1 -10.6 -3.2 -11.4 Z"), look.trim),
        stroke(path("M-5.4 2 C-5.8 -2 -5.6 -4 -5 -6 M5.4 2 C5.8 -2 5.6 -4 5 -6"), look.trim, 0.5),
        fill(path("M-1.7 -13 H1.7 V-10.6 C0.6 -9.8 -0.6 -9.8 -1.7 -10.6 Z"), "#9a6743"),
        fill_and_stroke(ellipse(0, -15.8, 3.5, 4.2), SKIN, EDGE, 0.3),
        *_HATS[look.hat](look),
    )
    return (group(*items, matrix=placement(x, y, scale)),)


def _hair(hat: str) -> tuple[Item, ...]:
    long = path("M-4 -17 C-4.6 -22 4.6 -22 4 -17 C4.2 -13 5 -11.4 5.4 -9.4 H-5.4 C-5 -11.4 -4.2 -13 -4 -17 Z")
    return (fill(long, HAIR),) if hat in ("scarf", "tall") else ()


def _sailor(look: Outfit) -> tuple[Item, ...]:
    """Draw a cap with a rolled brim."""
    return (
        fill_and_stroke(
            path("M-4 -16.8 C-4.4 -22.6 4.4 -22.6 4 -16.8 C2 -17.8 -2 -17.8 -4 -16.8 Z"),
            look.coat,
            EDGE,
            0.4,
        ),
        fill(path("M-4.2 -17 C-2 -18.6 2 -18.6 4.2 -17 V-15.6 C2 -17 -2 -17 -4.2 -15.6 Z"), look.trim),
    )


def _scarf(look: Outfit) -> tuple[Item, ...]:
    """Draw a scarf over the hair."""
    return (
        fill_and_stroke(
            path("M-4.2 -15.4 C-4.8 -22.4 4.8 -22.4 4.2 -15.4 C2.4 -18.4 -2.4 -18.4 -4.2 -15.4 Z"),
            look.trim,
            look.coat,
            0.5,
        ),
    )


def _crown(_look: Outfit) -> tuple[Item, ...]:
    """Draw a gilded crown."""
    return (
        fill_and_stroke(
            path(
                "M-4 -17.4 L-5 -24.4 L-2 -21.6 L0 -26 L2 -21.6 L5 -24.4 L4 -17.4 C2 -18.6 -2 -18.6 -4 -17.4 Z"
            ),
            "#e5ad3c",
            EDGE,
            0.5,
        ),
    )


def _mask(look: Outfit) -> tuple[Item, ...]:
    """Draw a dark hood with holes for the eyes."""
    return (
        fill_and_stroke(
            path("M-4.3 -12 C-5.6 -22.6 5.6 -22.6 4.3 -12 C2 -10.6 -2 -10.6 -4.3 -12 Z"),
            HAIR,
            look.trim,
            0.4,
        ),
        fill(ellipse(0, -16, 2.9, 1.3), SKIN),
    )


def _hood(look: Outfit) -> tuple[Item, ...]:
    """Draw a pointed hood."""
    return (
        fill_and_stroke(
            path(
                "M-5 -10.4 C-6 -17 -4.6 -22 1 -23.6 C4.6 -21 6 -16 5 -10.4 L3 -12.6"
                " C4 -18 2 -19.4 0 -19.4 C-2 -19.4 -4 -18 -3 -12.6 Z"
            ),
            look.coat,
            look.trim,
            0.5,
        ),
    )


def _brimmed_hat(_look: Outfit) -> tuple[Item, ...]:
    """Draw a hat with a bent brim."""
    return (
        fill_and_stroke(
            path("M-3.6 -18.6 C-3.6 -24 -1.6 -23.4 0 -22.8 C1.6 -23.4 3.6 -24 3.6 -18.6 Z"),
            "#8a5a30",
            EDGE,
            0.4,
        ),
        fill_and_stroke(
            path("M-8 -19.6 C-4 -17 4 -17 8 -19.6 C7 -16.6 4 -16.4 0 -16.4 C-4 -16.4 -7 -16.6 -8 -19.6 Z"),
            "#8a5a30",
            EDGE,
            0.4,
        ),
    )


def _straw_hat(_look: Outfit) -> tuple[Item, ...]:
    """Draw a flat straw hat."""
    return (
        fill_and_stroke(path("M-3.4 -18 C-3.4 -22.4 3.4 -22.4 3.4 -18 Z"), "#d2b26a", EDGE, 0.4),
        fill_and_stroke(ellipse(0, -18, 9, 1.3), "#d2b26a", EDGE, 0.4),
    )


def _slouch_hat(_look: Outfit) -> tuple[Item, ...]:
    """Draw a slouch hat and a white beard."""
    return (
        fill_and_stroke(
            path(
                "M-6.6 -16.6 C-3.6 -17.6 -4.4 -23 0 -22.2 C3.6 -23.4 3.4 -18 6.6"
                " -17.4 C4 -15.8 -4 -15.6 -6.6 -16.6 Z"
            ),
            "#7a6a50",
            EDGE,
            0.4,
        ),
        fill(path("M-3.3 -14 C-3.6 -8.8 3.6 -8.8 3.3 -14 C1.6 -12.6 -1.6 -12.6 -3.3 -14 Z"), "#d9d3c6"),
    )


def _kepi(look: Outfit) -> tuple[Item, ...]:
    """Draw a stiff cap with a visor."""
    return (
        fill_and_stroke(path("M-3.8 -17 L-3.2 -22.6 H3.6 L3.8 -17 Z"), look.coat, EDGE, 0.4),
        fill(path("M-3.9 -17.6 H3.9 V-16.4 H-3.9 Z"), "#e5ad3c"),
        fill(path("M-1 -16.6 C2 -17 5 -16.4 5.8 -14.8 C3.4 -15.6 1 -15.6 -1 -15.6 Z"), HAIR),
    )


def _fur_cap(_look: Outfit) -> tuple[Item, ...]:
    """Draw a fur cap with a tail."""
    fluff = smooth_path(
        (-5, -16),
        (-5.4, -19),
        (-4.2, -21.8),
        (-1.8, -23),
        (0, -22.6),
        (1.8, -23),
        (4.2, -21.8),
        (5.4, -19),
        (5, -16),
        (2.6, -17.2),
        (0, -16.8),
        (-2.6, -17.2),
    )
    tail = path("M4.4 -18 C8 -17 9 -12 7 -8 C5.6 -10 5.8 -14 4 -16 Z")
    return (fill_and_stroke(tail, "#9a7048", EDGE, 0.4), fill_and_stroke(fluff, "#9a7048", EDGE, 0.4))


def _knitted_cap(look: Outfit) -> tuple[Item, ...]:
    """Draw a knitted cap and a beard."""
    return (
        fill_and_stroke(
            path("M-4.1 -16.6 C-4.6 -23.4 4.6 -23.4 4.1 -16.6 C2 -17.6 -2 -17.6 -4.1 -16.6 Z"),
            look.coat,
            EDGE,
            0.4,
        ),
        fill_and_stroke(circle(0, -22.6, 1.3), look.trim, EDGE, 0.3),
        fill(path("M-3.4 -15 C-4 -8.6 4 -8.6 3.4 -15 C1.8 -13.2 -1.8 -13.2 -3.4 -15 Z"), "#6b3d22"),
    )


_HATS: dict[str, Callable[[Outfit], tuple[Item, ...]]] = {
    "sailor": _sailor,
    "scarf": _scarf,
    "tall": _crown,
    "mask": _mask,
    "hood": _hood,
    "brim": _brimmed_hat,
    "wide": _straw_hat,
    "slouch": _slouch_hat,
    "kepi": _kepi,
    "fur": _fur_cap,
    "knitted": _knitted_cap,
}
