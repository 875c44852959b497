"""The camera that a command looks through: the table's if none is named, opened as the table opens it."""

import os

from firmware.cli.output import click_errors
from firmware.storage.configuration import CameraSettings, settings_in
from firmware.storage.memory import chosen_thrift
from firmware.storage.places import configuration_path
from vision.table.camera import Camera
from vision.table.device_cameras import open_camera


def tables_camera() -> str:
    """Name the table's camera, as it is configured."""
    return _camera_settings().name


def open_as_configured(name: str) -> Camera:
    """Open a camera that shows what it does at the table: as large, and without flicker."""
    sight = _camera_settings()
    return open_camera(name, sight.mains, chosen_thrift(sight.small))


def _camera_settings() -> CameraSettings:
    with click_errors():
        return settings_in(configuration_path(os.environ)).camera
