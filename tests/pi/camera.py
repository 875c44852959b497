"""A camera for the emulated Pi: the kernel's vivid as a USB camera with rendered pictures."""

from pathlib import Path

from hardware.twin.rendering.scene import SceneCamera
from tests.hardware.twin.levels import WIDE
from tests.hil import game
from tests.pi.machine import Machine

FRAMES = "/boot/firmware/coyote/frames"
SHOWN = "/run/box-shown"
NAME = "usb:0@1920x1080"
CAMERA = SceneCamera(at=(0.0, 0.0, 870.0), focal=1404.0, resolution=WIDE, jpeg=0)
"""Mounted like a USB camera in docs/build.md."""
EMPTY, LAID = "empty", "laid"
TIMINGS = "width=1920,height=1080,polarities=3,pixelclock=74250000,hfp=638,hs=44,hbp=148,vfp=4,vs=5,vbp=36"
"""CEA-861's 1080p24, the slowest mode of vivid."""
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
    """Write the pictures beside the program on the card: an empty table, and one with cards."""
    for name, cards in ((EMPTY, {}), (LAID, game.LAID)):
        folder = card / "coyote" / "frames" / name
        folder.mkdir(parents=True)
        for number, picture in enumerate(game.drawn(cards, CAMERA)):
            (folder / f"{number}.bgr").write_bytes(picture.tobytes())


def plug_in(machine: Machine) -> None:
    show(machine, EMPTY)
    machine.ask(PLUG_IN)


def show(machine: Machine, name: str) -> None:
    machine.ask(f"ln -sfn {FRAMES}/{name} {SHOWN}")
