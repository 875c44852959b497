"""Templates with their shared functions, and fragments that don't depend on the viewer."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from mimetypes import guess_type
from typing import TYPE_CHECKING

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from firmware.language.speaking import Sentence
from referee.contract.words import Phrase, phrase, plural
from referee.sentences import LABELLED, Language
from webui.views.looks import SYMBOL, Look, LookBook
from webui.views.words import LAMPS, page_text

if TYPE_CHECKING:
    from firmware.services.looks import Looks

FOLDERS = ("templates", *(f"templates/{group}" for group in ("players", "host", "film", "twin")))
"""Shared fragments first, then the pages, grouped like their modules; names are unique."""


class Drawer:
    """Renders templates."""

    def __init__(self, looks: "Looks", *packages: str) -> None:
        self.book, self.files = LookBook(looks), static_files(*packages)
        ours = [PackageLoader("webui", folder) for folder in FOLDERS]
        self.templates = Environment(
            loader=ChoiceLoader([*ours, *map(PackageLoader, packages)]),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=_worded,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self.templates.globals |= {
            "phrase": phrase,
            "plural": plural,
            "labelled": LABELLED,
            "file": self.files.address,
            "mark": cache(self._mark),
            "emblem": self._emblem,
            "lamp_lines": LAMPS,
            "base": "base.html",
            "place": "",
        }

    def fragment(self, name: str, language: Language, values: Mapping[str, object]) -> str:
        """Render a fragment that doesn't depend on the viewer, such as a moment of a film."""
        return self.templates.get_template(f"{name}.html").render({"say": say_in(language), **values})

    def _mark(self, name: str, more: str = "") -> Markup:
        """Return a symbol that belongs to no game, such as a tick or the true minus."""
        address = self.files.address("signs.svg")
        return SYMBOL.format(more=f" {more}" if more else "", address=address, name=name)

    def _emblem(self, look: Look) -> Markup:
        """Return a game's symbol, or a card if it has none."""
        return look.sign(look.tab) or self._mark("card")


@pass_context
def _worded(context: Context, value: object) -> object:
    return context["say"](value) if isinstance(value, Sentence) else value


def say_in(language: Language) -> Callable[..., str]:
    """Return the function that translates page texts; templates contain them in English."""

    def say(text: str | Phrase | Sentence, **values: object) -> str:
        if isinstance(text, Sentence):
            return text.told(language)
        return page_text(language, Phrase(text) if isinstance(text, str) else text, **values)

    return say


KINDS = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".woff2": "font/woff2"}


class StaticFiles:
    """All files in the `static` folders of some packages, by name."""

    def __init__(self, *packages: str) -> None:
        self._content = {
            name: content for each in ("webui", *packages) for name, content in _read(files(each) / "static")
        }
        every = b"".join(name.encode() + content for name, content in sorted(self._content.items()))
        self.version = sha256(every).hexdigest()[:10]

    def address(self, name: str) -> str:
        """Return the versioned address of a file; its relative links resolve to the same version."""
        if name not in self._content:
            raise KeyError(name)
        return f"/file/{self.version}/{name}"

    def content(self, name: str) -> bytes | None:
        return self._content.get(name)

    def kind(self, name: str) -> str:
        ending = name[name.rfind(".") :]
        return KINDS.get(ending) or guess_type(name)[0] or "application/octet-stream"


@cache
def static_files(*packages: str) -> StaticFiles:
    """Return the files of some packages, read once: they don't change while the program runs."""
    return StaticFiles(*packages)


def _read(folder: Traversable, before: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        name = f"{before}{entry.name}"
        if entry.is_dir():
            yield from _read(entry, f"{name}/")
        else:
            yield name, entry.read_bytes()
