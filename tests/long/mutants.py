"""Mutation testing: change an operator or constant in the code, and check that a test fails.

    python -m tests.long.mutants                       the list, `mutants.jsonl`
    python -m tests.long.mutants --changed [REF]       those of files that differ from REF, or the last commit
    python -m tests.long.mutants referee --count 30    some of a folder or a file, drawn by a seed

A mutant is a flipped comparison, a constant off by one, and for or, a lost not, or plus for minus. It is killed
if a test of the first tier fails. The last killer runs first, then the tests that reach its line, nearest
first. For a listed survivor, either a test is missing, or it is equivalent and belongs in
`equivalent_mutants.jsonl` with the reason. An interrupted run continues where it was.
"""

import argparse
import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct

from tests.long.mutant_trials import copy_tree, killer_of, nearest_tests, watch
from tests.long.mutating import ROOT, Mutant, mutants_in

LIST = Path(__file__).with_name("mutants.jsonl")
SHARES = {"referee": 160, "firmware": 80, "plugins/club/club": 20, "webui": 60, "vision": 60, "hardware": 20}
"""Number of listed mutants per package."""
EVERYWHERE = ("tests", "plugins", "--numprocesses", "2", "--dist", "worksteal")


class Equivalent(Struct, frozen=True):
    """A mutant that behaves like the original: its file, the changed line, and the reason."""

    file: str
    code: str
    reason: str


EQUIVALENTS = [
    msgspec.json.decode(line, type=Equivalent)
    for line in LIST.with_name("equivalent_mutants.jsonl").read_bytes().splitlines()
]


class Tried(Struct, frozen=True):
    """A mutant, named by its file and changed line, and the test that killed it, if any."""

    name: str
    killer: str | None


def read_tried(file: Path) -> dict[str, str | None]:
    lines = file.read_bytes().splitlines() if file.exists() else []
    return {tried.name: tried.killer for tried in (msgspec.json.decode(line, type=Tried) for line in lines)}


def note(file: Path, tried: Iterable[Tried]) -> None:
    with file.open("ab") as out:
        out.writelines(msgspec.json.encode(each) + b"\n" for each in tried)


def mutants_on_list(killers: dict[str, str | None]) -> list[Mutant]:
    """Find the listed mutants in the current code; draw others for those whose line is gone."""
    there = {room: mutants_in(room) for room in SHARES}
    found = {mutant.name: mutant for room in there.values() for mutant in room}
    kept = [found[name] for name in killers if name in found]
    for room, share in SHARES.items():
        missing = share - sum(mutant.file.startswith(f"{room}/") for mutant in kept)
        others = [mutant for mutant in there[room] if mutant.name not in killers and not is_equivalent(mutant)]
        kept += Random(f"{room} {len(others)}").sample(others, missing)
    return kept


def is_equivalent(mutant: Mutant) -> bool:
    return any((each.file, each.code) == (mutant.file, mutant.code) for each in EQUIVALENTS)


def changed_files(ref: str) -> Iterator[str]:
    yield from git(
        "diff", "--name-only", "--diff-filter=d", ref, "--", *(f"{room}/*.py" for room in SHARES)
    ).split()


def state_of_tree() -> str:
    """Return an identifier of the checkout, including uncommitted changes."""
    said = (git("rev-parse", "HEAD"), git("diff", "HEAD"), git("status", "--short"))
    return sha256("".join(said).encode()).hexdigest()[:10]


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S607


def try_mutants(
    mutants: Sequence[Mutant], killers: dict[str, str | None], near: Sequence[str], tree: Path
) -> Iterator[tuple[Mutant, str | None]]:
    """Try each mutant with its last killer, then with the tests that reach it, nearest first."""
    left = []
    for mutant in mutants:
        before = killers.get(mutant.name)
        killer = killer_of(mutant, [before] if before else [], tree)
        if killer is None:
            left.append(mutant)
        else:
            yield mutant, before
    for tests in (near, EVERYWHERE):
        if left and tests:
            reach, survivors = watch(left, tests, tree), []
            for mutant in left:
                rounds = (
                    killer_of(mutant, chosen, tree, sum(reach.seconds[test] for test in chosen))
                    for chosen in reach.rounds(mutant)
                )
                killer = next((each for each in rounds if each is not None), None)
                if killer is None:
                    survivors.append(mutant)
                else:
                    yield mutant, killer
            left = survivors
    yield from ((mutant, None) for mutant in left)


def main() -> None:
    """Try mutants, list the survivors, and print the share that was killed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", help="folders or files")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--changed", nargs="?", const="HEAD", metavar="REF", help="those of changed files")
    parser.add_argument(
        "--tried", type=Path, metavar="FILE", help="what was tried; else one for this very tree"
    )
    parser.add_argument("--keep", action="store_true", help="write the list anew from what was tried")
    wish = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    killers = read_tried(LIST)
    if wish.changed:
        chosen = [mutant for file in changed_files(wish.changed) for mutant in mutants_in(file)]
    elif wish.paths:
        drawn = [mutant for path in wish.paths for mutant in mutants_in(path)]
        chosen = Random(wish.seed).sample(drawn, min(wish.count, len(drawn)))
    else:
        chosen = mutants_on_list(killers)
    differing = [mutant for mutant in chosen if not is_equivalent(mutant)]
    file = wish.tried or ROOT / f".mutants-tried-{state_of_tree()}.jsonl"
    tried = read_tried(file)
    left = [mutant for mutant in differing if mutant.name not in tried]
    near = sorted({nearest_tests(mutant.file) for mutant in left}) if wish.changed or wish.paths else ()
    with TemporaryDirectory(prefix="mutants") as folder:
        for mutant, killer in try_mutants(left, killers, near, copy_tree(Path(folder))):
            note(file, [Tried(mutant.name, killer)])
            if killer is None:
                print(f"survived: {mutant}   {mutant.code}", flush=True)
    tried = read_tried(file)
    killed = sum(tried[mutant.name] is not None for mutant in differing)
    equivalent = len(chosen) - len(differing)
    new = 0 if wish.changed or wish.paths else sum(mutant.name not in killers for mutant in chosen)
    print(f"{killed} of {len(differing)} killed; {equivalent} equivalent; {new} new on the list")
    if wish.keep:
        LIST.unlink(missing_ok=True)
        note(
            LIST, sorted((Tried(mutant.name, tried[mutant.name]) for mutant in differing), key=lambda t: t.name)
        )


if __name__ == "__main__":
    main()
