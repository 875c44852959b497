"""All routes of a table, their places filled in, and fields that make sense to their forms."""

import re

from flask import Flask

from tests.webui.coyote_round import REVEAL
from tests.webui.fakes import NOW
from webui.pages.host.settings import fields_of_choice

PLACES = {"heard_at": str(REVEAL), "ask": "reveal", "number": "1", "seat": "0", "name": str(REVEAL)}
SENSIBLE = """
moment=4 what=off card=Device level=play minutes=5 sound=on deck=coup face=duke count=1 day=2026-11-21 player=Bo
game=coup place=/media/A table=a1 name= seat=2 strike=1 hint=off seat-0=Ana seat-1=Bo number=7 x=3 y=4 up=1
angle=0 where=worn role=call how=short to=0 clicks=1 span=0-0-0-1
"""
FIELDS = {
    **fields_of_choice(NOW),
    **{f"{axis}{corner}": str(10 + corner) for axis in "xy" for corner in range(4)},
    **dict(field.split("=") for field in SENSIBLE.split()),
}
"""What makes sense to one form or another."""


def paths_of(app: Flask, method: str) -> list[str]:
    """List all routes of a method, with places filled in that there are."""
    rules = [rule for rule in app.url_map.iter_rules() if method in (rule.methods or ())]
    assert rules
    return sorted({re.sub(r"<(?:\w+:)?(\w+)>", lambda at: PLACES.get(at[1], "x"), r.rule) for r in rules})
