"""Health of the table: short states of camera, record and buttons, and all problems with remedies."""

from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from firmware.language.speaking import Sentence, say
from firmware.services.checks import Finding, split_remedy, well, wrong
from firmware.services.own_club import ClubLinkStatus
from firmware.table.notices import LastingTrouble, PartName, is_grave, part_of, sentence_for
from referee.contract.words import Phrase, phrase
from referee.sentences import Language, Listener


class PartHealth(Struct, frozen=True):
    """A part of the table, its state, and the matching lamp."""

    part: PartName
    name: Phrase
    word: Phrase
    lamp: str
    address: str


ADDRESSES: Mapping[PartName, str] = {
    "camera": "/host/check#camera",
    "record": "/host/backup",
    "buttons": "/host/check#buttons",
}
WELL, DOUBTFUL, BROKEN = "green", "amber", "red"
NAMES: Mapping[PartName, Phrase] = {
    "camera": phrase("Camera"),
    "record": phrase("Record"),
    "buttons": phrase("Buttons"),
}
WORDS: Mapping[PartName, Mapping[str, Phrase]] = {
    "camera": {WELL: phrase("sees"), DOUBTFUL: phrase("sees badly"), BROKEN: phrase("is blind")},
    "record": {WELL: phrase("is safe"), DOUBTFUL: phrase("has no copy"), BROKEN: phrase("isn't saved")},
    "buttons": {WELL: phrase("work"), DOUBTFUL: phrase("one is stuck"), BROKEN: phrase("don't work")},
}


def health_of(
    troubles: Collection[LastingTrouble], *, is_saving: bool, has_buttons: bool
) -> tuple[PartHealth, ...]:
    """Return the state of each part that the table has, by its most serious problem."""
    wrong = {*map(part_of, troubles)}
    grave = {*map(part_of, filter(is_grave, troubles)), *(() if is_saving else ("record",))}
    parts = (part for part in NAMES if part != "buttons" or has_buttons or part in wrong)
    lamps = {part: BROKEN if part in grave else DOUBTFUL if part in wrong else WELL for part in parts}
    return tuple(
        PartHealth(part, NAMES[part], WORDS[part][lamp], lamp, ADDRESSES[part]) for part, lamp in lamps.items()
    )


# problems as the host experiences them


class Symptom(Struct, frozen=True):
    """Visible effect of a problem, its cost to the match, and the button to press."""

    says: Phrase
    cost: int  # sort order: stops the match, then costs answers, images, nothing
    sign: str
    key: Phrase = phrase("Again")
    address: str = "/host/health"


SYMPTOMS: Mapping[str, Symptom] = {
    "power": Symptom(phrase("The table may stop at any moment"), 0, "bolt"),
    "not saved": Symptom(phrase("Nothing that is played is saved"), 0, "disk", phrase("What to do"), "/host"),
    "temperature": Symptom(phrase("The table answers slowly"), 1, "heat"),
    "blind": Symptom(phrase("The table sees no cards"), 1, "lens", phrase("Look"), "/host/check"),
    "camera": Symptom(phrase("Cards may go unread"), 1, "lens", phrase("Frame"), "/host/table"),
    "buttons": Symptom(phrase("A button can't be used"), 1, "hand", phrase("Test"), "/host/check#buttons"),
    "asleep": Symptom(phrase("No button can be used"), 1, "hand", phrase("Choose"), "/host/board"),
    "sound": Symptom(phrase("The table has no sound"), 1, "sound", phrase("Choose"), "/host/loudspeakers"),
    "disk": Symptom(phrase("Pictures will soon not be stored"), 2, "disk", phrase("Delete"), "/host/privacy"),
    "clock": Symptom(phrase("The clock is wrong"), 3, "round"),
    "record": Symptom(phrase("There is no second copy"), 3, "stick", phrase("Backup"), "/host/backup"),
    "club": Symptom(phrase("The club isn't connected"), 3, "cloud", address=""),
}
NOTED = {"weak supply": "power", "too hot": "temperature", "board asleep": "asleep"}
"""Parts named by the table's own reports while they last."""
CURED = frozenset({"camera", "blind", "buttons", *NOTED.values()})  # parts whose sentences end with a remedy
UNKNOWN = Symptom(Phrase(""), 3, "warn", address="")
"""Any other problem: only its cause is shown."""


class Ill(Struct, frozen=True):
    """A problem as the page shows it."""

    says: str
    cause: str
    cure: str
    symptom: Symptom


def results_of(
    checked: Iterable[Finding], troubles: Iterable[LastingTrouble], listener: Listener, *, is_saving: bool
) -> list[Finding]:
    """Merge findings of checks with the table's reports; for the same part, the check counts."""
    # the table reports a weak supply while it lasts; past dips are left to doctor
    found = [each for each in checked if each.part != "power" or each.state != "trouble"]
    named = {each.part for each in found if each.state == "trouble"}
    reported = [_finding_of(each, listener) for each in troubles]
    if not is_saving and all(each.part != "not saved" for each in reported):
        reported.append(wrong("", "", "not saved"))
    return [*found, *(each for each in reported if each.part not in named)]


def _finding_of(trouble: LastingTrouble, listener: Listener) -> Finding:
    affected, told = part_of(trouble), sentence_for(trouble, listener)
    grave = {"record": "not saved", "camera": "blind"} if is_grave(trouble) else {}
    part = NOTED.get(trouble.key) or grave.get(affected, affected)
    # sentences about other parts may end with a colon that precedes no remedy
    return wrong(*(split_remedy(told) if part in CURED else (told, "")), part)


def ills_of(results: Iterable[Finding], language: Language) -> list[Ill]:
    """Return the problems, worst first."""
    ills = (_ill(each, language) for each in results if each.state == "trouble")
    return sorted(ills, key=lambda each: each.symptom.cost)


def _ill(finding: Finding, language: Language) -> Ill:
    cause = _sentence(_worded(finding.told, language))
    # a phone has no terminal
    cure = _sentence(_worded(finding.remedy, language).partition(": sudo")[0].rstrip())
    if (symptom := SYMPTOMS.get(finding.part)) is None:
        return Ill(cause, "", cure, UNKNOWN)
    return Ill(language.gettext(symptom.says.one), cause, cure, symptom)


def _worded(told: Sentence | str, language: Language) -> str:
    return told.told(language) if isinstance(told, Sentence) else told


def _sentence(words: str) -> str:
    ended = words if not words or words.endswith((".", "!", "?")) else f"{words}."
    return ended[:1].upper() + ended[1:]


VALUES: Mapping[str, tuple[Phrase, str]] = {
    "power": (phrase("Power"), "bolt"),
    "temperature": (phrase("Warmth"), "heat"),
    "camera": (phrase("Camera"), "lens"),
    "record": (phrase("Record"), "stick"),
    "buttons": (phrase("Buttons"), "hand"),
    "disk": (phrase("Disk"), "disk"),
    "club": (phrase("Club"), "cloud"),
}


def club_findings(link: ClubLinkStatus) -> tuple[Finding, ...]:
    if not link.club:
        return ()
    if link.is_connected:
        return (well(say("is connected"), "club"),)
    return (wrong(say("Nothing to do: the rest is sent later"), "", "club"),)


def health_values(
    results: Iterable[Finding], health: Iterable[PartHealth], language: Language
) -> Mapping[str, object]:
    """Return template values: the problems, and the healthy parts with their values."""
    ills = ills_of(results, language)
    told = {each.part: _worded(each.told, language) for each in results if each.state == "well"}
    told |= {each.part: language.gettext(each.word.one) for each in health if each.lamp == WELL}
    well = [
        {"name": language.gettext(name.one), "told": told[part], "sign": sign}
        for part, (name, sign) in VALUES.items()
        if part in told
    ]
    all_well = language.gettext(phrase("All is well. Play.").one)
    return {"ills": ills, "headline": ills[0].cure or ills[0].says if ills else all_well, "well": well}
