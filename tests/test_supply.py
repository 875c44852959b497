"""Dependencies: every package is pinned and hashed, and no page loads anything from another site."""

import json
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from importlib.metadata import distributions

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from firmware.services.checks import NEEDED
from tests.lock_files import LOCKS, ROOT, pinned_packages, unhashed_packages

ON_A_PI = "requirements/raspberry.lock"
SCRIPTS = (".ci/environment", ".ci/raspberry")
FETCHED = re.compile(
    r"""(?:src|href|action|url|from|import|fetch|EventSource)\s*[=(]?\s*["'(]?\s*(?:https?:)?//"""
)


@pytest.mark.parametrize("lock", [*LOCKS, "requirements/site.lock", "requirements/release.lock"])
def test_every_package_is_pinned_and_hashed(lock: str) -> None:
    assert len(pinned_packages(lock)) > 5
    assert unhashed_packages(lock) == []


def test_all_that_a_table_and_a_hub_need_is_in_their_locks() -> None:
    tested = pinned_packages("requirements/test.lock").keys()
    for folder, lock in ((".", "requirements/table.lock"), ("plugins/club", "plugins/club/requirements.lock")):
        project = tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        needed = {Requirement(each).name for each in project["dependencies"]} - {"coyote-table"}
        pinned = pinned_packages(lock).keys()
        assert needed <= {name.split("==")[0] for name in pinned}
        assert pinned_packages("requirements/table.lock").keys() <= pinned <= tested


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
    assert len(calls) == 4
    # everything except our own files is hashed, and hashed packages build those
    assert all("--require-hashes" in call or "--no-build-isolation" in call for call in calls)
    assert "pip install --quiet --disable-pip-version-check --only-binary :all:" in text
    # pip might resolve a newer version than the pinned one, and would then install nothing
    assert all("--no-deps" in call for call in calls)


def test_a_lock_has_all_that_its_packages_need() -> None:
    pinned = {name.split("==")[0] for name in pinned_packages("requirements/test.lock")}
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


NO_CODE = frozenset(
    {".gif", ".jpg", ".mp3", ".ogg", ".otf", ".png", ".stl", ".svg", ".ttf", ".wav", ".webp", ".woff2"}
)
"""Suffixes of fonts, pictures and sounds."""
SHIPPED = ("docs", "firmware", "hardware", "plugins", "referee", "tests", "vision", "webui")


def test_every_font_and_picture_has_a_licence() -> None:
    page = (ROOT / "docs" / "LICENCES.md").read_text(encoding="utf-8")
    told = [
        pattern for row in page.splitlines() if row.startswith("|") for pattern in re.findall(r"`([^`]+)`", row)
    ]
    files = [
        str(file.relative_to(ROOT))
        for folder in SHIPPED
        for file in (ROOT / folder).rglob("*")
        if file.suffix in NO_CODE and not {"build", "__pycache__"} & set(file.parts)
    ]
    assert [file for file in files if not any(fnmatch(file, pattern) for pattern in told)] == []
    assert [pattern for pattern in told if not any(fnmatch(file, pattern) for file in files)] == []


def test_the_list_of_parts_names_each_package_with_hashes_and_licence() -> None:
    command = [sys.executable, str(ROOT / ".ci" / "parts.py"), str(ROOT / "requirements/table.lock")]
    listed = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    parts = listed["components"]
    assert [f"{each['name']}=={each['version']}" for each in parts] == list(
        pinned_packages("requirements/table.lock")
    )
    assert [each["name"] for each in parts if not each["externalReferences"][0]["hashes"]] == []
    assert [each["name"] for each in parts if "licenses" not in each] == []
