"""Suits laid out in two rows, as hands do, and photographed: what a deck from home is taught by."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from hardware.decks.art.piquet import FRENCH
from hardware.decks.print.raster import picture as rastered
from hardware.twin.rendering.renderer import Faces, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneLight, SceneTable, Surface

CAMERA = SceneCamera(at=(0.0, 0.0, 620.0), resolution=(1520, 1140), focal=1170.0)


@cache
def ours(face: str) -> np.ndarray:
    return np.asarray(rastered(FRENCH.draw_face(face), 8.0))


def laid(
    rows: Sequence[Sequence[str]],
    faces: Faces = ours,
    surface: Surface = "felt",
    light: SceneLight | None = None,
) -> np.ndarray:
    """Lay cards in rows, as hands do, and photograph them; no face is a place that is left empty."""
    rng = np.random.default_rng(len(surface))
    cards = tuple(
        SceneCard(
            face,
            74.0 * (place - 3) + float(rng.normal(0, 2)),
            104.0 * line - 52 + float(rng.normal(0, 2)),
            float(rng.normal(0, 2.5)),
        )
        for line, row in enumerate(rows)
        for place, face in enumerate(row)
        if face
    )
    return render(Scene(CAMERA, SceneTable(surface, plates=()), light or SceneLight(), cards), faces).picture
