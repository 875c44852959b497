"""The camera of a command, by default the table's; also the mounting height of each camera."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from threading import Thread
from typing import TypeVar

from firmware.cli.output import click_errors
from firmware.language.speaking import _
from firmware.state_folder import CHOSEN, configuration_path, state_directory
from firmware.storage.configuration import CameraSettings, SettingsError, merge_choice, read_choice, settings_in
from firmware.storage.found_table import chosen_thrift
from vision.pictures import Picture
from vision.table.camera import LONGEST, WARM, Camera, slow_camera
from vision.table.camera_names import is_live
from vision.table.device_cameras import open_camera
from vision.table.optics import CAMERAS, heights, largest_apart, seen_from
from vision.table.plates import Millimetres
from vision.table.values import Optics

T = TypeVar("T")
CENTIMETRE = 10.0


def tables_camera() -> str:
    return _camera_settings().name


def open_as_configured(name: str, sight: CameraSettings | None = None) -> Camera:
    """Open a camera with the table's picture size and mains frequency."""
    sight = sight or _camera_settings()
    return open_camera(name, sight.mains, chosen_thrift(sight.small))


def take_picture(source: Camera, name: str) -> tuple[Picture | None, Optics | None]:

    def taken() -> tuple[Picture | None, Optics | None]:
        with closing(source):
            shown = source.picture()
            for _number in range(WARM if is_live(name) else 0):
                shown = source.picture()
            return shown, source.optics()

    return in_time(taken, name)


def in_time(asked: Callable[[], T], camera: str) -> T:
    """Wait for a camera's answer with a timeout; a driver may hang in its daemon thread."""
    answer = Future[T]()

    def ask() -> None:
        try:
            answer.set_result(asked())
        except BaseException as error:  # noqa: BLE001 - it is raised again where it was asked
            answer.set_exception(error)

    Thread(target=ask, daemon=True).start()
    try:
        return answer.result(LONGEST)
    except TimeoutError:
        raise slow_camera(camera, LONGEST) from None


def _camera_settings() -> CameraSettings:
    """Return the settings of the camera that people chose last, on a page or in the configuration."""
    with click_errors():
        configured = settings_in(configuration_path())
    try:
        return merge_choice(configured, read_choice(state_directory()), CHOSEN).camera
    except SettingsError:
        # the next start moves an unreadable choice aside
        return configured.camera


def height_rows(apart: Millimetres) -> Iterator[str]:
    yield _("| camera | height of the lens, cm | sees from there, cm |")
    yield "|---|---|---|"
    for optics in CAMERAS.values():
        seen, between = "-", heights(optics, apart)
        if between is not None:
            across, down = (round(length / CENTIMETRE) for length in seen_from(optics, between[0]))
            seen = f"{across} x {down}"
        yield f"| {optics.name} | {height_text(optics, apart)} | {seen} |"


def height_text(optics: Optics, apart: Millimetres) -> str:
    between = heights(optics, apart)
    if between is None:
        across, down = map(int, largest_apart(optics, apart))
        return _("none: plates at most {across} x {down} mm apart").format(across=across, down=down)
    low, high = between
    return _("{low} to {high}").format(low=-int(-low // CENTIMETRE), high=int(high // CENTIMETRE))
