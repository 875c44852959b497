"""The camera that a command looks through if none is named."""

import os

from firmware.cli.output import click_errors
from firmware.storage.configuration import settings_in
from firmware.storage.places import configuration_path


def tables_camera() -> str:
    """Name the table's camera, as it is configured."""
    with click_errors():
        return settings_in(configuration_path(os.environ)).camera.name
