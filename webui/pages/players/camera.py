"""A browser as the camera: it asks, the host confirms it, and its frames go to the eyes.

The computer's own browser needs no confirmation. One browser is the camera at a time.
"""

from collections.abc import Callable, Mapping
from functools import partial
from platform import release
from typing import TYPE_CHECKING

import msgspec
from flask import Response, request

from firmware.services.attempt_limits import AttemptLimit
from firmware.services.browser_camera import CALM, FrameFault
from firmware.storage.people import evening as evenings
from firmware.storage.people.evening import Device, Evening
from firmware.storage.people.links import device_id, draw_token
from firmware.table.notices import LastingTrouble, is_of_camera, sentence_for
from referee.contract.words import Phrase, phrase
from referee.games.catalogue import GAMES
from vision.sent_frames import MAX_FRAME_BYTES
from webui.access.joining import change_devices, kind_of, known_device
from webui.access.origins import is_local, network_of
from webui.access.viewers import CAMERA, Viewer, evening_of, is_own_computer, token_in, with_right
from webui.pages.host.people import screen_word
from webui.pages.page import Page, get, post
from webui.pages.players.entering import Rejection, redirect_to
from webui.server.drawn_pages import Pages, picture_of
from webui.server.uploads import DISK_FULL, UploadError, Uploads, receive_body
from webui.views.guide_view import CAMERA as CAMERAS
from webui.views.guide_view import DrawnCard, drawn_cards, words_for
from webui.views.words import Texts, as_headline

if TYPE_CHECKING:
    from firmware.services.table import Table

CAMERA_PAGE = "/camera"
DAZZLED = frozenset({"black", "too bright"})
"""Problems of a camera whose exposure was held in other light."""
WSL = "microsoft"  # part of the kernel's name in Windows Subsystem for Linux

JSON = "application/json"


class CameraPage(Page):
    """Page of a browser that is the camera, or asks to be."""

    def __init__(self, table: "Table", pages: Pages) -> None:
        super().__init__(table, pages)
        self._asking, self._uploads = AttemptLimit(), Uploads("picture", AttemptLimit(each=30))

    @get(CAMERA_PAGE)
    def show(self, rejection: Rejection | None = None) -> Response:
        if not is_local(request):
            self._table.camera.is_reached = True
        return self._draw_forms(lambda viewer: ("browser_camera", self._values(viewer)), rejection)

    @get("/camera/state")
    def state(self) -> Response:
        """Return this browser's state; viewers who may confirm cameras also get the browsers that ask."""
        viewer, evening = self._viewer(), evening_of(self._table)
        asking = [each for each in evening.cameras if each.is_asking] if self._may_confirm(viewer) else []
        return _json(
            {
                "state": self._state_of(viewer),
                "isReached": self._table.camera.is_reached,
                "asking": [
                    {"id": device_id(each.token), "text": self._say(viewer, ASKS, word=screen_word(each))}
                    for each in asking
                ],
            }
        )

    @post("/camera/ask", "browser")
    def ask(self, viewer: Viewer) -> Response:
        """Register a browser that asks; the host's and this computer's become the camera at once."""
        if not self._table.camera.is_there:
            return self.show(self._rejection(viewer, NOT_USED, 409))
        may_confirm, network = self._may_confirm(viewer), network_of(request.remote_addr or "")
        if not may_confirm and not self._asking.may_try(network):
            return self.show(self._rejection(viewer, Texts.busy, 429))
        evening, now = evening_of(self._table), self._table.links.now()
        known = evenings.find_device(evening.cameras, token_in(evening, request.cookies, CAMERA))
        device = known or Device(draw_token(), kind_of(request), since=now, network=network)
        enter = partial(evenings.use_camera, now=now) if may_confirm else evenings.ask_camera
        after = change_devices(self._table, lambda evening: enter(evening, device))
        if not _is_camera(after, device.token):
            is_from_here = any(each.is_asking and each.network == network for each in after.cameras)
            return self.show(self._rejection(viewer, ASKS_ALREADY if is_from_here else MANY_ASK, 409))
        return with_right(self._table, redirect_to(CAMERA_PAGE), CAMERA, device.token)

    @post("/camera/confirm", "browser")
    def confirm(self, viewer: Viewer) -> Response:
        """Make a browser that asks the camera, instead of the one before."""
        return self._decide(viewer, partial(evenings.confirm_camera, now=self._table.links.now()))

    @post("/camera/refuse", "browser")
    def refuse(self, viewer: Viewer) -> Response:
        return self._decide(viewer, evenings.put_out)

    def _decide(self, viewer: Viewer, act: Callable[[Evening, str], Evening]) -> Response:
        if not self._may_confirm(viewer):
            return self._turn_away()
        which = request.form.get("device", "")

        def change(evening: Evening) -> Evening:
            device = known_device(evening, which)
            is_camera = device is not None and device in evening.cameras
            return act(evening, device.token) if device is not None and is_camera else evening

        change_devices(self._table, change)
        return redirect_to(
            {"host": "/host", "people": "/host/people"}.get(request.form.get("from", ""), CAMERA_PAGE)
        )

    @post("/camera/stop", "browser")
    def stop(self, viewer: Viewer) -> Response:
        """Stop this browser; a viewer who may confirm cameras stops the one in use."""
        evening = evening_of(self._table)
        used, own = evenings.camera_of(evening), token_in(evening, request.cookies, CAMERA)
        token = used.token if used is not None and self._may_confirm(viewer) else own
        change_devices(self._table, lambda now: evenings.put_out(now, token) if _is_camera(now, token) else now)
        return redirect_to(CAMERA_PAGE)

    @post("/camera/frame")
    def frame(self) -> Response:
        viewer = self._viewer()
        try:
            content = receive_body(request, "image/jpeg", MAX_FRAME_BYTES, has_right=viewer.is_camera)
        except UploadError as error:
            return Response(status=error.code)
        taken = self._table.camera.take(content, self._is_still_camera)
        if taken == "disk full":
            lead = self._say(viewer, DISK_FULL)
            return _json({"after": CALM, "holds": False, "outlines": "", "lead": lead, "more": ""})
        if isinstance(taken, str):
            return Response(status=FAULTS[taken][1])
        troubles = self._camera_troubles()
        laid = self._table.finder.seeks
        holds = taken.holds and not any(each.key in DAZZLED for each in troubles)
        if laid is None:
            unread, size = self._say(viewer, phrase("can't be read")), taken.size
            cards = [
                DrawnCard(each.outline, "" if each.sure or each.facing == "down" else unread)
                for each in taken.cards
            ]
            seen = self._seen(viewer, troubles, [not each.hindrance for each in cards])
        else:
            # while the table is being found, both pages say the same
            language = self._language(viewer)
            words, size, cards = words_for(laid, language), laid.shown.size, drawn_cards(laid, language)
            seen = {"lead": words.question, "more": words.help}
        outlines = self._pages.page("outlines", viewer, {"size": size, "cards": cards})
        return _json({"after": taken.after, "holds": holds, "outlines": outlines, **seen})

    @post("/camera/picture")
    def picture(self) -> Response:
        """Take a single picture of a phone whose browser may not use the camera."""
        viewer = self._viewer()
        try:
            with self._uploads.receive(request, viewer, self._is_still_camera) as file:
                taken = self._table.camera.take_picture(file, self._is_still_camera)
        except UploadError as error:
            return self.show(self._rejection(viewer, error.text, error.code))
        if isinstance(taken, str):
            return self.show(self._rejection(viewer, *FAULTS[taken]))
        return redirect_to(f"{CAMERA_PAGE}#sent")

    def _may_confirm(self, viewer: Viewer) -> bool:
        """Return whether a viewer may confirm cameras: the host, or this computer's own browser."""
        return viewer.is_host or is_own_computer(self._table, request)

    def _is_still_camera(self) -> bool:
        return self._viewer().is_camera

    def _turn_away(self) -> Response:
        return self.show(self._rejection(self._viewer(), Texts.stale_form, 403))

    def _state_of(self, viewer: Viewer) -> str:
        if not self._table.camera.is_there:
            return "none"
        evening = evening_of(self._table)
        own = evenings.find_device(evening.cameras, token_in(evening, request.cookies, CAMERA))
        if viewer.is_camera:
            return "on"
        if own is not None:
            return "asks"
        return "off" if evenings.camera_of(evening) is None else "other"

    def _values(self, viewer: Viewer) -> Mapping[str, object]:
        evening, address = evening_of(self._table), self._table.address
        own = evenings.find_device(evening.cameras, token_in(evening, request.cookies, CAMERA))
        is_here = is_own_computer(self._table, request)
        # browsers allow a camera on their own machine's pages, too
        state, is_secure = self._state_of(viewer), request.is_secure or is_local(request)
        phone_address = f"{address.own()}camera"
        game = request.args.get("game", "")
        return {
            "game": game if game in GAMES else "",
            "others": CAMERAS if is_here and not self._table.cards.is_fixed else "",
            "state": state if is_secure or state == "none" else f"plain-{state}",
            "may_confirm": self._may_confirm(viewer),
            "is_here": is_here,
            "is_other": state == "other" or (own is not None and evenings.camera_of(evening) is not None),
            "word": "" if own is None else screen_word(own),
            "secure": f"{address.secure()}camera" if address.secure() else "",
            "phone_address": phone_address,
            "phone_picture": picture_of(phone_address) if is_here else "",
            "port": address.port,
            "is_wsl": WSL in release().lower(),
        }

    def _camera_troubles(self) -> list[LastingTrouble]:
        """Return the problems of the eyes, without the lack of frames that a frame ends."""
        problems = filter(is_of_camera, self._table.client.troubles())
        return [each for each in problems if each.key != "phone lost"]

    def _seen(self, viewer: Viewer, troubles: list[LastingTrouble], read: list[bool]) -> Mapping[str, object]:
        """Return what the camera sees, and one instruction."""
        count, known = len(read), sum(read)
        here = is_own_computer(self._table, request)
        if troubles:
            lead, more = as_headline(sentence_for(troubles[0], self._listener(viewer))), ""
        elif not count:
            lead, more = self._say(viewer, CAMERA_ON), self._say(viewer, phrase("Lay cards on the table."))
        elif known < count:
            lead = self._say(viewer, phrase("Some cards can't be read."))
            more = self._say(viewer, phrase("Raise the camera and tilt it down, or make more light."))
        else:
            lead = self._say(viewer, GOOD_HERE if here else GOOD_PHONE)
            more = self._say(viewer, KEEP_OPEN if here else KEEP_PLUGGED)
        return {"lead": lead, "more": more}


ASKS = phrase("A phone wants to be the camera. It shows {word}.")
ASKS_ALREADY = phrase("Another browser with this address is asking already. The host has to answer it first.")
MANY_ASK = phrase("Several cameras are asking already. The host has to answer them first.")
FAULTS: Mapping[FrameFault, tuple[Phrase, int]] = {
    "not a picture": (phrase("This file isn't a picture that the table can read. Take another one."), 422),
    "too fast": (Texts.busy, 429),
    "busy": (Texts.busy, 429),
    "not the camera": (Texts.stale_form, 403),
    "disk full": (DISK_FULL, 507),
}
"""Text and HTTP status of each reason why a frame wasn't taken."""
NOT_USED = phrase("This table reads its cards with another camera.")
CAMERA_ON = phrase("The camera is on.")
GOOD_PHONE, GOOD_HERE = phrase("Good. Leave the phone there."), phrase("Good. Leave the camera there.")
KEEP_PLUGGED = phrase("The screen stays on. Plug the charger in for a long evening.")
KEEP_OPEN = phrase("Keep this page open. You may use others beside it.")


def _is_camera(evening: Evening, token: str) -> bool:
    return evenings.find_device(evening.cameras, token) is not None


def _json(values: Mapping[str, object]) -> Response:
    return Response(msgspec.json.encode(values), content_type=JSON)
