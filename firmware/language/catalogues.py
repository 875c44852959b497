"""Loads catalogues: texts are English in the code, and `referee/languages/` translates them."""

import gettext
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from string import Formatter
from typing import TYPE_CHECKING

from firmware.state_folder import chosen_for_start
from vision.files import read_json_or

if TYPE_CHECKING:
    from babel.messages import Catalog, Message

ENGLISH = "en"
GAMES_OF_OTHERS: list[str] = []
"""Packages of games that may have their own catalogues, in a folder `languages`."""
LOADED: dict[str, gettext.NullTranslations] = {}
"""Loaded languages by code; commands load theirs before games are found."""


def languages() -> tuple[str, ...]:
    catalogues = (path.name for path in files("referee.languages").iterdir())
    return (ENGLISH, *sorted(name.removesuffix(".po") for name in catalogues if name.endswith(".po")))


def add_catalogues(package: str) -> None:
    """Add the catalogues of a game's package to all languages."""
    GAMES_OF_OTHERS.append(package)
    for code, spoken in LOADED.items():
        _add_catalogue(spoken, package, code)


def language(code: str) -> gettext.NullTranslations:
    """Load a language; its catalogue is an editable text file, compiled on loading."""
    if code not in LOADED:
        is_english, file = code == ENGLISH, files("referee.languages") / f"{code}.po"
        LOADED[code] = spoken = gettext.NullTranslations() if is_english else _compile(_messages(file))
        for package in () if is_english else GAMES_OF_OTHERS:
            _add_catalogue(spoken, package, code)
    return LOADED[code]


class SpokenLanguages(Mapping[str, gettext.NullTranslations]):
    """The available languages by code, each loaded on first use; listed once, as each request looks them up."""

    def __init__(self) -> None:
        self._codes = languages()

    def __getitem__(self, code: str) -> gettext.NullTranslations:
        if code not in self._codes:
            raise KeyError(code)
        return language(code)

    def __iter__(self) -> Iterator[str]:
        return iter(self._codes)

    def __len__(self) -> int:
        return len(self._codes)


def _add_catalogue(spoken: gettext.NullTranslations, package: str, code: str) -> None:
    # a broken catalogue of a plug-in is ignored
    with suppress(Exception):
        file = files(package) / "languages" / f"{code}.po"
        if file.is_file():
            catalogue = _messages(file)
            for message in _misplaced(catalogue):
                message.string = ""
            spoken.add_fallback(_compile(catalogue))


def catalogue_faults(package: str, texts: Collection[str]) -> Iterator[str]:
    """Yield the faults of a package's catalogues; `texts` are those of a game, in English."""
    folder = files(package) / "languages"
    for file in folder.iterdir() if folder.is_dir() else ():
        try:
            catalogue = _messages(file)
        except Exception as error:  # noqa: BLE001 - a stranger's may be broken in any way
            yield f"languages/{file.name} can't be read, so all its texts stay English: {error}."
            continue
        for message in (odd := _misplaced(catalogue)):
            yield f"languages/{file.name}: {message.string!r} names a place that its English hasn't."
        for message in catalogue:
            if message.id and message.string and message not in odd and not _fits(message.id, message.string):
                yield f"languages/{file.name}: {message.string!r} leaves out a place that its English has."
        ours = files("referee.languages") / file.name
        known = [catalogue, *([_messages(ours)] if ours.is_file() else [])]
        there = {_english(message) for each in known for message in each if message.string}
        if missing := [text for text in texts if text not in there]:
            told = f"{len(missing)} of {len(texts)} texts aren't translated, such as {missing[0]!r}."
            yield f"languages/{file.name}: {told}"


def _english(message: "Message") -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _misplaced(catalogue: "Catalog") -> tuple["Message", ...]:
    """Return translations with a placeholder that their English text lacks; formatting them would raise."""
    return tuple(each for each in catalogue if each.id and not _fits(each.string or "", each.id))


def _fits(told: str | Iterable[str], texts: str | Iterable[str]) -> bool:
    try:
        return _places(told) <= _places(texts)
    except ValueError:
        return False


def _places(texts: str | Iterable[str]) -> set[tuple[str | None, str | None]]:
    every = (texts,) if isinstance(texts, str) else texts
    return {(name, form) for text in every for _before, name, form, _how in Formatter().parse(text)} - {
        (None, None)
    }


def _messages(file: Traversable) -> "Catalog":
    from babel.messages.pofile import read_po

    with file.open("rb") as catalogue:
        return read_po(catalogue, abort_invalid=True)


def _compile(catalogue: "Catalog") -> gettext.GNUTranslations:
    from babel.messages.mofile import write_mo

    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def preferred_language() -> str:
    """Return the host's choice if this process is the table itself, or else the environment's language."""
    # only a supervised table has a host's choice
    file = chosen_for_start() if os.environ.get("NOTIFY_SOCKET") else None
    chosen = None if file is None else read_json_or(file, dict[str, object], {}).get("language")
    return chosen if isinstance(chosen, str) and chosen in languages() else environment_language()


def environment_language() -> str:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        for wish in os.environ.get(variable, "").split(":"):
            code = wish.split(".")[0].split("_")[0].lower()
            if code in languages():
                return code
            if code in {"c", "posix"}:
                return ENGLISH
    return ENGLISH
