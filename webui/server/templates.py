"""The templates, with what all of them may use; pieces of pages that know no viewer are drawn here."""

from collections.abc import Callable, Mapping
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from firmware.parts.looks import Looks
from referee.contract.words import Phrase, phrase, plural
from referee.telling import LABELLED, Language
from webui.drawing.lamp_words import LAMPS
from webui.drawing.looks import SYMBOL, LookBook
from webui.drawing.words import page_text
from webui.server.static_files import StaticFiles


class Drawer:
    """Draws templates."""

    def __init__(self, looks: Looks) -> None:
        """Set the templates up; each is loaded when first needed."""
        self.book, self.files = LookBook(looks), StaticFiles()
        self.templates = Environment(
            loader=PackageLoader("webui"),
            autoescape=True,
            undefined=StrictUndefined,
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
            "lamp_lines": LAMPS,
            "base": "base.html",
            "place": "",
        }

    def fragment(self, name: str, language: Language, values: Mapping[str, object]) -> str:
        """Draw a piece of a page that knows no viewer, such as a moment of a film."""
        return self.templates.get_template(f"{name}.html").render({"say": say_in(language), **values})

    def _mark(self, name: str, more: str = "") -> Markup:
        """Draw a sign that belongs to no game, such as a tick or the true minus."""
        address = self.files.address("signs.svg")
        return SYMBOL.format(more=f" {more}" if more else "", address=address, name=name)


def say_in(language: Language) -> Callable[..., str]:
    """Give what puts texts of the pages into a language: those of a template stand there in English."""

    def say(text: str | Phrase, **values: object) -> str:
        return page_text(language, Phrase(text) if isinstance(text, str) else text, **values)

    return say
