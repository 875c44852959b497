"""Rewrite the snapshots: `python -m tests.snapshots`; with `--scripts`, also the scripted answers."""

import msgspec

from tests.scripts import script
from tests.snapshots.evening import GAMES, SCRIPTS, evening
from tests.snapshots.keeping import keep, take_snapshots


@script
def main(*, scripts: bool = False) -> None:
    if scripts:
        SCRIPTS.mkdir(exist_ok=True)
        with evening() as table:
            for game in GAMES:
                lines = (msgspec.json.encode(said) + b"\n" for said in table.improvise(game))
                (SCRIPTS / f"{game}.jsonl").write_bytes(b"".join(lines))
    changed = keep(take_snapshots())
    print("\n".join(changed) or "nothing has changed")
