"""Host's page of stored personal data: amount, age and retention; evenings can be deleted."""

from collections.abc import Mapping

from flask import Response, request

from firmware.language.speaking import Sentence, reason_of
from firmware.services.privacy import Kept, KeptKind
from firmware.storage.forgetting import UNDATED
from referee.contract.words import Phrase, phrase
from referee.sentences import Language
from vision.troubles import TroubleError
from webui.access.viewers import Viewer
from webui.pages.host.backups import size_text
from webui.pages.page import Page, get, post
from webui.views.words import page_text

TOLD = frozenset({"copies", "club", "webhooks", "broker"})  # data kinds that leave this computer
BYTES = frozenset({"pictures", "log"})
"""Kinds limited by bytes; all others are limited by count."""

NAMES: Mapping[KeptKind, Phrase] = {
    "matches": phrase("Matches"),
    "pictures": phrase("Camera pictures behind rulings"),
    "photographs": phrase("Photos from phones"),
    "people": phrase("People this evening"),
    "decks": phrase("Pictures of taught decks"),
    "aside": phrase("Earlier copies of this table's data"),
    "log": phrase("Log"),
    "copies": phrase("Second copies"),
    "club": phrase("Club"),
    "webhooks": phrase("Other programs"),
    "broker": phrase("MQTT broker"),
}

BOUNDS: Mapping[KeptKind, Phrase] = {
    "matches": phrase("Players, answers and rulings, with times. Kept until you forget them."),
    "pictures": phrase(
        "The table when cards were read, without hands in view. At most {most}, photos included; the "
        "oldest are deleted first, and sooner if the disk fills up."
    ),
    "photographs": phrase(
        "Only the area around the cards, and only if an answer is based on it. Counted with the "
        "camera's pictures."
    ),
    "people": phrase(
        "Names and their phones, at most {most}. A phone's access expires after the table has run for "
        "24 hours; the name stays until you delete it."
    ),
    "decks": phrase("The cards, with a little of the table around each. Kept until you remove the deck."),
    "aside": phrase(
        "The newest few, from before a backup was restored or the version changed. Forgotten evenings "
        "are deleted from them, too."
    ),
    "log": phrase("Presses, notices and faults. At most {most}; the oldest are deleted first."),
    "copies": phrase("Matches, settings and decks, in the folder you chose. Copies of {most} days."),
    "club": phrase("Every answer, and a picture with each call for the director. The club stores them."),
    "webhooks": phrase("Each moment is sent to these addresses, without hidden cards."),
    "broker": phrase("Each moment is sent there, without hidden cards."),
}


class PrivacyPage(Page):
    """Page of stored data."""

    home = "/host/privacy"

    @post(f"{home}/forget", "host")
    def forget(self, viewer: Viewer) -> Response:
        """Delete an evening: the table restarts, and deletes it first."""
        privacy, day = self._table.privacy, request.form.get("day", "")
        if day not in {evening.day for evening in privacy.evenings()}:
            return self.show(viewer, self._say(viewer, phrase("That evening is no longer stored.")), 404)
        if not self._table.client.state().is_saving:
            why = phrase("The table can't save right now, so it can't forget anything for good.")
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
