"""Security ratings of the services by systemd."""

import re
import shutil
import subprocess
from pathlib import Path

from firmware.cli import install_service as service

CHECKOUT = Path("/home/ana/coyote table")


def measure_exposures(folder: Path) -> dict[str, float]:
    """Return each unit's exposure by systemd, from 0 (best) to 10; empty without systemd."""
    if shutil.which("systemd-analyze") is None:
        return {}
    made = service.with_screen(service.system_service("ana"), CHECKOUT, "ana", has_desktop=False)
    told = {}
    for file, text in made.files.items():
        (folder / file.name).write_text(text, encoding="utf-8")
        command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(folder / file.name)]
        output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        if (found := re.search(r"Overall exposure level for \S+: ([\d.]+)", output)) is not None:
            told[file.name] = float(found[1])
    return told
