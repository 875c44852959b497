"""What is shared: films and pictures from the command line and from the pages' process; an evening in words."""

import base64
import gzip
import json
import os
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from firmware.start.film_making import MOST_BYTES, film_bytes, score_card_bytes
from firmware.start.pages.film_door import FilmMaker
from firmware.storage.journal import open_journal
from referee.contract import Game
from referee.film import film_of
from referee.games.catalogue import GAMES
from referee.record import record_lines, what_if_lines
from tests.firmware.conftest import Coyote
from tests.webui.coyote_round import keep_picture, reveal_cards
from tests.webui.matches import play_match
from tests.webui.room import match_of

LARGEST = 1_000_000
"""Bytes of a film without pictures of the camera."""
NAMES = ("Ана </script><b>", "李", "Bo")


def packed_in(film: bytes) -> dict[str, Any]:
    """Unpack all moments of a film, as its script does."""
    found = re.search(rb'id="film-steps-packed">([^<]*)</script>', film)
    assert found is not None
    unpacked: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(found[1])))
    return unpacked


def steps_in(film: bytes) -> list[str]:
    whole = packed_in(film)
    return [
        "\n".join(whole["lines"][line] for block in step for line in whole["blocks"][block])
        for step in whole["steps"]
    ]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_film_holds_all_that_it_needs(game: Game) -> None:
    match = play_match(game, NAMES)
    film = film_bytes(record_lines(match), "en")
    assert film is not None
    assert len(film) < LARGEST
    steps = steps_in(film)
    assert len(steps) == match.number + 1
    text = film.decode() + "".join(steps)
    assert not re.search(r'(?<!data-)(?:src|href)="(?!#|data:)', text)
    assert "http://" not in text.replace("http://www.w3.org/", "")
    assert "</script><b>" not in text
    pictures = packed_in(film)["pictures"]
    assert {int(number) for number in re.findall(r'data-src="(\d+)"', text)} == set(range(len(pictures)))
    assert all(picture.startswith("data:image/svg+xml;base64,") for picture in pictures)


def test_a_film_allows_its_own_script_and_style_alone() -> None:
    film = film_bytes(record_lines(play_match(GAMES["coyote"])), "fr")
    assert film is not None
    text = film.decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert "default-src &#39;none&#39;" in policy[1]
    assert "unsafe" not in policy[1]
    assert text.count("<script") == 2
    assert text.count("<style>") == 1
    assert " style=" not in text
    assert 'lang="fr"' in text


def test_a_film_takes_pictures_of_standing_answers_within_bounds(tmp_path: Path) -> None:
    match = reveal_cards(match_of())
    keep_picture(tmp_path, match="7")
    with_pictures = film_bytes(record_lines(match), "en", tmp_path / "evidence", 7)
    without = film_bytes(record_lines(match), "en")
    assert with_pictures is not None
    assert without is not None
    jpegs = [each for each in packed_in(with_pictures)["pictures"] if each.startswith("data:image/jpeg")]
    assert len(jpegs) == 1
    assert sum(map(len, jpegs)) < MOST_BYTES
    assert not any("jpeg" in each for each in packed_in(without)["pictures"])
    assert "As the camera saw them" in steps_in(with_pictures)[match.number]


def test_what_could_have_happened_says_so_in_its_film() -> None:
    match = play_match(GAMES["coyote"])
    film = film_bytes(what_if_lines(match, 5), "en")
    assert film is not None
    assert b"From moment 5 on nothing of this was played" in film
    steps = steps_in(film)
    assert ["ribbon" in step for step in steps] == [number > 5 for number in range(len(steps))]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_final_score_is_a_picture_for_a_chat(game: Game) -> None:
    png = score_card_bytes(record_lines(play_match(game, NAMES)), "fr")
    assert png is not None
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (630, 1200, 3)
    # the sun, ink and paper are there
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 100


def test_nothing_is_made_of_what_is_no_match() -> None:
    assert film_bytes(["hello"], "en") is None
    assert score_card_bytes([], "en") is None


def test_the_pages_have_films_made_by_a_process(tmp_path: Path) -> None:
    record, maker = record_lines(play_match(GAMES["coyote"], moments=6)), FilmMaker(tmp_path / "evidence")
    film = maker.film(record, "en", 3)
    assert film is not None
    assert len(steps_in(film)) == 7
    card = maker.score_card(record, "en")
    assert card is not None
    assert card.startswith(b"\x89PNG")
    assert maker.score_card(record, "en") is card
    assert maker.film(["no match"], "en") is None


# the command line


def test_a_match_becomes_a_film_and_a_picture(coyote: Coyote, tmp_path: Path) -> None:
    match = play_match(GAMES["coyote"])
    with open_journal(Path(os.environ["COYOTE_JOURNAL"])) as opened:
        opened.journal.begin(match)
    assert coyote(f"film 1 --out {tmp_path}/film.html").code == 0
    assert len(steps_in((tmp_path / "film.html").read_bytes())) == film_of(match).last + 1
    assert coyote(f"film 1 --out {tmp_path}/score.png").code == 0
    assert (tmp_path / "score.png").read_bytes().startswith(b"\x89PNG")
    saved = tmp_path / "what-if.jsonl"
    saved.write_text("\n".join(what_if_lines(match, 2)), encoding="utf-8")
    assert coyote(f"film {saved} --out {tmp_path}/film.html").code == 0
    for command in (f"replay {saved}", f"add {saved}"):
        said = coyote(command)
        assert said.code == 1
        assert "from moment 2 on nothing of this was played" in said.err


def test_what_can_not_be_filmed_is_told_in_a_line(coyote: Coyote, tmp_path: Path) -> None:
    with open_journal(Path(os.environ["COYOTE_JOURNAL"])) as opened:
        opened.journal.begin(play_match(GAMES["coyote"], moments=3))
    bad = tmp_path / "bad.jsonl"
    bad.write_text("hello", encoding="utf-8")
    for match, why in (("7", "no such match"), ("x", "no match and no file"), (str(bad), "first line")):
        said = coyote(f"film {match} --out {tmp_path}/film.html")
        assert said.code == 1
        assert why in said.err
        assert said.err.count("\n") == 1
    said = coyote(f"film 1 --out {tmp_path}/film.txt")
    assert said.code == 2
    assert "has to end with" in said.err
    assert not (tmp_path / "film.html").exists()


def test_an_evening_is_told(coyote: Coyote) -> None:
    with open_journal(Path(os.environ["COYOTE_JOURNAL"])) as opened:
        for name in ("coyote", "coup"):
            opened.journal.begin(play_match(GAMES[name]))
    said = coyote("evening 2026-01-02")
    assert said.code == 0
    assert said.out.startswith("Evening of 2026-01-02\n")
    assert "20:00 Coup: " in said.out
    assert "Matches won: " in said.out
    missing = coyote("evening 2026-01-05")
    assert missing.code == 1
    assert "no match of that evening" in missing.err
