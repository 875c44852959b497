"""How the table is: in three words what camera, record and buttons do; and all that is wrong, with its cure."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from firmware.language.speaking import Sentence, say
from firmware.services.checks import Finding, well, wrong
from firmware.services.own_club import ClubLinkStatus
from firmware.table.notices import Concern, LastingTrouble, PartName, concern_of, sentence_for
from referee.contract.words import Phrase, phrase
from referee.sentences import Language, Listener


class PartHealth(Struct, frozen=True):
    """A part of the table, what it does, and the lamp that says the same."""

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


def health_of(concerns: Iterable[Concern], *, is_saving: bool) -> tuple[PartHealth, ...]:
    """Return how each part is, by the gravest of what is wrong with it."""
    known = (*concerns, *(() if is_saving else (Concern("record", is_grave=True),)))
    wrong, grave = {each.part for each in known}, {each.part for each in known if each.is_grave}
    lamps = {part: BROKEN if part in grave else DOUBTFUL if part in wrong else WELL for part in NAMES}
    return tuple(
        PartHealth(part, NAMES[part], WORDS[part][lamp], lamp, ADDRESSES[part]) for part, lamp in lamps.items()
    )


# what is wrong, by what the host sees of it


class Symptom(Struct, frozen=True):
    """What people see of something that is wrong, what that costs them, and what they can press."""

    says: Phrase
    cost: int  # what stops the match comes first, then what costs answers, pictures, nothing
    sign: str
    key: Phrase = phrase("Again")
    address: str = "/host/health"


SYMPTOMS: Mapping[str, Symptom] = {
    "power": Symptom(phrase("The table may stop at any moment"), 0, "bolt"),
    "not saved": Symptom(phrase("Nothing that is played is saved"), 0, "disk", phrase("What helps"), "/host"),
    "temperature": Symptom(phrase("The table answers slowly"), 1, "heat"),
    "blind": Symptom(phrase("The table sees no cards"), 1, "lens", phrase("Look"), "/host/check"),
    "camera": Symptom(phrase("Cards may go unread"), 1, "lens", phrase("Frame"), "/host/table"),
    "buttons": Symptom(phrase("A button can't be used"), 1, "hand", phrase("Test"), "/host/check#buttons"),
    "asleep": Symptom(phrase("No button can be used"), 1, "hand", phrase("Choose"), "/host/board"),
    "sound": Symptom(phrase("Nobody hears the table"), 1, "sound", phrase("Choose"), "/host/loudspeakers"),
    "disk": Symptom(phrase("Soon no picture is kept"), 2, "disk", phrase("Delete"), "/host/privacy"),
    "clock": Symptom(phrase("Evenings get wrong dates"), 3, "round"),
    "record": Symptom(phrase("There is no second copy"), 3, "stick", phrase("Backup"), "/host/backup"),
    "club": Symptom(phrase("The club doesn't hear this table"), 3, "cloud", address=""),
}
NOTED = {"weak supply": "power", "too hot": "temperature", "board asleep": "asleep"}
"""What the table itself tells of while it lasts, with its cure."""

UNKNOWN = Symptom(Phrase(""), 3, "warn", address="")
"""What people see of all else: its cause is all that can be said."""


class Ill(Struct, frozen=True):
    """Something that is wrong: what people see of it, why and what cures it, and what else its symptom says."""

    says: str
    cause: str
    cure: str
    symptom: Symptom


def ills_of(
    findings: Iterable[Finding], troubles: Iterable[LastingTrouble], listener: Listener, *, is_saving: bool
) -> tuple[Ill, ...]:
    """List what is wrong, the worst first; what a check found isn't told a second time."""
    language = listener.language
    # a weak supply is told while it lasts; a dip that is over is for doctor
    found = {each.part: each for each in findings if each.state == "trouble" and each.part != "power"}
    ills = list[Ill]()
    for part, each in found.items():
        # a phone has no terminal
        cure = _worded(each.remedy, language).partition(": sudo")[0].rstrip()
        ills.append(_ill(part, _worded(each.told, language), cure, language))
    for trouble in troubles:
        kind = _kind_of(trouble)
        if kind not in found:
            ills.append(_ill(kind, *_parted(kind, sentence_for(trouble, listener)), language))
    if not is_saving and not any(_kind_of(each) == "not saved" for each in troubles):
        ills.append(_ill("not saved", "", "", language))
    return tuple(sorted(ills, key=lambda each: each.symptom.cost))


def _kind_of(trouble: LastingTrouble) -> str:
    concern = concern_of(trouble)
    grave = {"record": "not saved", "camera": "blind"} if concern.is_grave else {}
    return NOTED.get(trouble.key) or grave.get(concern.part, concern.part)


def _ill(kind: str, cause: str, cure: str, language: Language) -> Ill:
    symptom, cause, cure = SYMPTOMS.get(kind), _sentence(cause), _sentence(cure)
    if symptom is None:
        return Ill(cause, "", cure, UNKNOWN)
    return Ill(language.gettext(symptom.says.one), cause, cure, symptom)


def _parted(kind: str, sentence: str) -> tuple[str, str]:
    """Part a sentence from the cure that ends it; others tell a story."""
    cause, colon, cure = sentence.rpartition(": ")
    is_cured = colon and kind in {"camera", "blind", "buttons", *NOTED.values()}
    return (cause.rstrip(), cure) if is_cured else (sentence, "")


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
        return (well(say("hears this table"), "club"),)
    return (wrong(say("Nothing to do: what waits is sent later"), "", "club"),)


def values_of(
    findings: Iterable[Finding], health: Iterable[PartHealth], language: Language
) -> list[dict[str, str]]:
    """List the parts that are well, each with a value that says so."""
    told = {each.part: _worded(each.told, language) for each in findings if each.state == "well"}
    told |= {each.part: language.gettext(each.word.one) for each in health if each.lamp == WELL}
    return [
        {"name": language.gettext(name.one), "told": told[part], "sign": sign}
        for part, (name, sign) in VALUES.items()
        if part in told
    ]
