"""The texts of the club's pages: each is used, pages name only those that exist, French has them all."""

import re
from pathlib import Path

import pytest

from firmware.club.tournament.values import Movement, Problem
from firmware.language.catalogues import language
from referee.contract.words import Phrase
from webui.club.words import MOVEMENTS, PROBLEMS, ClubTexts
from webui.drawing.words import Texts

ROOT = Path(__file__).parents[3] / "webui"


def test_templates_name_only_texts_that_exist_and_every_text_is_used() -> None:
    own = {name for name, value in vars(ClubTexts).items() if isinstance(value, Phrase)}
    every = {name for name in dir(ClubTexts) if isinstance(getattr(ClubTexts, name), Phrase)}
    drawn = "".join(path.read_text("utf-8") for path in (ROOT / "templates" / "club").iterdir())
    code = "".join(path.read_text("utf-8") for path in (ROOT / "club").rglob("*.py"))
    in_templates = set(re.findall(r"\btexts\.(\w+)", drawn))
    assert in_templates <= every
    assert own <= in_templates | set(re.findall(r"\bClubTexts\.(\w+)", code))
    assert not own & set(dir(Texts))
    assert not re.search(r"say\([\"']", drawn)


def test_each_problem_and_each_movement_has_words() -> None:
    assert set(PROBLEMS) == set(Problem)
    assert set(MOVEMENTS) == set(Movement)


@pytest.mark.parametrize(
    "texts", [vars(ClubTexts), PROBLEMS, MOVEMENTS], ids=["pages", "problems", "movements"]
)
def test_every_text_is_french(texts: dict[str, Phrase]) -> None:
    french = language("fr")
    same = {
        name
        for name, text in texts.items()
        if isinstance(text, Phrase) and french.gettext(text.one) == text.one
    }
    # these are the same in both languages
    assert same <= {"the_club", "spread", "places_moved", "exports", "points", "tables", "table_number"}
