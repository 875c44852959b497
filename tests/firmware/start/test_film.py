"""Shared films, pictures and evenings, by command and by the pages' processes."""

import base64
import gzip
import json
import os
import re
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image

from firmware.services.score_card import score_card_png
from firmware.storage.journal import open_journal
from hardware.decks.drawing import printable_text
from referee.film import film_of
from referee.games.catalogue import GAMES
from referee.match import EndMatch, hear
from referee.record import record_lines
from tests.firmware.conftest import Coyote
from tests.given import allowed
from tests.tiers import slow, tiered
from tests.webui.matches import keep_picture, play_match, reveal_cards
from tests.webui.room import match_of
from webui.server.film_making import MOST_BYTES, FilmMaker, FilmRequest, film_bytes, score_card_bytes
from webui.views.final_score import final_score

LARGEST = 1_000_000  # bytes of a film without camera pictures
NAMES = ("Ана </script><b>", "李", "Bo")
PLAYED = tiered(("coyote",), tuple(GAMES))


def packed_in(film: bytes | None) -> dict[str, Any]:
    assert film is not None
    found = re.search(rb'id="film-steps-packed">([^<]*)</script>', film)
    assert found is not None
    unpacked: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(found[1])))
    return unpacked


def steps_in(film: bytes | None) -> list[str]:
    whole = packed_in(film)
    return [
        "\n".join(whole["lines"][line] for block in step for line in whole["blocks"][block])
        for step in whole["steps"]
    ]


@pytest.mark.parametrize("name", PLAYED)
def test_film_and_final_score_are_self_contained(name: str) -> None:
    match = play_match(GAMES[name], NAMES)
    film, png = (make(FilmRequest(tuple(record_lines(match)), "fr")) for make in (film_bytes, score_card_bytes))
    assert film is not None
    assert png is not None
    assert len(film) < LARGEST
    steps, whole = steps_in(film), film.decode()
    assert len(steps) == match.number + 1
    text = whole + "".join(steps)
    assert not re.search(r'(?<!data-)(?:src|href)="(?!#|data:)', text)
    assert "http://" not in text.replace("http://www.w3.org/", "")
    assert "</script><b>" not in text
    pictures = packed_in(film)["pictures"]
    assert {int(number) for number in re.findall(r'data-src="(\d+)"', text)} == set(range(len(pictures)))
    assert all(picture.startswith("data:image/svg+xml;base64,") for picture in pictures)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', whole)
    assert "default-src &#39;none&#39;" in policy
    assert "unsafe" not in policy
    assert (whole.count("<script"), whole.count("<style>"), whole.count(" style=")) == (2, 1, 0)
    picture = np.asarray(Image.open(BytesIO(png)).convert("RGB"))
    assert picture.shape == (630, 1200, 3)
    # sun, ink and paper are defined
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 100


def test_final_score_shows_seat_for_undrawable_name() -> None:
    names = ("Ana \N{WOLF FACE}", "李", "مريم")
    score = final_score(play_match(GAMES["coyote"], names), NullTranslations())
    assert {line.seat: line.name for line in score.lines} == {0: names[0], 1: "Seat 2", 2: "Seat 3"}
    assert not {"李", "مريم"} & set(score.result.split())
    assert printable_text(names[0]) == "Ana"


def test_final_score_leaves_the_cards_uncovered() -> None:
    names = tuple("Wilhelmina the Great"[: 20 - seat] for seat in range(6))
    match = play_match(GAMES["coyote"], names, moments=9)
    score = final_score(allowed(hear(match, EndMatch(match.number))), NullTranslations())
    assert score.facts.endswith(" · ended early by the host")
    blank = replace(score, title="", result="", lines=())
    drawn, cards = (
        np.asarray(Image.open(BytesIO(score_card_png(each))).convert("RGB")) for each in (score, blank)
    )
    changed = np.flatnonzero((drawn != cards).any(axis=(0, 2)))
    # a column between the text and the leftmost card
    assert changed[-1] < 655


def test_film_has_limited_pictures_of_valid_answers(tmp_path: Path) -> None:
    record = record_lines(reveal_cards(match_of()))
    keep_picture(tmp_path, match="7")
    shown, without = (
        [each for each in packed_in(film)["pictures"] if each.startswith("data:image/jpeg")]
        for film in (
            film_bytes(FilmRequest(tuple(record), "en", tmp_path / "evidence", 7)),
            film_bytes(FilmRequest(tuple(record), "en")),
        )
    )
    assert (len(shown), without) == (1, [])
    assert len(shown[0]) < MOST_BYTES


@slow("a process makes films and pictures")
def test_pages_make_films_in_a_process(tmp_path: Path) -> None:
    record, maker = record_lines(play_match(GAMES["coyote"], moments=6)), FilmMaker(tmp_path / "evidence")
    assert len(steps_in(maker.film(record, "en", 3))) == 7
    card = maker.score_card(record, "en")
    assert card is not None
    assert card.startswith(b"\x89PNG")
    assert maker.score_card(record, "en") is card
    no_match = FilmRequest(("no match",), "en")
    assert film_bytes(no_match) is score_card_bytes(no_match) is None


# the command line


def test_match_is_saved_as_film_and_picture_and_evening_is_summed_up(coyote: Coyote, tmp_path: Path) -> None:
    match = play_match(GAMES["coyote"])
    with open_journal(Path(os.environ["COYOTE_JOURNAL"])) as opened:
        opened.journal.begin(match)
    assert coyote(f"record film 1 --out {tmp_path}/film.html").code == 0
    assert len(steps_in((tmp_path / "film.html").read_bytes())) == film_of(match).last + 1
    assert coyote(f"record film 1 --out {tmp_path}/score.png").code == 0
    assert (tmp_path / "score.png").read_bytes().startswith(b"\x89PNG")
    saved = tmp_path / "match.jsonl"
    saved.write_text("\n".join(record_lines(match)), encoding="utf-8")
    assert coyote(f"record film {saved} --out {tmp_path}/film.html").code == 0
    assert "20:00 Coyote: " in coyote("record evening 2026-01-02").out
    # what can't be filmed is refused in one line
    saved.write_text("hello", encoding="utf-8")
    for which, why in (("7", "no such match"), ("x", "neither a match nor a file"), (saved, "first line")):
        result = coyote(f"record film {which} --out {tmp_path}/none.html")
        assert (result.code, why in result.err, result.err.count("\n")) == (1, True, 1)
    assert coyote(f"record film 1 --out {tmp_path}/film.txt").code == 2
    assert not (tmp_path / "none.html").exists()
