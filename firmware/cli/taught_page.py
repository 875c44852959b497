"""A page with all cards of a deck as they were cut out of the pictures that taught them."""

import os
from base64 import b64encode

import cv2
from markupsafe import Markup

from firmware.language.catalogues import preferred_language
from firmware.language.speaking import _
from vision.pictures import Picture
from vision.teaching.taught_decks import TaughtDeck

PAGE = Markup("""<!doctype html>
<html lang="{lang}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{name}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 1rem/1.4 Cabin, system-ui, sans-serif; margin: 1.5rem; background: #f3e3c3; color: #1d2030; }}
main {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 1rem; }}
figure {{ margin: 0; padding: .75rem; background: #fffdf8; border-radius: .5rem; }}
figure div {{ display: flex; flex-wrap: wrap; gap: .4rem; }}
img {{ height: 11rem; outline: 1px solid #1d2030; }}
figcaption {{ font-weight: 700; overflow-wrap: anywhere; }}
@media (prefers-color-scheme: dark) {{
  body {{ background: #12142b; color: #fdf3df; }}
  figure {{ background: #1d2045; }}
}}
</style>
<h1>{name}</h1>
<p>{help}</p>
<main>{cards}</main>
</html>
""")
CARD = Markup("<figure><div>{pictures}</div><figcaption>{face} × {count}</figcaption></figure>\n")
PICTURE = Markup('<img src="data:image/jpeg;base64,{data}" alt="">')
HEIGHT, QUALITY = 264, 82
"""Pixels of a card's height, and how finely it is kept: enough to see how it was cut."""


def draw_taught_page(taught: TaughtDeck) -> bytes:
    """Draw the page; it needs no other file."""
    cards = Markup("").join(
        CARD.format(
            pictures=Markup("").join(map(_picture, pictures)), face=face, count=taught.counts.get(face, 1)
        )
        for face, pictures in taught.faces.items()
    )
    told = _(
        "Each card should fill its picture, upright and to its edges. Where one doesn't, teach that face again."
    )
    drawn = PAGE.format(lang=preferred_language(os.environ), name=taught.name, help=told, cards=cards)
    return drawn.encode()


def _picture(picture: Picture) -> Markup:
    wide = max(1, round(HEIGHT * picture.shape[1] / picture.shape[0]))
    small = cv2.resize(picture, (wide, HEIGHT), interpolation=cv2.INTER_AREA)
    packed = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
    return PICTURE.format(data=b64encode(packed.tobytes()).decode())
