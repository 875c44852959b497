"""Backups that are small to send but expensive to read: no table writes such match files."""

from collections.abc import Callable, Mapping
from itertools import count, islice
from pathlib import Path

from referee.sums import SealedLine, filed
from tests.firmware.storage.backups.spoilt import MATCH, pack_files
from tests.firmware.storage.backups.tables import files_in

LINES_IN_MATCH, SUM = 100, b',"sum":"00000005-1-1-00000000"}'


def repeated(piece: bytes, size: int) -> bytes:
    return (piece * (size // len(piece) + 1))[:size]


def empty_lines(size: int) -> bytes:
    """Lines without text, each with a correct sum."""
    content, number = bytearray(), 0
    while len(content) < size:
        match_id, at = divmod(number, LINES_IN_MATCH)
        content += filed(5, SealedLine(match_id + 1, at, "{}"), LINES_IN_MATCH)
        number += 1
    return bytes(content[:size])


def noise(size: int) -> bytes:
    """Bytes that unpack to twice their size, in many small pieces."""
    return b"".join(b"%064x" % (number**9 % 2**256) for number in islice(count(3), size // 64))


MATCHES: Mapping[str, Callable[[int], bytes]] = {
    "zeros": bytes,
    "sums": lambda size: repeated(SUM, size),
    "beginnings": lambda size: repeated(b'{"coyote_table":', size),
    "sums far from a newline": lambda size: bytes(size // 2) + repeated(SUM, size // 2),
    "empty lines": empty_lines,
    "noise": noise,
    "one long line": lambda size: filed(5, SealedLine(1, 0, "{" + "a" * size + "}"), 1),
}
"""Replacements of a match file, each made in a size."""


def heavy_backup(good: Path, kind: str, size: int, file: Path) -> Path:
    """Replace a match file of a good backup."""
    return pack_files(file, {**files_in(good), MATCH: MATCHES[kind](size)})
