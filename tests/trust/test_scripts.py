"""Long scripts run rarely, so each commit checks that their imports from the product exist."""

from importlib import import_module
from pathlib import Path

from tests.tiers import slow

ROOT = Path(__file__).parents[2]


@slow("all that the long scripts import, which is most of the product")
def test_long_scripts_import() -> None:
    for folder in ("tests/trust", "tests/long"):
        for file in sorted((ROOT / folder).glob("*.py")):
            if file.stem not in {"__init__", "__main__"} and not file.stem.startswith("test_"):
                import_module(".".join((*Path(folder).parts, file.stem)))
