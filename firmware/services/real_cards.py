"""Choices of a table's people: real cards or the simulated table, its camera, and its cards."""

import sys
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from firmware.language.speaking import Sentence, not_kept, problem_sentence, say
from firmware.services.jobs import do_job
from firmware.services.settings import SettingsKeeper
from firmware.storage.cards_choice import CARDS_CHOICE, Kind, choose_deck, choose_kind
from firmware.storage.configuration import OWN_CAMERAS
from firmware.storage.decks import OwnDeck, new_folder, own_decks
from firmware.storage.match_marks import KINDS, mark_of
from referee.contract import Game
from vision.pictures import small_jpeg
from vision.table.camera import WARM, CameraTroubleError
from vision.table.camera_names import PHONE, is_camera_name, shown_name
from vision.table.device_cameras import UsbCamera, open_camera
from vision.troubles import Problem

DEVICES = Path("sys/class/video4linux")
NO_CAMERAS = (*OWN_CAMERAS, "bcm2835-", "rpi-", "pispbe", "v4l2loopback")
"""Kernel names of video devices that aren't USB cameras: the Raspberry Pi's own ones and its codecs."""
MAX_CAMERAS = 6
MAC_CAMERAS = 3  # numbers that are tried on macOS, which lists no names
SEARCH_TIMEOUT, PICTURE_TIMEOUT = 20.0, 20.0  # seconds; macOS opens each camera for seconds
PICTURE_WIDTH = 800


class FoundCamera(Struct, frozen=True):
    """A connected camera: its name for settings, and its title for people."""

    name: str
    title: Sentence | str


def listed_cameras(root: Path = Path("/"), *, is_pi: bool) -> tuple[FoundCamera, ...]:
    """Return the cameras that Linux lists; a Raspberry Pi's own one if there is one."""
    usb, has_own = dict[int, str](), False
    for entry in (root / DEVICES).glob("video*"):
        with suppress(OSError, ValueError):
            title = (entry / "name").read_text(encoding="utf-8", errors="replace").strip()
            has_own |= title.startswith(OWN_CAMERAS)
            # each webcam has a second device, which gives no pictures
            if (entry / "index").read_text().strip() == "0" and not title.startswith(NO_CAMERAS):
                usb[int(entry.name.removeprefix("video"))] = title
    own = (FoundCamera("pi", say("Raspberry Pi camera")),) if is_pi and has_own else ()
    found = (FoundCamera(f"usb:{number}", _tidy(usb[number], number)) for number in sorted(usb))
    return (*own, *found)[:MAX_CAMERAS]


def _tidy(title: str, number: int) -> str:
    """Return a camera's title without the repetition that many drivers report ("HD Webcam: HD Webcam")."""
    first, _colon, second = title.partition(": ")
    plain = first if second and first.startswith(second[: len(first)]) else title
    return plain if plain.isprintable() and plain else f"usb:{number}"


def find_by_trying(most: int) -> tuple[int, ...]:
    """Return the numbers of the cameras that open; runs in a process of its own, because a driver can hang."""
    found = list[int]()
    for number in range(most):
        with suppress(CameraTroubleError), closing(UsbCamera(number)) as camera:
            camera.picture()
            found.append(number)
    return tuple(found)


def take_small_picture(name: str) -> bytes:
    """Return a camera's picture as a small JPEG; runs in a process of its own."""
    with closing(open_camera(name)) as camera:
        # exposure settles first
        for _number in range(WARM):
            camera.picture()
        picture = camera.picture()
    return b"" if picture is None else small_jpeg(picture, PICTURE_WIDTH)


class CameraTried(Struct, frozen=True):
    """The result of opening a camera."""

    problem: Problem | None = None


def open_and_look(name: str) -> CameraTried:
    """Open a camera, and take a picture; runs in a process of its own."""
    try:
        with closing(open_camera(name)) as camera:
            camera.picture()
    except CameraTroubleError as error:
        return CameraTried(error.problem)
    return CameraTried()


class RealCards:
    """The choice that the first page offers, and its parts."""

    def __init__(
        self, state: Path, settings: SettingsKeeper, *, kind: Kind, camera: str, is_pi: bool, is_fixed: bool
    ) -> None:
        """Use the running table's kind and the name of its camera; `is_fixed` if options decided both."""
        self._state, self._settings, self._is_pi = state, settings, is_pi
        self.kind: Kind = kind
        self.is_fixed, self._camera = is_fixed, camera
        self._lock = Lock()
        self._by_trying: tuple[FoundCamera, ...] | None = None

    @property
    def is_real(self) -> bool:
        return self.kind == "real"

    @property
    def is_led_here(self) -> bool:
        """Whether people at this computer lead the table: it isn't a Raspberry Pi with a public screen."""
        return not self.is_real or not self._is_pi

    @property
    def is_seen_by_browser(self) -> bool:
        return self.is_real and self._camera == PHONE

    @property
    def is_camera_likely(self) -> bool:
        """Whether a camera is connected, as far as that is known at once."""
        return sys.platform == "darwin" or bool(listed_cameras(is_pi=self._is_pi))

    @property
    def camera(self) -> str:
        """The camera that was chosen or used last, without secrets; empty before the first choice."""
        has_chosen = self.is_real or bool(CARDS_CHOICE.read(self._state).seen_by)
        return shown_name(self._settings.now().camera.name) if has_chosen else ""

    def cameras(self) -> tuple[FoundCamera, ...]:
        """Return the connected cameras. Slow for the first time on macOS."""
        if sys.platform != "darwin":
            return listed_cameras(is_pi=self._is_pi)
        with self._lock:
            if self._by_trying is None:
                numbers = do_job(find_by_trying, MAC_CAMERAS, SEARCH_TIMEOUT, has_games=False) or ()
                self._by_trying = tuple(_numbered(numbers))
            return self._by_trying

    def picture(self, name: str) -> bytes | None:
        """Return a picture of a connected camera that the table doesn't use; None if there is none."""
        if name not in {camera.name for camera in self.cameras()} or (self.is_real and name == self._camera):
            return None
        with self._lock:
            return do_job(take_small_picture, name, PICTURE_TIMEOUT, has_games=False) or None

    @property
    def awaited_game(self) -> str:
        """Game for which people are setting up the table; empty otherwise."""
        return CARDS_CHOICE.read(self._state).game if self.is_real else ""

    def why_not(self, address: str) -> Sentence | None:
        """Try a network camera. Returns why it gives no picture."""
        shown = shown_name(address)
        tried = do_job(open_and_look, address, PICTURE_TIMEOUT, has_games=False)
        problem = Problem("unreachable", {"camera": shown}) if tried is None else tried.problem
        if problem is None:
            return None
        parts = urlsplit(address)
        if problem.key != "login refused" or parts.username is not None:
            return problem_sentence(problem)
        return say(
            "{host} answers, but asks for a name and a password. Write them in front: {example}",
            host=parts.hostname,
            example=parts._replace(netloc=f"name:password@{parts.netloc}").geturl(),
        )

    def await_players(self, names: tuple[str, ...], agreed: Mapping[str, str]) -> None:
        """Remember players and house rules until the table is found."""
        with suppress(OSError):
            choice = replace(CARDS_CHOICE.read(self._state), players=names, agreed=agreed)
            CARDS_CHOICE.keep(self._state, choice)

    def awaited(self, game: Game | None) -> tuple[tuple[str, ...], Mapping[str, str]] | None:
        """Return the players and house rules chosen for a game before the table was found."""
        choice = CARDS_CHOICE.read(self._state)
        is_awaited = game is not None and game.name == self.awaited_game and choice.players
        return (choice.players, choice.agreed) if is_awaited else None

    def use_camera(self, name: str, game: str) -> Sentence | None:
        """Choose real cards with a camera, from the next start on. Returns why that is impossible."""
        # the address that pages show stands for the stored one
        if not is_camera_name(name) and name != self.camera:
            return say("Camera: enter pi, usb:0, phone, or an address with http, https or rtsp.")
        now = self._settings.now()
        wrong = self._settings.choose(replace(now, camera=replace(now.camera, name=name)))
        return wrong[0] if wrong else self._keep("real", game)

    def simulate(self) -> Sentence | None:
        """Choose the simulated table, from the next start on; the camera is kept."""
        return self._keep("simulated")

    def _keep(self, kind: Kind, game: str = "") -> Sentence | None:
        try:
            choose_kind(self._state, kind, game)
        except OSError as error:
            return not_kept(error)
        return None

    def is_of_other_table(self, begun: str) -> bool:
        """Return whether the other kind of table played a match last."""
        # a backup records no kind; without a Raspberry Pi, its matches count as simulated
        unmarked: Kind = self.kind if self._is_pi else "simulated"
        return KINDS.read(self._state).get(mark_of(begun), unmarked) != self.kind

    # the cards

    def own_decks(self, decks: Iterable[str]) -> tuple[OwnDeck, ...]:
        """Return the people's own decks with the faces of some games' decks."""
        return own_decks(*decks)

    def is_printed(self, deck: str) -> bool:
        """Return whether the printed cards of a deck are on the table."""
        return deck in CARDS_CHOICE.read(self._state).printed

    def use_printed(self, decks: Iterable[str]) -> Sentence | None:
        """Choose the printed cards of some decks, from the next match on. Returns why that is impossible."""
        return self._choose(dict.fromkeys(decks))

    def use_own(self, deck: str, folder: str) -> Sentence | None:
        """Choose an own deck, from the next match on."""
        return self._choose({deck: folder})

    def learn(self, decks: Iterable[str], title: str) -> Sentence | None:
        """Choose a new deck, which the table learns from the next match on."""
        return self._choose({deck: new_folder(deck) for deck in decks}, title)

    def _choose(self, folders: Mapping[str, str | None], title: str = "") -> Sentence | None:
        try:
            for deck, folder in folders.items():
                choose_deck(self._state, deck, folder, title)
        except OSError as error:
            return not_kept(error)
        return None


def _numbered(numbers: Iterable[int]) -> Iterable[FoundCamera]:
    for number in numbers:
        title = say("Built-in camera") if number == 0 else say("Camera {number}", number=number + 1)
        yield FoundCamera(f"usb:{number}", title)
