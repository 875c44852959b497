"""What hinders the journal, the settings and backups, and what was done about it, in words."""

from collections.abc import Iterator, Mapping

from firmware.language.speaking import _, later

WORDS: Mapping[str, str] = {
    # the journal
    "journal disk full": later("{path}: the disk is full; make room, then go on"),
    "journal disk": later(
        "{path}: the disk can't be read or written; check the card, then start the table again"
    ),
    "journal rights": later("{path}: the file or its folder can't be written; check whose they are"),
    "journal busy": later("{path}: another program is using the journal; close that program"),
    "journal damaged": later("{path}: the journal is damaged; start the table again, and it is mended"),
    "journal trouble": later("{path}: the journal can't be used: {why}"),
    "another table": later(
        "{path}: another table plays with this journal; end that one, or choose another file"
    ),
    "no log here": later("{path}: SQLite can't keep its log here; choose another disk"),
    "newer journal": later(
        "{path}: a newer version has written this journal; update this one, or choose another file"
    ),
    "line written already": later(
        "{path}: line {number} of match {match} is written already; start the table again"
    ),
    "line missing": later("{path}: line {number} of match {match} has none before it; start the table again"),
    "journal no file": later("{path}: this is no file; name another one, or move it away"),
    "no journal": later("{path}: this is no journal; choose another file"),
    "no journal yet": later("{path}: there is no journal yet; it begins with the first match"),
    "journal mended": later(
        "The journal was damaged and is now {aside}; lines saved: {lines}, matches: {matches}."
    ),
    "lines entered": later("Lines that were not yet entered in the journal are entered now: {lines}."),
    # the settings
    "bad settings": "{file}: {why}",
    "bad setting": "{file}: {name}: {why}",
    "settings too large": later("{file}: that is too large for a configuration"),
    "no such setting": later("{file}: {name}: there is no such setting; there are: {names}"),
    "no such language": later("{file}: language: {name} isn't spoken here; there are: {names}"),
    "choice failed": later(
        "The table didn't become ready with what was chosen on the settings page: that is now {aside},"
        " and the configuration holds. Choose again."
    ),
    "choice set aside": later(
        "What was chosen on the settings page is now {aside}, and the configuration holds. Choose again."
    ),
    # backups
    "another backup": later("Another backup is being made or read: wait until it is done."),
    "backup of no journal": later("The journal in this backup isn't one of a table."),
    "backup journal damaged": later("The journal in this backup is damaged ({why}): take another backup."),
    "backup not understood": later(
        "No match in this backup can be read by this version: update the table first."
    ),
    "backup disk full": later("The disk is full: make room, then try again."),
    "no journal to copy": later("{path}: there is no journal that can be copied ({why})"),
    "backup waits": later("A backup waits already to be put in place: start the table again."),
    "backup not laid ready": later("The backup can't be laid ready: {why}"),
    "no backup": later("That is no backup of a table, or it is damaged: take another file."),
    "backup too large": later("This backup is larger than any table's: take another file."),
    "newer backup": later("A newer version has made this backup: update the table first."),
    "backup needs room": later("The disk is too full: {needed} MB are needed. Make room, then try again."),
    "backup part damaged": later("{name} in this backup can't be read: take another one."),
    "backup deck damaged": later("The deck {name} in this backup can't be read: take another one."),
    "backup in place": later(
        "The backup of {made} is in place, with {matches} matches; what was here lies in {folder}."
    ),
    "configuration by hand": later("Its configuration can't be put in place: copy {file} to {target} by hand."),
    "before removed": later("{folder}, from an earlier restoring, is removed."),
}


def left_out_lines(names: tuple[str, ...]) -> Iterator[str]:
    """Tell what couldn't be read when a backup was made."""
    if names:
        yield _("Not in this backup, as it couldn't be read: {names}").format(names=", ".join(names))
