"""Our boards, drawn by `python -m hardware.board.design`: the wheel has these files, not what draws them."""

from collections.abc import Mapping
from pathlib import Path

DRAWINGS = Path(__file__).parent


def kept_drawings(name: str) -> Mapping[str, bytes]:
    """Read the drawings of one of our boards, by the names of their files."""
    return {file.name: file.read_bytes() for file in sorted(DRAWINGS.glob(f"*-{name}.svg"))}
