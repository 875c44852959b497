"""A repository with small releases and its checkout: the real updater, a table of a few lines."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from firmware.updates.layout import Home
from firmware.updates.releases import STATEMENT
from firmware.updates.update import lay_out

ROOT = Path(__file__).parents[3]
SETTINGS = ("user.name=x", "user.email=x@x", "init.defaultBranch=main", "commit.gpgsign=false")
ENVIRONMENT = """\
venv="$root/.venv"
say() { printf '%s\\n' "$*" >&2; }
find_python() { python=${PYTHON:-python3}; }
environment() {
    find_python
    [ ! -e "$root/cannot-be-set-up" ] || { say "no packages"; exit 1; }
    [ -e "$venv/done" ] && return
    base=$("$python" -c 'import sys; print(sys.base_prefix)')
    packages=$venv/lib/python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')/site-packages
    mkdir -p "$venv/bin" "$packages"
    [ ! -e "$root/needs-wheels" ] || echo "${COYOTE_WHEELS:?}" >"$venv/wheels"
    ln -sf "$base/bin/python3" "$venv/bin/python"
    echo "home = $base/bin" >"$venv/pyvenv.cfg"
    echo "$root" >"$packages/here.pth"
    printf '#!/bin/sh\\nexec "%s" "%s/table.py" "$@"\\n' "$python" "$root" >"$venv/bin/coyote.draft"
    chmod +x "$venv/bin/coyote.draft"
    mv "$venv/bin/coyote.draft" "$venv/bin/coyote"
    : >"$venv/done"
}
"""
TABLE = """\
import os, pathlib, sys
import coyote_table
code = pathlib.Path(__file__).resolve().parent
chosen = coyote_table.chosen_version(code)
if chosen:
    os.execv(chosen, [str(chosen), *sys.argv[1:]])
if "--version" in sys.argv:
    sys.exit(print((code / "version").read_text().strip()))
state = pathlib.Path(os.environ["STATE_DIRECTORY"])
with (state / "started").open("a") as started:
    started.write((code / "version").read_text())
(state / "came-up").write_text(str(code))
"""
HEALTH = """\
import pathlib, sys
code = pathlib.Path(__file__).resolve().parents[2]
if not (pathlib.Path(sys.argv[1]) / "kept").exists():
    sys.exit("the copy isn't one")
if (code / "is-not-well").exists():
    sys.exit("something else\\nit reads no card")
"""


FLAWS = ("cannot-be-set-up", "is-not-well", "needs-wheels")


def git(folder: Path, *words: str) -> str:
    """Run git without the user's settings."""
    settings = (word for setting in SETTINGS for word in ("-c", setting))
    command = ("git", "-C", str(folder), *settings, *words)
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environ).stdout.strip()


def make_key(folder: Path, name: str = "key") -> Path:
    key = folder / name
    command = ("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "throw-away", "-f", str(key))
    subprocess.run(command, check=True)
    return key


def allowed(key: Path) -> str:
    """Return the line that allows a key to sign releases."""
    return f'coyote-table namespaces="git" {key.with_suffix(".pub").read_text(encoding="ascii")}'


def home_in(folder: Path, upstream: str, *options: str) -> Home:
    """Clone a repository as the home of versions."""
    git(folder.parent, "clone", "--quiet", *options, upstream, str(folder))
    made = Home(folder)
    lay_out(made)
    return made


class Upstream:
    """A repository of releases."""

    def __init__(self, folder: Path, key: Path) -> None:
        self.folder, self.key = folder, key

    def copied(self, folder: Path) -> "Upstream":
        shutil.copytree(self.folder, folder, symlinks=True)
        return Upstream(folder, self.key)

    def begin(self) -> None:
        """Create the repository with the tested updater, and a first release."""
        folder, key = self.folder, self.key
        folder.mkdir()
        git(folder, "init", "--quiet")
        for name in ("run", ".gitignore", "coyote_table.py"):
            shutil.copy(ROOT / name, folder / name)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "firmware" / "updates", folder / "firmware" / "updates", ignore=ignored)
        self.write("firmware/__init__.py", '"""Small."""\n')
        self.write(".ci/environment", ENVIRONMENT)
        self.write(".ci/release-keys", allowed(key))
        self.write("table.py", TABLE)
        self.write("firmware/start/__init__.py", "")
        self.write("firmware/start/health_check.py", HEALTH)
        self.release("v0.1.0")

    def write(self, name: str, text: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def commit(self, version: str, **files: str) -> str:
        """Commit a version with its files; an earlier version's files are removed."""
        for name in FLAWS:
            (self.folder / name).unlink(missing_ok=True)
        self.write("version", f"{version}\n")
        for name, text in files.items():
            self.write(name.replace("_", "-"), text)
        git(self.folder, "add", "--all")
        git(self.folder, "commit", "--quiet", "--message", version)
        return git(self.folder, "rev-parse", "HEAD")

    def tag(self, name: str, key: Path | None = None, commit: str = "HEAD", said: str = STATEMENT) -> None:
        """Sign a tag, as `.ci/release` does, or with another text."""
        sign = ("-c", "gpg.format=ssh", "-c", f"user.signingkey={key or self.key}")
        git(self.folder, *sign, "tag", "--sign", "--message", name, "--message", said, name, commit)

    def forge(self, name: str, change: Callable[[str], str], purpose: str = "") -> None:
        """Replace a tag by another: with another text, or signed for another purpose."""
        folder = self.folder
        if purpose:
            git(folder, "tag", "--annotate", "--message", STATEMENT, name)
            said = folder.parent / "said"
            said.write_text(f"{git(folder, 'cat-file', 'tag', name)}\n", encoding="utf-8")
            command = ("ssh-keygen", "-q", "-Y", "sign", "-f", str(self.key), "-n", purpose, str(said))
            subprocess.run(command, check=True, capture_output=True)
            text = said.read_text(encoding="utf-8") + said.with_suffix(".sig").read_text(encoding="utf-8")
        else:
            text = change(git(folder, "cat-file", "tag", name)) + "\n"
        forged = folder.parent / "forged"
        forged.write_text(text, encoding="utf-8")
        made = git(folder, "hash-object", "-t", "tag", "-w", str(forged))
        git(folder, "update-ref", f"refs/tags/{name}", made)

    def release(self, name: str, **files: str) -> None:
        self.commit(name, **files)
        self.tag(name)


def clone(folder: Path, upstream: Upstream) -> "Checkout":
    """Clone a repository; the first command creates the environment."""
    checkout = Checkout(folder)
    git(folder, "clone", "--quiet", str(upstream.folder), str(checkout.root))
    checkout.state.mkdir()
    (checkout.state / "kept").write_text("matches", encoding="utf-8")
    assert checkout.version() != ""
    return checkout


class Checkout:
    """A checkout of the repository, with a table's state beside it."""

    def __init__(self, folder: Path) -> None:
        self.root, self.state = folder / "coyote-table", folder / "state"
        self.versions = self.root / ".versions"
        self.environ = {
            **os.environ,
            "STATE_DIRECTORY": str(self.state),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null",
        }

    def move_state(self, folder: Path) -> None:
        shutil.move(self.state, folder)
        self.state = folder
        self.environ["STATE_DIRECTORY"] = str(folder)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self._call(self.root / "run", *words)

    def _call(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, capture_output=True, text=True, check=False, env=self.environ, input="")

    def version(self) -> str:
        return self.run("--version").stdout.strip()

    def service_version(self) -> str:
        return self._call(self.versions / "current" / ".venv" / "bin" / "coyote", "--version").stdout.strip()

    def come_up(self) -> None:
        (self.state / "came-up").write_text(str((self.versions / "current").resolve()), encoding="utf-8")

    def guard(self) -> subprocess.CompletedProcess[str]:
        return self._call("python3", "-I", self.versions / "guard.pyz", "guard", self.root)

    def started(self) -> list[str]:
        file = self.state / "started"
        return file.read_text(encoding="utf-8").split() if file.exists() else []
