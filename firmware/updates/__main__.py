"""`./run update`: runs this folder with any Python, before an environment exists."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from firmware.updates.update import main

main()
