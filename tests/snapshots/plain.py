"""Pages, events and files as reproducible lines, without random and time-dependent parts."""

import re
from html.parser import HTMLParser

EMPTY = frozenset(
    {"area", "br", "hr", "img", "input", "link", "meta", "source", "use", "path", "circle", "rect"}
)
UNSEEN = frozenset({"head", "template"})
"""Elements that are omitted with their content, except the title."""
DRAWN = frozenset({"svg"})
"""Drawings, represented by their class and symbols instead of their paths."""
CHANCE = (
    # excludes a match after a digit: a clock's seconds may have twelve digits, too
    (r"(?<=data-ends=')[\d.]+", "*"),
    (r"(/(?:file|look|cards)/)[0-9a-f]{10}\b", r"\1*"),
    (r"\bhttps?://[\w.:-]*\d(?=[/\s\"'<]|$)", "http://table"),
    (r"\b(?:127\.0\.0\.1|192\.0\.2\.\d+)(?::\d+)?", "table"),
    (r"\b[0-9a-f]{64}\b|\b(?=[a-f]*\d)[0-9a-f]{12}\b|(?<=name='device' value=')[0-9a-f]{10}", "*"),
    (r"(?<=createPlay\.html\?data=)[^']+", "*"),
    (r"\b\d+ min, (?:active|dernier signe)[^”·]*", "SINCE"),
    (r" · \d+ minutes?\b", ""),
    (r"(?<=class='code' “)[A-Z]{6,7}", "*"),
    (r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[+-]\d\d:\d\d|Z)?)?", "DATE"),
    (r"\b[0-9A-F]{2}(?::[0-9A-F]{2}){31}\b", "FINGERPRINT"),
    (r"\b\d\d?:\d\d(?::\d\d)?(?:\s[AP]M)?\b", "TIME"),
    (r"\b\d+(?:[.,]\d+)?[ \u202f\u00a0](?:kB|MB|GB|ko|Mo|Go)\b", "SIZE"),
)
"""Parts that vary between evenings, and their replacements."""

WORDS = re.compile(r"“.*”$|\b(?:lang|alt|aria-label|data-[a-z-]+)=(?:'[^']*'|\"[^\"]*\")", re.MULTILINE)
"""Parts of a plain page that a translation changes."""


def without_random_parts(text: str, secrets: tuple[str, ...] = ()) -> str:
    for secret in secrets:
        text = text.replace(secret, "SECRET")
    for pattern, sign in CHANCE:
        text = re.sub(pattern, sign, text)
    return text


def without_words(page: str) -> str:
    """Reduce a plain page to the parts shared by all languages."""
    return WORDS.sub("", page)


def plain_page(html: str) -> str:
    """Format a page as lines: an element with its attributes, or a text, indented by depth."""
    page = _Lines()
    page.feed(html)
    page.close()
    return "\n".join(page.lines) + "\n"


class _Lines(HTMLParser):
    """Collects the lines of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._open: list[str] = []
        self._text = ""
        self._is_begun = False
        """Whether the last line is an element without content, so that text may follow on it."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._end_text()
        if self._is_shown() or tag == "title":
            self._add(" ".join([tag, *_attributes(attrs)]))
        elif tag == "use" and DRAWN & set(self._open):
            self._add("sign " + str(dict(attrs).get("href")).rpartition("#")[2])
        if tag not in EMPTY:
            self._open.append(tag)
            self._is_begun = self._is_shown()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        self._end_text()
        self._is_begun = False
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        self._text += data

    def _end_text(self) -> None:
        text, self._text = " ".join(self._text.split()), ""
        if not text or not (self._is_shown() or self._open[-1:] in (["title"], ["text"])):
            return
        if self._is_begun:
            self.lines[-1] += f" “{text}”"
        else:
            self._add(f"“{text}”")

    def _is_shown(self) -> bool:
        return not (UNSEEN | DRAWN) & set(self._open)

    def _add(self, line: str) -> None:
        self.lines.append("  " * len(self._open) + line)
        self._is_begun = False


def _attributes(attrs: list[tuple[str, str | None]]) -> list[str]:
    """Format attributes, without the paths of drawings and form tokens."""
    said = dict(attrs)
    if said.get("name") in {"form", "match"} and said.get("type") == "hidden":
        said["value"] = "*"
    kept = ((name, value) for name, value in said.items() if name not in {"style", "viewbox", "d", "transform"})
    return [
        name if value is None or value == "" else f"{name}={' '.join(value.split())!r}" for name, value in kept
    ]
