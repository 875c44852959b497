"""Views that note which of their fields are read."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec import Struct, defstruct

Reads = set[tuple[str, str]]
"""Fields that were read: the name of the struct, and the field's."""


class Recorder:
    """Wraps a view, so that whatever reads a field of it, or of what lies in it, is noted."""

    def __init__(self, excused: Iterable[str] = ()) -> None:
        """Note nothing yet; what lies in fields that are excused isn't noted."""
        self._excused = frozenset(excused)
        self.there: Reads = set()
        self.read: Reads = set()

    def wrap(self, value: Any) -> Any:
        """Wrap structs, also in tuples; anything else stays as it is."""
        if isinstance(value, tuple):
            return tuple(map(self.wrap, value))
        if not isinstance(value, Struct):
            return value
        kind, names = type(value).__name__, type(value).__struct_fields__
        self.there.update((kind, name) for name in names)
        whole = {name for name in names if {name, f"{kind}.{name}"} & self._excused}
        fields = {name: getattr(value, name) for name in names}
        wrapped = {name: each if name in whole else self.wrap(each) for name, each in fields.items()}
        return _noting(type(value), self)(**wrapped)


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
