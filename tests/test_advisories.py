"""`.ci/release`: without advisories nothing was audited; a flaw that is known fails, unless it is explained."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
MADE_UP = "MADE-UP-2026-1"


def release(*words: str) -> tuple[int, str]:
    """Audit, as .ci/release does once it has its environment."""
    command = (sys.executable, str(ROOT / ".ci" / "advisories.py"), *words)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def advisory(events: list[dict[str, str]], **more: Any) -> dict[str, Any]:
    affected = {
        "package": {"ecosystem": "PyPI", "name": more.pop("package", "Flask")},
        "ranges": [{"type": "ECOSYSTEM", "events": events}],
    }
    return {"id": MADE_UP, "summary": "made up", "affected": [affected], **more}


EVERY = advisory([{"introduced": "0"}])
NONE = advisory([{"introduced": "0"}, {"fixed": "0.1"}])


def audited(folder: Path, said: object) -> tuple[int, str]:
    file = folder / "advisories.json"
    file.write_text(said if isinstance(said, str) else json.dumps(said), encoding="utf-8")
    return release("--advisories", str(file))


def test_without_advisories_nothing_was_audited(tmp_path: Path) -> None:
    assert release() == (1, "not audited: name a file with --advisories FILE\n")
    done = subprocess.run([str(ROOT / ".ci" / "release")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "not audited: name a file with --advisories FILE\n")
    for said in ("", "{", "[]", "{}", '{"results":[{"vulns":[{"id":"X"}]}]}'):
        code, told = audited(tmp_path, said)
        assert code == 1
        assert told.startswith("not audited: ")
        assert told.count("\n") == 1
    assert "can't be read" in release("--advisories", str(tmp_path / "nowhere.json"))[1]


@pytest.mark.parametrize("form", ["one", "a list", "lines", "an answer"])
def test_a_flaw_is_found_in_every_lock_that_pins_it(tmp_path: Path, form: str) -> None:
    forms = {
        "one": EVERY,
        "a list": [NONE, EVERY],
        "lines": f"{json.dumps(NONE)}\n{json.dumps(EVERY)}\n",
        "an answer": {"results": [{"vulns": [NONE]}, {}, {"vulns": [EVERY]}]},
    }
    code, told = audited(tmp_path, forms[form])
    assert code == 1
    assert "requirements.lock: flask 3.1.3: MADE-UP-2026-1: made up (NOT EXPLAINED)\n" in told
    assert "plugins/club/requirements.lock: flask" in told
    assert "requirements-test.lock: flask" in told
    assert told.endswith("audited: 4 findings, 4 of them not explained\n")


@pytest.mark.parametrize(
    "other",
    [
        NONE,
        advisory([{"introduced": "0"}, {"last_affected": "3.1.2"}]),
        advisory([{"introduced": "3.1.4"}]),
        advisory([{"introduced": "0"}, {"fixed": "3.1.3"}, {"introduced": "99"}]),
        advisory([{"introduced": "0"}], withdrawn="2026-01-01T00:00:00Z"),
        advisory([{"introduced": "0"}], package="flask-login"),
    ],
)
def test_what_is_about_other_versions_is_no_finding(tmp_path: Path, other: dict[str, Any]) -> None:
    assert audited(tmp_path, [other]) == (0, "audited: 0 findings, 0 of them not explained\n")


@pytest.mark.parametrize(
    "events",
    [
        [{"introduced": "3.1.3"}],
        [{"introduced": "0"}, {"last_affected": "3.1.3"}],
        [{"fixed": "3.10"}, {"introduced": "3.1"}],
        [{"introduced": "0"}, {"fixed": "1.0"}, {"introduced": "3.1.0rc1"}, {"fixed": "4"}],
    ],
)
def test_what_is_about_our_version_is_found(tmp_path: Path, events: list[dict[str, str]]) -> None:
    assert audited(tmp_path, [advisory(events)])[0] == 1


def test_a_version_that_is_named_is_found_and_an_explained_flaw_fails_nothing(tmp_path: Path) -> None:
    named = {
        "id": "MADE-UP-2",
        "aliases": ["CVE-2026-8461"],
        "affected": [
            {"package": {"ecosystem": "PyPI", "name": "Opencv_Python.Headless"}, "versions": ["5.0.0.93"]}
        ],
    }
    code, told = audited(tmp_path, [named])
    assert code == 0
    assert "opencv-python-headless 5.0.0.93: MADE-UP-2:  (explained in docs/trust.md)" in told


def test_a_version_that_is_none_is_not_audited(tmp_path: Path) -> None:
    assert audited(tmp_path, [advisory([{"introduced": "soon"}])]) == (
        1,
        "not audited: there is no version soon\n",
    )
