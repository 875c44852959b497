"""What the table stands on: every package pinned and hashed, and no page that fetches from somewhere else."""

import re
import tomllib
from importlib.metadata import distributions

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from firmware.parts.checks import NEEDED
from tests.lock_files import LOCKS, ROOT, pinned_packages, unhashed_packages

ON_A_PI = "requirements-raspberry.lock"
SCRIPTS = (".ci/environment", ".ci/raspberry")
FETCHED = re.compile(
    r"""(?:src|href|action|url|from|import|fetch|EventSource)\s*[=(]?\s*["'(]?\s*(?:https?:)?//"""
)


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_is_pinned_and_hashed(lock: str) -> None:
    assert len(pinned_packages(lock)) > 5
    assert unhashed_packages(lock) == []


def test_all_that_the_program_needs_is_in_the_lock() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {re.split(r"[<>=!~ ;\[]", each)[0] for each in project["project"]["dependencies"]}
    assert needed <= {name.split("==")[0] for name in pinned_packages("requirements.lock")}
    assert pinned_packages("requirements.lock").keys() <= pinned_packages("requirements-test.lock").keys()


def test_all_that_a_hub_needs_is_in_its_lock() -> None:
    club = tomllib.loads((ROOT / "plugins" / "club" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {Requirement(each).name for each in club["dependencies"]} - {"coyote-table"}
    pinned = pinned_packages("plugins/club/requirements.lock").keys()
    assert needed <= {name.split("==")[0] for name in pinned}
    assert pinned_packages("requirements.lock").keys() <= pinned
    assert pinned <= pinned_packages("requirements-test.lock").keys()


@pytest.mark.parametrize(("machine", "wanted"), [("aarch64", True), ("armv7l", True), ("x86_64", False)])
def test_the_extra_for_a_pi_is_for_linux_on_arm(machine: str, wanted: bool) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = [Requirement(each) for each in project["optional-dependencies"]["pi"]]
    assert {each.name for each in extra} == set(NEEDED)
    here = {"sys_platform": "linux", "platform_machine": machine}
    markers = [each.marker for each in extra if each.marker is not None]
    assert [marker.evaluate(here) for marker in markers] == [wanted, wanted]
    assert not any(marker.evaluate({**here, "sys_platform": "darwin"}) for marker in markers)


def test_packages_are_installed_only_by_their_hashes_and_as_wheels() -> None:
    assert unhashed_packages(ON_A_PI) == []
    text = "".join((ROOT / script).read_text(encoding="utf-8") for script in SCRIPTS)
    calls = re.findall(r"(?<!pip )install (--[^;&\n]+)", text)
    assert len(calls) == 3
    # all but our own few files are hashed, and those are built by what is
    assert all("--require-hashes" in call or "--no-build-isolation" in call for call in calls)
    assert "pip install --quiet --disable-pip-version-check --only-binary :all:" in text
    # what pip would look up besides could be newer than what is pinned, and then it installs nothing
    assert all("--no-deps" in call for call in calls)


def test_a_lock_has_all_that_its_packages_need() -> None:
    pinned = {name.split("==")[0] for name in pinned_packages("requirements-test.lock")}
    needed = {
        canonicalize_name(each.name)
        for package in distributions()
        if canonicalize_name(package.name) in pinned
        for each in map(Requirement, package.requires or ())
        if each.marker is None or each.marker.evaluate({"extra": ""})
    }
    assert len(needed) > 20
    assert needed <= pinned


def test_the_build_backend_is_pinned_and_hashed() -> None:
    [backend] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    assert all(backend in pinned_packages(lock) for lock in LOCKS)


def test_no_page_fetches_anything_from_elsewhere() -> None:
    files = [file for ending in ("html", "css", "js") for file in (ROOT / "webui").rglob(f"*.{ending}")]
    assert len(files) > 20
    found = {file.name: FETCHED.findall(file.read_text(encoding="utf-8")) for file in files}
    assert {name: what for name, what in found.items() if what} == {}


@pytest.mark.parametrize(
    "line", ['<script src="https://x.org/a.js">', "@import url(//x.org/a.css)", 'fetch("http://x")']
)
def test_what_would_fetch_is_found(line: str) -> None:
    assert FETCHED.search(line)
