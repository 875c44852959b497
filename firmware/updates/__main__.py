"""`./run update`: this folder is run as it lies, by any Python and before there is any environment."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from firmware.updates.update import main

main()
