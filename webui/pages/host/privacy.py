"""Host's page of stored personal data: amount, age and retention; evenings can be deleted."""

from collections.abc import Mapping
from typing import Protocol

from flask import Response, request

from firmware.language.speaking import Sentence, reason_of
from firmware.services.privacy import Kept, KeptKind
from firmware.storage.forgetting import UNDATED
from referee.contract.words import Phrase, phrase
from referee.sentences import Language
from vision.troubles import TroubleError
from webui.access.viewers import Viewer
from webui.needs import HasPrivacy, ViewerNeeds
from webui.pages.host.backups import size_text
from webui.pages.page import Page, get, post
from webui.views.words import page_text

TOLD = frozenset({"copies", "club", "webhooks", "broker"})  # data kinds that leave this computer
BYTES = frozenset({"pictures", "log"})
"""Kinds limited by bytes; all others are limited by count."""

NAMES: Mapping[KeptKind, Phrase] = {
    "matches": phrase("Matches"),
    "pictures": phrase("Camera pictures that rulings rest on"),
    "photographs": phrase("Photographs from phones"),
    "people": phrase("People of the evening"),
    "decks": phrase("Pictures of taught decks"),
    "aside": phrase("Earlier states of this table"),
    "log": phrase("Log"),
    "copies": phrase("Second copies"),
    "club": phrase("Club"),
    "webhooks": phrase("Other programs"),
    "broker": phrase("Broker of the house"),
}

BOUNDS: Mapping[KeptKind, Phrase] = {
    "matches": phrase("Who played, every answer and ruling, with the time. Kept until you forget them."),
    "pictures": phrase(
        "The table as it lay when it was read, no hand in sight. At most {most} with photographs; the oldest "
        "go first, and sooner when the disk fills."
    ),
    "photographs": phrase(
        "Only the part around the cards, and only if an answer rests on it. Counted with the camera's pictures."
    ),
    "people": phrase(
        "Names, and by which phones they play: at most {most}. A phone's right ends after 24 hours in which "
        "the table runs; the name stays until you delete it."
    ),
    "decks": phrase("Of the cards, with a little of the table round each. Kept until you remove the deck."),
    "aside": phrase(
        "What was here before a backup was put in place or the version changed: the newest few. What is "
        "forgotten leaves them, too."
    ),
    "log": phrase("Presses, notices and faults. At most {most}; the oldest go first."),
    "copies": phrase("Matches, settings and decks, in the folder that you named. Copies of {most} days."),
    "club": phrase("Every answer goes to the club, and a picture with each call for the director. Kept there."),
    "webhooks": phrase("Each moment goes to these addresses as anybody may see it, no hidden card in it."),
    "broker": phrase("Each moment goes there as anybody may see it, no hidden card in it."),
}


class PrivacyNeeds(ViewerNeeds, HasPrivacy, Protocol):
    """Parts of the table used by the page of stored data."""


class PrivacyPage(Page[PrivacyNeeds]):
    """Page of stored data."""

    home = "/host/privacy"

    @post(f"{home}/forget", "host")
    def forget(self, viewer: Viewer) -> Response:
        """Delete an evening: the table restarts, and deletes it first."""
        privacy, day = self._table.privacy, request.form.get("day", "")
        if day not in {evening.day for evening in privacy.evenings()}:
            return self.show(viewer, self._say(viewer, phrase("That evening isn't kept any more.")), 404)
        if not self._table.client.state().is_saving:
            why = phrase("Nothing is saved just now, so that nothing can be forgotten for good.")
            return self.show(viewer, self._say(viewer, why), 409)
        try:
            privacy.forget(day)
        except (OSError, TroubleError) as error:
            return self.show(viewer, reason_of(error), 409)
        return self._restart(viewer)

    @get(home, "host")
    def show(self, viewer: Viewer, wrong: str | Sentence = "", code: int = 200) -> Response:
        language, privacy = self._language(viewer), self._table.privacy
        kept = privacy.kept()
        told = [each for each in kept if each.kind in TOLD]
        values = {
            "note": wrong,
            "kept": [_row(language, each) for each in kept if each.kind not in TOLD],
            "told": [_row(language, each) for each in told],
            "club": next((name for each in told if each.kind == "club" for name in each.where), ""),
            "places": ", ".join(
                place for each in told if each.kind in {"webhooks", "broker"} for place in each.where
            ),
            "evenings": [
                (each, each.day == UNDATED, privacy.seated(each.names)) for each in privacy.evenings()
            ],
            "is_saving": self._table.client.state().is_saving,
            "is_unfinished": privacy.is_unfinished(),
        }
        return self._draw("privacy", viewer, values, code)


def _row(language: Language, kept: Kept) -> tuple[str, str, str, bool]:
    most = size_text(language, kept.most) if kept.kind in BYTES else str(kept.most)
    bounds = page_text(language, BOUNDS[kept.kind], most=most)
    return page_text(language, NAMES[kept.kind]), _amount(language, kept), bounds, kept.is_on


def _amount(language: Language, kept: Kept) -> str:
    # data stored before the feature was turned off is still there
    parts = [*(() if kept.is_on else (page_text(language, phrase("off")),)), *kept.where]
    if kept.count:
        parts.append(str(kept.count))
    if kept.size:
        parts.append(size_text(language, kept.size))
    if kept.since:
        parts.append(page_text(language, phrase("since {day}"), day=kept.since))
    return ", ".join(parts) or page_text(language, phrase("nothing yet"))
