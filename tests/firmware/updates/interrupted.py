"""Interrupted updates, starts and rollbacks: afterwards the table must start and update."""

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Literal, get_args

from msgspec import Struct

from firmware.updates.layout import Home
from firmware.updates.trial import prepare_start
from firmware.updates.update import go_back, update
from tests.firmware.updates.faults import MAKING, Fault, FaultyRun, run_with_fault
from tests.firmware.updates.small_releases import Upstream, clone

Scene = Literal["first update", "update", "back", "first start", "proof", "last start"]
SCENES: tuple[Scene, ...] = get_args(Scene)
BUSY = "Another update is on its way"
OLD, NEW = "v0.2.0", "v0.3.0"


class Interruption(Struct, frozen=True):
    """The interrupted scene, the operation, and the faults afterwards."""

    scene: Scene
    fault: Fault
    deed: str
    was_struck: bool
    wrong: str = ""


class Interrupter:
    """A checkout that is reset before each interruption."""

    def __init__(self, folder: Path, first_release: Upstream) -> None:
        self._folder, self._upstream = folder, first_release.copied(folder / "upstream")
        self.checkout = clone(folder, self._upstream)
        self._deeds: dict[Scene, tuple[str, ...]] = {}
        self._upstream.release(OLD)
        self._keep("first update")
        self._do("update")
        self.checkout.come_up()
        self._upstream.release(NEW)
        self._keep("update")
        self._do("update")
        self._keep("back")
        self._keep("first start")
        self.checkout.guard()
        self.checkout.guard()
        self._keep("last start")
        self.checkout.come_up()
        self._keep("proof")

    def _do(self, *words: str) -> None:
        done = self.checkout.run(*words)
        assert done.returncode == 0, done.stderr

    def _keep(self, scene: Scene) -> None:
        """Store the current state as the beginning of a scene."""
        for name in (self.checkout.root, self.checkout.state):
            shutil.copytree(name, self._folder / scene / name.name, symlinks=True)

    def _set(self, scene: Scene) -> None:
        """Reset to the beginning of a scene."""
        for name in (self.checkout.root, self.checkout.state):
            shutil.rmtree(name)
            shutil.copytree(self._folder / scene / name.name, name, symlinks=True)

    def deeds(self, scene: Scene) -> tuple[str, ...]:
        if scene not in self._deeds:
            self._set(scene)
            self._deeds[scene] = self._run(scene, Fault("kill", 0)).deeds
        return self._deeds[scene]

    def _run(self, scene: Scene, fault: Fault) -> FaultyRun:
        home = Home(self.checkout.root)

        def do() -> None:
            # no kill can undo waiting for the whole disk's sync
            os.sync = lambda: None
            match scene:
                case "first update" | "update":
                    update(home, None)
                case "back":
                    go_back(home)
                case _:
                    prepare_start(home, self.checkout.state)

        return run_with_fault(do, fault, self.checkout.environ)

    def strike(self, scene: Scene, fault: Fault) -> Interruption:
        """Interrupt a scene, then check that everything works and the scene can be repeated."""
        self._set(scene)
        run = self._run(scene, fault)
        wrong = "; ".join((*self._looks_wrong(scene), *self._ends_wrong()))
        return Interruption(scene, fault, run.deeds[-1] if run.deeds else "", run.was_struck, wrong)

    def _looks_wrong(self, scene: Scene) -> Iterator[str]:
        """Check the remaining table: it starts as the old or the new version, with its state."""
        either = {"v0.1.0" if scene == "first update" else OLD, NEW}
        if self.checkout.root.joinpath(".versions", "current").is_symlink():
            version = self.checkout.service_version()
            if version not in either:
                yield f"the service would start “{version}”"
        done = self.checkout.run("run")
        version = (self.checkout.started() or [""])[-1]
        if done.returncode != 0 or version not in either:
            yield f"./run starts “{version}”: {done.stderr.strip()}"
        if not (self.checkout.state / "kept").exists():
            yield "what was kept is gone"

    def _ends_wrong(self) -> Iterator[str]:
        """Update again, which must complete."""
        # children of the killed process still end
        while BUSY in (done := self.checkout.run("update")).stderr:
            pass
        if done.returncode != 0 or self.checkout.version() != NEW:
            yield f"another update fails: {done.stderr.strip()}"


def faults(deeds: Sequence[str], rng: Random) -> Iterator[Fault]:
    """Return all failures before each operation, in any order."""
    every = [fault for at, deed in enumerate(deeds, 1) for fault in _faults_before(deed.split()[0], at, rng)]
    yield from rng.sample(every, len(every))


def _faults_before(event: str, at: int, rng: Random) -> Iterator[Fault]:
    yield Fault("kill", at)
    yield Fault("kill all", at)
    if event == "subprocess.Popen":
        yield from (Fault("kill later", at, rng.uniform(0, 0.2)) for _time in range(4))
    if event in MAKING:
        yield Fault("full once", at)
        yield Fault("full", at)
