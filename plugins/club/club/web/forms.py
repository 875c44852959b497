"""Reading forms: numbers and lists as people type them; what can't be read is as if it weren't there."""

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
    """Read a line of text: without line ends, and not longer than a line should be."""
    return " ".join(form.get(name, "").split())[:LONGEST_TEXT]


def names_in(text: str) -> tuple[str, ...]:
    """Read a list of names: one a line, or in one line with commas or semicolons between them."""
    lines = text.strip().splitlines()
    parts = lines if len(lines) > 1 else re.split("[,;\t]", "".join(lines))
    return tuple(filter(None, (" ".join(part.split()) for part in parts)))


def text_of_file(content: bytes) -> str:
    """Read a file of text as spreadsheets write it: in UTF-8, or in the letters of Windows."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def numbers_in(text: str) -> tuple[int, ...]:
    """Read a list such as "6, 4, 2"; empty if something in it is no number."""
    parts = text.replace(",", " ").replace(";", " ").split()
    numbers = tuple(whole(part, -1) for part in parts)
    return () if -1 in numbers else numbers
