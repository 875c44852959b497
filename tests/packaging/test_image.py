"""A release's image of Raspberry Pi OS: its boot partition is prepared like a card's."""

import lzma
import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from tests.tiers import release

ROOT = Path(__file__).parents[2]
START, SIZE = 2**20, 2**27
"""Where the boot partition begins, and its size, in bytes."""
FILES = ("config.txt", "cmdline.txt", "meta-data", "user-data", "network-config")

pytestmark = [
    release("it packs the repository and compresses an image"),
    pytest.mark.skipif(which("mcopy") is None, reason="needs mtools"),
]


def test_boot_partition_installs_the_table(tmp_path: Path) -> None:
    image, wheels = tmp_path / "image", tmp_path / "wheels"
    boot = f"{image}@@{START}"
    with image.open("wb") as file:
        file.truncate(START + SIZE)
        file.seek(454)
        file.write((START // 512).to_bytes(4, "little"))
    mtools("mformat", "-i", boot, "-T", str(SIZE // 512), "::")
    for name in FILES:
        (tmp_path / name).write_text(f"# {name}\n", encoding="utf-8")
        mtools("mcopy", "-i", boot, str(tmp_path / name), "::")
    wheels.mkdir()
    (wheels / "a.whl").write_bytes(b"a wheel")
    (tmp_path / "os.xz").write_bytes(lzma.compress(image.read_bytes(), preset=0))

    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    command = [str(ROOT / ".ci" / "image"), str(tmp_path / "os.xz"), str(wheels), str(tmp_path / "out.xz")]
    subprocess.run(command, env={**os.environ, "PATH": path}, check=True)

    image.write_bytes(lzma.decompress((tmp_path / "out.xz").read_bytes()))
    assert mtools("mtype", "-i", boot, "::coyote/wheels/a.whl") == "a wheel"
    assert mtools("mtype", "-i", boot, "::user-data").startswith("#cloud-config")
    assert "cgroup_enable=memory" in mtools("mtype", "-i", boot, "::cmdline.txt")
    mtools("mcopy", "-i", boot, "::coyote/coyote.bundle", str(tmp_path))
    subprocess.run(["git", "bundle", "verify", "-q", str(tmp_path / "coyote.bundle")], cwd=ROOT, check=True)


def mtools(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
