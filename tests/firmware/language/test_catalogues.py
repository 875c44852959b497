"""Catalogues of plug-in games: broken translations fall back to English and are reported to authors."""

from gettext import NullTranslations
from pathlib import Path

import pytest

from firmware.language import catalogues

FRENCH = """msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgid "{seat:player} begins."
msgstr "{seat:player} commence."

msgid "{seat:player} wins."
msgstr "{seat:joueur} gagne."

msgid "{seat:player} draws."
msgstr "Il perd."

msgid "{count} point"
msgid_plural "{count} points"
msgstr[0] "{count} point"
msgstr[1] "{count points"
"""


def test_translation_with_unknown_placeholder_stays_english_and_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "odd_words" / "languages"
    folder.mkdir(parents=True)
    (folder / "fr.po").write_text(FRENCH)
    (folder / "de.po").write_bytes(b"\xff")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(catalogues, "GAMES_OF_OTHERS", [])
    monkeypatch.setattr(catalogues, "LOADED", {"fr": NullTranslations(), "de": NullTranslations()})
    catalogues.add_catalogues("odd_words")
    french = catalogues.LOADED["fr"]
    assert french.gettext("{seat:player} begins.") == "{seat:player} commence."
    assert french.gettext("{seat:player} wins.") == "{seat:player} wins."
    assert french.ngettext("{count} point", "{count} points", 2) == "{count} points"
    texts = ("{seat:player} begins.", "{seat:player} loses.", "Confirm")
    unread, *found = sorted(catalogues.catalogue_faults("odd_words", texts))
    assert unread.startswith("languages/de.po can't be read, so all its texts stay English: ")
    for told in (
        "'{seat:joueur} gagne.' names a place that its English hasn't.",
        "'Il perd.' leaves out a place that its English has.",
        "1 of 3 texts aren't translated, such as '{seat:player} loses.'.",
    ):
        assert f"languages/fr.po: {told}" in found
    assert len(found) == 4
