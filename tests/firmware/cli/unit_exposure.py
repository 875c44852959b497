"""How well systemd finds the service protected."""

import re
import shutil
import subprocess
from pathlib import Path

from firmware.cli import install_service as service


def measure_exposure(folder: Path) -> float | None:
    """Give what systemd says of the unit's protection, from 0 (well) to 10; None without systemd."""
    if shutil.which("systemd-analyze") is None:
        return None
    file = folder / service.NAME
    file.write_text(service.system_service({"SUDO_USER": "ana"}).text, encoding="utf-8")
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(file)]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", said)
    return float(found[1]) if found else None
