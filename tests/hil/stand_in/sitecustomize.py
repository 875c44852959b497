"""Loaded by Python itself: patches picamera2 when it is imported."""

import os
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from typing import Any


class PicameraPatcher(MetaPathFinder):
    """Finds picamera2 as usual, and patches it."""

    def find_spec(self, name: str, _path: Any, _target: Any = None) -> ModuleSpec | None:
        """Find a module; None leaves it to others."""
        if name != "picamera2.picamera2":
            return None
        sys.meta_path.remove(self)
        from unittest.mock import MagicMock  # noqa: PLC0415 - only where a camera is

        # picamera2 needs it for a screen; only Raspberry Pi OS has it
        sys.modules["kms"] = MagicMock()
        spec = find_spec(name)
        loader: Any = spec and spec.loader
        load = loader.exec_module

        def load_and_patch(module: Any) -> None:
            load(module)
            from virtual_camera import mend  # type: ignore[import-not-found]  # noqa: PLC0415 - after picamera2

            mend(module)

        loader.exec_module = load_and_patch
        return spec


if "BENCH_FRAMES" in os.environ:
    sys.meta_path.insert(0, PicameraPatcher())
