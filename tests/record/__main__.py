"""Write the record anew: `python -m tests.record`; with `--scripts`, also what people answer in it."""

import argparse

import msgspec

from tests.record.evening import GAMES, SCRIPTS, evening
from tests.record.keeping import keep, take_record


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.record", description=__doc__)
    parser.add_argument("--scripts", action="store_true", help="draw new answers first")
    if parser.parse_args().scripts:
        SCRIPTS.mkdir(exist_ok=True)
        with evening() as table:
            for game in GAMES:
                lines = (msgspec.json.encode(said) + b"\n" for said in table.improvise(game))
                (SCRIPTS / f"{game}.jsonl").write_bytes(b"".join(lines))
    changed = keep(take_record())
    print("\n".join(changed) or "nothing has changed")


if __name__ == "__main__":
    main()
