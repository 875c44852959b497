"""Requests that forms send to the services, and refused forms: one row each.

`server/test_fuzz.py` sends every form without its token, and the host's forms as other users.
"""

from typing import Any
from urllib.parse import parse_qsl

import pytest
from msgspec.structs import replace

from firmware.storage.errors import JournalError
from firmware.table.effects import BlinkLamp
from firmware.twin.simulated_table import RequestedPose
from tests.webui.fakes import NOW
from tests.webui.room import said
from tests.webui.server.hostile import SEATED, Table, answer_to, plain_attempt, settle
from webui.pages.host.settings import fields_of_choice

Row = tuple[str, str, int, list[tuple[Any, ...]]]
"""A form's path, its fields, the response status, and the requests to the services."""
DAY = "2026-11-21"
LOUD = replace(NOW, sound=replace(NOW.sound, volume=30))
WIDE = replace(NOW, camera=replace(NOW.camera, apart=(800.5, 556.0)))
SETTINGS = {**fields_of_choice(NOW), "volume": "30", "across": "800,5"}
HOSTS: tuple[Row, ...] = (
    ("power", "what=off", 200, [("switch", "off")]),
    ("power", "what=again", 200, [("switch", "again")]),
    *[("power", f"what={what}", 400, []) for what in ("", "halt", "off;reboot", "OFF", "off" * 4000)],
    ("check/lamp", "seat=0", 303, [("do", BlinkLamp(0))]),
    ("check/lamp", "seat=2", 303, [("do", BlinkLamp(2))]),
    ("check/lamp", "seat=table", 303, [("do", BlinkLamp(None))]),
    *[("check/lamp", f"seat={seat}", 400, []) for seat in ("3", "-1", "x", "", "٢", "9" * 50)],
    ("table/open", "", 303, [("open", ("coyote-kidult", "coyote-gigamic", "coyote-oliphante"))]),
    ("table/find", "across= down=", 303, [("find", None)]),
    ("table/find", "across=844,5 down=+556+", 303, [("find", (844.5, 556.0))]),
    ("table/find", "across=844 down=x", 400, []),
    ("table/turn", "", 303, [("turn",)]),
    ("table/keep", "empty=1", 303, [("keep", True)]),
    ("table/keep", "", 303, [("keep", False)]),
    ("table/close", "", 303, [("close",)]),
    ("table/by", "by=cards", 303, [("use", "cards")]),
    ("table/by", "by=markers", 303, [("use", "markers")]),
    ("table/laid", "", 303, [("take_cards",)]),
    ("table/again", "", 303, [("stand_up",)]),
    ("table/refuse", "", 303, [("refuse",)]),
    ("table/forget", "", 303, [("forget_taps",)]),
    ("table/clear", "", 303, [("clear",)]),
    ("table/unclear", "", 303, [("clear", False)]),
    ("table/empty", "", 303, [("take_empty",)]),
    *[(f"table/{step}", "at=640,760", 303, [(step, (640.0, 760.0))]) for step in ("seat", "centre", "tap")],
    *[
        (f"table/{step}", f"at={wrong}", 400, [])
        for step in ("seat", "centre", "tap")
        for wrong in ("", "640", "-1,5", "nan,5", "1e3,5", "٣,5", f"{'9' * 40},5", "1,2,3")
    ],
    *[("table/by", f"by={wrong}", 400, []) for wrong in ("", "taps", "cardsmarkers")],
    ("privacy/forget", f"day={DAY}", 200, [("forget", DAY), ("restart",)]),
    ("privacy/forget", "day=undated", 200, [("forget", "undated"), ("restart",)]),
    *[
        ("privacy/forget", f"day={day}", 404, [])
        for day in ("", "2026-11-20", "../../x", "<b>", DAY * 400)
    ],
    ("copy/restore", "table=b2 name=1.zip", 200, [("restore", "b2", "1.zip"), ("restart",)]),
    ("settings/speech", "", 200, [("choose", LOUD), ("restart",)]),
    ("settings/mat", "", 200, [("choose", WIDE), ("restart",)]),
    ("settings/nothing", "", 404, []),
    ("settings/sound", "", 200, [("try_sound", LOUD)]),
)  # fmt: skip
TURNED = RequestedPose(3.0, 4.0, 90.0, is_up=False)
HANDS: tuple[Row, ...] = (
    ("lay", "where=worn place=0 x=1.5 y=-2", 204, [("lay", SEATED, "worn", 0, RequestedPose(1.5, -2.0))]),
    ("move", "number=7 x=3 y=4 angle=90 up=0", 204, [("move", SEATED, 7, TURNED)]),
    ("lift", "number=7", 204, [("lift", SEATED, 7)]),
    ("take", "number=7", 204, [("take", SEATED, 7)]),
    ("press", "role=call how=long", 204, [("press", SEATED, "call", "long")]),
    ("press", "role=second", 204, [("press", SEATED, "second", "short")]),
    ("press", "role=table", 204, [("press", None, "call", "short")]),
    ("press", "role=turn clicks=-5", 204, [("turn", -5)]),
    ("press", "role=push", 204, [("press", None, "push", "short")]),
    ("mischief", "what=black", 409, []),
    ("mischief", "what=well", 409, []),
    ("bring", "", 204, [("bring",)]),
    ("bring", "back=1", 204, [("put_back",)]),
    *[
        (where, fields, 409, [])
        for where, fields in (
            ("lay", "where=worn"),
            ("move", "number=7 x=nan y=0"),
            ("move", "number=7 x=9e99 y=0"),
            ("move", "number=x x=0 y=0"),
            ("take", "number=²"),
            ("press", "role=a"),
            ("press", f"role=turn clicks={'9' * 20}"),
            ("press", "role=call how=for-ever"),
            ("bot", "seat=2"),
            ("bot", "seat=99"),
        )
    ],
)


def name_of(value: object) -> str | None:
    return value[:30].encode("ascii", "replace").decode() if isinstance(value, str) else ""


def fields_of(row: str) -> dict[str, str]:
    """Parse a row's fields: they are separated by spaces, and a plus is a space in a value."""
    return dict(parse_qsl(row, keep_blank_values=True, separator=" "))


def tried(table: Table, who: str, path: str, fields: dict[str, str]) -> tuple[int, list[tuple[Any, ...]], str]:
    with answer_to(table, plain_attempt(table, "POST", path, who, fields)) as (code, pieces):
        assert not any(("restart",) in service.asked for service in table.services.values())
        assert ("restart",) not in table.client.actions
        text = b"".join(pieces).decode()
    asked = [*(each for service in table.services.values() for each in service.asked), *table.client.actions]
    settle(table)
    return code, asked, text


@pytest.mark.parametrize(("where", "fields", "code", "asked"), HOSTS, ids=name_of)
def test_host_forms_send_requests(
    table: Table, where: str, fields: str, code: int, asked: list[tuple[Any, ...]]
) -> None:
    usual = SETTINGS if where.startswith("settings") else {}
    assert tried(table, "host", f"/host/{where}", {**usual, **fields_of(fields)})[:2] == (code, asked)


@pytest.mark.parametrize(("where", "fields", "code", "asked"), HANDS, ids=name_of)
def test_twin_forms_send_requests(
    table: Table, where: str, fields: str, code: int, asked: list[tuple[Any, ...]]
) -> None:
    assert tried(table, "seat", f"/twin/{where}", {**fields_of(fields), "quiet": "1"})[:2] == (code, asked)


@pytest.mark.parametrize(
    ("client", "asked", "where", "fields"),
    [
        ("sound", "play", "loudspeakers/play", {"card": "Device"}),
        ("sound", "choose", "loudspeakers", {"card": "Device"}),
        ("finder", "keep", "table/keep", {}),
        ("privacy", "forget", "privacy/forget", {"day": DAY}),
        ("copies", "restore", "copy/restore", {"table": "b2", "name": "1.zip"}),
    ],
)
def test_failed_restart_is_reported(
    table: Table, client: str, asked: str, where: str, fields: dict[str, str]
) -> None:
    told = "The <disk> is full."
    hindered = JournalError("journal trouble", path="J", why=told)
    answer = {"sound": told, "finder": said(told), "privacy": hindered}.get(client, OSError(told))
    table.services[client].answers[asked] = answer
    try:
        code, done, text = tried(table, "host", f"/host/{where}", fields)
    finally:
        table.services[client].answers.clear()
    assert (code, "The &lt;disk&gt; is full." in text, ("restart",) in done) == (409, True, False)
    assert "Did you hear" not in text
