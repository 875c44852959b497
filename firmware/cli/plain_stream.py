"""Output of commands without control characters, which a match file or a file's name may contain."""

import re
import sys
from typing import Any, TextIO

# not tabs, line breaks and the isolates around right-to-left names, which our own output has
_CONTROL = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066\u2067\ud800-\udfff]")


class PlainStream:
    """A text stream that escapes control characters as JSON does; bytes written to its `buffer` stay."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(_CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def escape_output() -> None:
    """Escape control characters in all text that this process prints from now on."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        # a closed one is None
        if stream is not None:
            setattr(sys, name, PlainStream(stream))
