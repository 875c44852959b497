"""Changes of a sign that change nothing, by the line as it would be, each with why it does the same."""

from pathlib import Path

import msgspec
from msgspec import Struct


class Equivalent(Struct, frozen=True):
    """A line of a file after the change, and the reason why nobody could notice."""

    file: str
    code: str
    reason: str


LIST = Path(__file__).with_suffix(".jsonl")
EQUIVALENTS = [msgspec.json.decode(line, type=Equivalent) for line in LIST.read_bytes().splitlines()]
REASONS = {(equivalent.file, equivalent.code): equivalent.reason for equivalent in EQUIVALENTS}
