"""Form parsing: numbers and lists as people type them; invalid values count as missing."""

import re
from collections.abc import Mapping

LONGEST_NUMBER = 6
LONGEST_TEXT = 200


def number_in(form: Mapping[str, str], name: str, otherwise: int = 0) -> int:
    return whole(form.get(name, ""), otherwise)


def whole(text: str, otherwise: int = 0) -> int:
    text = text.strip()
    is_number = text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER
    return int(text) if is_number else otherwise


def text_in(form: Mapping[str, str], name: str) -> str:
    """Return a single line of text of limited length."""
    return " ".join(form.get(name, "").split())[:LONGEST_TEXT]


def names_in(text: str) -> tuple[str, ...]:
    """Return a list of names: one per line, or a single line separated by commas or semicolons."""
    lines = text.strip().splitlines()
    parts = lines if len(lines) > 1 else re.split("[,;\t]", "".join(lines))
    return tuple(filter(None, (" ".join(part.split()) for part in parts)))


def text_of_file(content: bytes) -> str:
    """Decode a text file from a spreadsheet, in UTF-8 or a Windows encoding."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def numbers_in(text: str) -> tuple[int, ...]:
    """Parse a list such as "6, 4, 2"; empty if a part is no number."""
    parts = text.replace(",", " ").replace(";", " ").split()
    numbers = tuple(whole(part, -1) for part in parts)
    return () if -1 in numbers else numbers
