"""The files in `static`, read once; their address changes when one of them does."""

from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from mimetypes import guess_type

KINDS = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".woff2": "font/woff2"}


class StaticFiles:
    """All files in `static`, by their names."""

    def __init__(self) -> None:
        """Read them."""
        self._content = dict(_read(files("webui") / "static"))
        every = b"".join(name.encode() + content for name, content in sorted(self._content.items()))
        self.version = sha256(every).hexdigest()[:10]

    def address(self, name: str) -> str:
        """Give the address of a file as it is now; files that it names beside itself are found from there."""
        if name not in self._content:
            raise KeyError(name)
        return f"/file/{self.version}/{name}"

    def content(self, name: str) -> bytes | None:
        """Give a file, if there is one."""
        return self._content.get(name)

    def kind(self, name: str) -> str:
        """Name what a file is."""
        ending = name[name.rfind(".") :]
        return KINDS.get(ending) or guess_type(name)[0] or "application/octet-stream"


def _read(folder: Traversable, before: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        name = f"{before}{entry.name}"
        if entry.is_dir():
            yield from _read(entry, f"{name}/")
        else:
            yield name, entry.read_bytes()
