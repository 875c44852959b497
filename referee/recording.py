"""Views that note which of their fields are read."""

from functools import cache
from typing import Any

from msgspec import Struct, defstruct

Reads = set[tuple[str, str]]
"""Fields that were read: the name of the struct, and the field's."""


class Recorder:
    """Wraps a view, so that whatever reads a field of it, or of what lies in it, is noted."""

    def __init__(self) -> None:
        """Note nothing yet."""
        self.there: Reads = set()
        self.read: Reads = set()

    def wrap(self, value: Any) -> Any:
        """Wrap structs, also in tuples; anything else stays as it is."""
        if isinstance(value, tuple):
            return tuple(map(self.wrap, value))
        if not isinstance(value, Struct):
            return value
        names = type(value).__struct_fields__
        self.there.update((type(value).__name__, name) for name in names)
        return _noting(type(value), self)(**{name: self.wrap(getattr(value, name)) for name in names})


@cache
def _noting(kind: type[Struct], recorder: Recorder) -> type[Struct]:
    """Make a subclass that notes reads; it passes for the struct in `match` and `isinstance`."""
    own = frozenset(kind.__struct_fields__)

    def __getattribute__(self: Any, name: str) -> Any:  # noqa: N807 - Python's own name
        if name in own:
            recorder.read.add((kind.__name__, name))
        return kind.__getattribute__(self, name)

    return defstruct(
        kind.__name__, [], bases=(kind,), namespace={"__getattribute__": __getattribute__}, frozen=True
    )
