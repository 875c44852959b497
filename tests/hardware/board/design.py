"""Write the pictures of boards in the docs: `python -m tests.hardware.board.design`."""

from pathlib import Path

from hardware.board.board import our_boards
from hardware.board.drawings import drawings_of

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"


def docs_pictures() -> dict[str, bytes]:
    return {
        file: drawn for name, board in our_boards().items() for file, drawn in drawings_of(board, name).items()
    }


if __name__ == "__main__":
    for name, content in docs_pictures().items():
        (PICTURES / name).write_bytes(content)
