"""Sentences of a moment are generated once: other code arranges the moment view's texts."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OF_A_MOMENT = frozenset((
    "aside_text", "bare_question_text", "card_row_text", "fact_view", "headline_view", "question_text",
    "question_texts", "reveal_view", "situation_text", "track_text", "verdict_text", "short_name",
))  # fmt: skip
"""Functions of `referee/sentences.py` that only the moment view calls."""
OF_AN_ANSWER = frozenset((
    "card_answer_text", "cell_text", "effect_text", "ending_view", "hint_text", "short_option_text",
    "suit_text",
))  # fmt: skip
"""Functions that only answer views call; the dial also names single options, as it has no page."""
ROOMS = ("webui", "firmware/integrations", "firmware/board/outputs", "firmware/twin", "plugins/club/club")


def _imports(room: str) -> Iterator[tuple[str, str]]:
    for file in sorted((ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "referee.sentences":
                yield from ((str(file.relative_to(ROOT)), alias.name) for alias in node.names)


@pytest.mark.parametrize("room", ROOMS)
def test_moment_sentences_come_from_the_moment_view(room: str) -> None:
    told = OF_A_MOMENT | OF_AN_ANSWER | ({"option_text"} if room != "firmware/board/outputs" else set())
    assert [(file, name) for file, name in _imports(room) if name in told] == []


def test_views_of_a_page_receive_the_moment_view() -> None:
    """Only films, scores and stories of whole matches build views of moments themselves."""
    views = (ROOT / "webui" / "views").glob("*.py")
    building = {file.stem for file in views if "view_of(match" in file.read_text(encoding="utf-8")}
    assert building == {"film_step", "final_score", "match_story"}
