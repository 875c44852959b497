"""Changes of a sign that change nothing: each with the line as it would be, and why nobody could notice."""

from msgspec import Struct


class Equivalent(Struct, frozen=True):
    """A line of a file after the change, and the reason why it does the same."""

    file: str
    code: str
    reason: str


EQUIVALENTS: tuple[Equivalent, ...] = ()
REASONS = {(equivalent.file, equivalent.code): equivalent.reason for equivalent in EQUIVALENTS}
