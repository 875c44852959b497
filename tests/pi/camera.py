"""A camera for the box: the kernel's vivid as one at USB, which shows what the twin's renderer draws."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from firmware.start.games import hand_in_games
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import WIDE, Scene, SceneCamera, SceneCard, SceneLight, SceneTable
from tests.pi.machine import Machine

FRAMES = "/boot/firmware/coyote/frames"
SHOWN = "/run/box-shown"
NAME = "usb:0@1920x1080"
CAMERA = SceneCamera(at=(0.0, 0.0, 870.0), focal=1404.0, resolution=WIDE, jpeg=0)
"""As docs/build.md has a USB camera hang."""
EMPTY, LAID = "empty", "laid"
CARDS: Mapping[str, tuple[float, float]] = {
    "10": (-35.0, -48.0),
    "5": (35.0, -48.0),
    "2": (-35.0, 48.0),
    "-5": (35.0, 48.0),
}
"""They add up to the twelve that were announced, so that the player who calls coyote loses."""
NOISES = 3
"""Pictures of each scene: one that stands still would be a frozen camera's."""
TIMINGS = "width=1920,height=1080,polarities=3,pixelclock=74250000,hfp=638,hs=44,hbp=148,vfp=4,vs=5,vbp=36"
"""CEA-861's 1080p24, the slowest that vivid has."""
FEED = f"while :; do cat {SHOWN}/*; done"
PLUG_IN = f"""
modprobe vivid n_devs=1 node_types=0x101 vid_cap_nr=0 vid_out_nr=1 \\
    num_inputs=1 input_types=3 num_outputs=1 output_types=1 ccs_cap_mode=0 ccs_out_mode=0
v4l2-ctl -d1 --set-dv-bt-timings {TIMINGS}
v4l2-ctl -d1 --set-fmt-video-out=width=1920,height=1080,pixelformat=BGR3
v4l2-ctl -d0 -c hdmi_000_0_is_connected_to=2,osd_text_mode=2
v4l2-ctl -d0 --set-dv-bt-timings {TIMINGS}
systemd-run --quiet --unit=box-frames sh -c '({FEED}) | v4l2-ctl -d1 --stream-out-mmap=2 --stream-from -'
sed -i '/mains/a name = "{NAME}"' /etc/coyote-table/coyote.toml
systemctl restart --no-block coyote
"""


def draw_frames(card: Path) -> None:
    """Write the pictures beside the program on the card: an empty table, and one with cards on it."""
    hand_in_games()
    for name, cards in ((EMPTY, {}), (LAID, CARDS)):
        laid = tuple(SceneCard(face, x, y, 2.0) for face, (x, y) in cards.items())
        scene = Scene(CAMERA, SceneTable("felt"), SceneLight(), laid)
        picture = render(scene, faces_of("coyote-kidult")).picture
        folder = card / "coyote" / "frames" / name
        folder.mkdir(parents=True)
        for seed in range(NOISES):
            noise = np.random.default_rng(seed).integers(0, 4, picture.shape, np.uint8)
            (folder / f"{seed}.bgr").write_bytes((np.minimum(picture, 251) + noise).tobytes())


def plug_in(machine: Machine) -> None:
    show(machine, EMPTY)
    machine.ask(PLUG_IN)


def show(machine: Machine, name: str) -> None:
    machine.ask(f"ln -sfn {FRAMES}/{name} {SHOWN}")
