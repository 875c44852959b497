"""Mutation testing: change an operator or constant in the code, and check that a test fails.

    python -m tests.long.mutants                       the list, `mutants.jsonl`
    python -m tests.long.mutants --changed [REF]       those of files that differ from REF, or the last commit
    python -m tests.long.mutants referee --count 30    some of a folder or a file, drawn by a seed

A mutant is a flipped comparison, a constant off by one, and for or, a lost not, or plus for minus. It is killed
if a test of the first tier fails. The last killer runs first, then the tests that reach its line, nearest
first. For a listed survivor, either a test is missing, or it is equivalent and belongs in
`equivalent_mutants.jsonl` with the reason. An interrupted run continues where it was.
"""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from tests.long.mutant_trials import copy_tree, killer_of, nearest_tests, watch
from tests.long.mutating import ROOT, Mutant, mutants_in
from tests.scripts import say, script

LIST = Path(__file__).with_name("mutants.jsonl")
SHARES = {"referee": 160, "firmware": 80, "plugins/club/club": 20, "webui": 60, "vision": 60, "hardware": 20}
"""Number of listed mutants per package."""
EVERYWHERE = ("tests", "plugins", "--numprocesses", "2", "--dist", "worksteal")


def read_lines(file: Path) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in file.read_bytes().splitlines()] if file.exists() else []


EQUIVALENTS = {(each["file"], each["code"]) for each in read_lines(LIST.with_name("equivalent_mutants.jsonl"))}
"""Mutants that behave like the original: file and changed line; the list has the reasons."""


def read_tried(file: Path) -> dict[str, str | None]:
    """Return mutants, named by file and changed line, with the test that killed each, if any."""
    return {each["name"]: each["killer"] for each in read_lines(file)}


def note(file: Path, tried: Mapping[str, str | None]) -> None:
    with file.open("ab") as out:
        out.writelines(
            msgspec.json.encode({"name": name, "killer": killer}) + b"\n" for name, killer in tried.items()
        )


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
    return (mutant.file, mutant.code) in EQUIVALENTS


def changed_files(ref: str) -> Iterator[str]:
    rooms = (f"{room}/*.py" for room in SHARES)
    yield from git("diff", "--name-only", "--diff-filter=d", ref, "--", *rooms).split()


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


@script
def main(
    scratch: Path, *paths: str, count: int = 30, seed: int = 1, changed: bool = False, keep: bool = False
) -> None:
    """Try mutants, list the survivors, and print the share that was killed; `--keep` writes the list anew."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    killers = read_tried(LIST)
    if changed:
        files = changed_files(*(paths or ("HEAD",)))
        chosen = [mutant for file in files for mutant in mutants_in(file)]
    elif paths:
        drawn = [mutant for path in paths for mutant in mutants_in(path)]
        chosen = Random(seed).sample(drawn, min(count, len(drawn)))
    else:
        chosen = mutants_on_list(killers)
    is_list = not changed and not paths
    differing = [mutant for mutant in chosen if not is_equivalent(mutant)]
    file = ROOT / f".mutants-tried-{state_of_tree()}.jsonl"
    tried = read_tried(file)
    left = [mutant for mutant in differing if mutant.name not in tried]
    near = () if is_list else sorted({nearest_tests(mutant.file) for mutant in left})
    for mutant, killer in try_mutants(left, killers, near, copy_tree(scratch)):
        note(file, {mutant.name: killer})
        if killer is None:
            say(f"survived: {mutant}   {mutant.code}")
    tried = read_tried(file)
    killed = sum(tried[mutant.name] is not None for mutant in differing)
    new = sum(mutant.name not in killers for mutant in chosen) if is_list else 0
    say(
        f"{killed} of {len(differing)} killed; {len(chosen) - len(differing)} equivalent; {new} new on the list"
    )
    if keep:
        LIST.unlink(missing_ok=True)
        note(LIST, {name: tried[name] for name in sorted(mutant.name for mutant in differing)})
