"""Every page, and what holds for all of them."""

import re
from pathlib import Path

import pytest

from referee.contract.words import Phrase
from tests.webui.room import Room
from webui.club.words import ClubTexts
from webui.drawing.words import Texts

ROOT = Path(__file__).parents[2] / "webui"
TEMPLATES = ROOT / "templates"


@pytest.mark.parametrize("page", ["/", "/join", "/seat", "/host", "/history", "/nothing"])
def test_every_page_is_guarded(room: Room, page: str) -> None:
    response = room.browser().get(page)
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_templates_hold_no_script_no_style_and_no_colon_that_a_language_sets_differently() -> None:
    # a film as a file has all in itself
    for template in set(TEMPLATES.rglob("*.html")) - {TEMPLATES / "film_file.html"}:
        drawn = template.read_text(encoding="utf-8")
        assert not re.search(r"[}>]\s*[:;!]\s", drawn), template
        assert not re.search(r"<[^>{]*\s(style|on\w+)=", drawn), template
        assert set(re.findall(r"<script[^>]*>(.*?)</script>", drawn, re.DOTALL)) <= {""}, template


def test_pages_speak_the_language_of_the_phone(room: Room) -> None:
    page = room.browser().get("/", {"Accept-Language": "fr-CH, fr;q=0.9, en;q=0.8"}).text
    assert '<html lang="fr">' in page
    assert '<html lang="en">' in room.browser().get("/", {"Accept-Language": "xx"}).text


@pytest.mark.parametrize(
    ("texts", "templates", "code"),
    [(Texts, TEMPLATES, ROOT), (ClubTexts, TEMPLATES / "club", ROOT / "club")],
    ids=["table", "club"],
)
def test_templates_name_only_texts_that_exist_and_every_text_is_used(
    texts: type, templates: Path, code: Path
) -> None:
    own = {name for name in dir(texts) if isinstance(getattr(texts, name), Phrase)}
    own -= set() if texts is Texts else set(dir(Texts))
    drawn = "".join(path.read_text("utf-8") for path in templates.glob("*.html"))
    written = "".join(path.read_text("utf-8") for path in code.rglob("*.py"))
    in_templates = set(re.findall(r"\btexts\.(\w+)", drawn))
    assert all(isinstance(getattr(texts, name, None), Phrase) for name in in_templates)
    assert own <= in_templates | set(re.findall(rf"\b{texts.__name__}\.(\w+)", written))
    assert not re.search(r"say\([\"']", drawn)
