"""Route the PCB, pour its ground, and draw the boards in the docs: `python -m tests.hardware.board.design`."""

from pathlib import Path

from hardware.board.board import our_boards
from hardware.board.drawings import drawings_of
from hardware.board.fab.copper import POUR, TRACKS, routed
from tests.hardware.board import pour, router

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"


def docs_pictures() -> dict[str, bytes]:
    return {
        file: drawn for name, board in our_boards().items() for file, drawn in drawings_of(board, name).items()
    }


if __name__ == "__main__":
    TRACKS.write_text(router.written(router.route()), encoding="utf-8")
    POUR.write_text(pour.written(routed()), encoding="utf-8")
    for name, content in docs_pictures().items():
        (PICTURES / name).write_bytes(content)
