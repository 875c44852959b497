"""What is wrong with a camera, a picture, a taught deck or what is kept, in words."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from firmware.language.speaking import LANGUAGE, Sentence, say
from firmware.language.storage_troubles import WORDS as STORAGE_WORDS
from referee.telling import Language
from vision.troubles import Problem, TroubleError

if TYPE_CHECKING:
    # to say what is wrong needs no eyes
    from vision.teaching.odd_cuts import CutsSum, Why

WORDS: Mapping[str, str] = {
    **STORAGE_WORDS,
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
    "one colour": "the picture has one colour all over: nothing can be seen in it",
    "too far": "the camera is too far away: cards would be {pixels} px wide, {needed} are needed",
    "too coarse": "this camera has too few pixels for a table this large, however high it hangs: cards would "
    "be {pixels} px wide, {needed} are needed. Take a {camera}, or lay the markers at most {across} x {down} "
    "mm apart",
    "table too large": "no camera that we know reads cards on a table this large: for this one, lay the "
    "markers at most {across} x {down} mm apart",
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
    "move closer": "Lay left and right markers {cm} cm closer together, upper and lower ones in proportion: "
    "this camera can't read cards on a table that large.",
    "nudged": "the camera was moved: the markers are {moved} mm from where they were",
    "glare": "a lamp is mirrored at marker {marker}: move the lamp or the marker",
    "over-exposed": "the picture is too bright at marker {marker}: turn the light there down, or away",
    "wrong size": "the picture has {width}x{height} pixels, the calibration {wanted}x{wanted_height}",
    # a camera
    "missing": "{camera}: no camera or picture there: check the cable and the name",
    "no picamera2": "{camera}: picamera2 isn't installed: apt install python3-picamera2",
    "no such kind": "{camera}: name a camera pi, pi:1, usb:0, /dev/video0, folder:PATH, file:PATH or live:PATH",
    "not simulated": "{camera}: the twin has no such camera: name one of {names}",
    "busy": "{camera}: another program has the camera, or it doesn't answer: end that program",
    "gone": "{camera}: the camera is gone: check the cable",
    "too slow": "{camera}: no picture within {seconds} s: check the cable, or start the table again",
    "frozen": "{camera}: the picture stands still: unplug the camera and plug it in again",
    "black": "{camera}: the picture is black: take off the lens cap, or make light",
    "garbled": "{camera}: the picture is garbled, or part of it is missing: check the cable",
    "over": "{camera}: there are no more pictures",
    "hand stays": "something reaches into the picture: take hands and arms off the table",
    "no evidence": "the picture that move {moment} of {match} rests on couldn't be kept ({why})",
    # a deck
    "no such deck": "there is no deck {name}: teach it (coyote cards teach), or name one of {known}",
    "no deck": "{file}: not there; a deck is a folder with deck.json in it: coyote cards teach makes one",
    "bad deck file": "{file}: no description of a deck ({why}): teach the deck again",
    "bad face name": "{file}: {face} can't name a face: use letters, digits and few signs",
    "no picture of face": "{file}: no picture of {face}: teach this face again",
    "too many pictures": "{file}: more than {most} pictures of one face: take some out",
    "too large": "{file}: larger than any picture of a card needs to be: make it smaller",
    "too many pixels": "{file}: more than {most} million pixels: make it smaller",
    "too small": "{file}: too small to show a card: take a larger picture",
    "odd picture": "{file}: not the size of a taught picture: teach this face again",
    "outside": "{file}: lies outside the deck's folder: put a copy there",
    "unreadable": "{file}: can't be read: check that it is there and yours",
    "no picture": "{file}: no picture that can be read: take it again, as JPEG or PNG",
    "no card": "{file}: no card found: lay it alone on a plain table of another colour, all of it in sight",
    "no piece": "{file}: no single round piece found: lay it alone on an even ground of another colour, all "
    "in sight",
    "plain piece": "{file}: nothing to tell this piece by: only what has a print or a relief can be taught",
    "no folder": "{file}: not a folder that can be read: name the folder with the pictures",
    "no pictures": "{file}: no pictures in it: name them after their faces, as in 20.jpg or 20__2.jpg",
    "another face": "{file}: looks like {other}, not like the other pictures of {face}: it was left out",
    "disagrees": "{file}: looks like another card than {other}: take it again if it isn't the same",
    "no suit": "{suit}: name the picture after the suit that it shows: {names}",
    "suit rows": "{suit}: {cards} cards in {found} rows are seen: lay {wanted} rows, with a finger between "
    "cards",
    "suit row": "{suit}: row {row} has {found} cards, {wanted} are wanted: lay them apart, all in sight",
    "suit gap": "{suit}: a card is missing in row {row}, where {face} should lie: it may shine, or touch "
    "another",
    "suit glare": "{suit}: a lamp is mirrored on {face}: move the lamp or the cards",
    "suit twice": "{suit}: {face} and {other} look like one card twice: lay the right one there",
    "suit again": "{suit}: {face} looks like {other}: this suit was shown before, lay the next one",
    "bad counts": "{file}: not a list of faces and their counts: write them as {example}",
    "bad count": "{file}: {stated} can't be how many there are of {face}: give a number from 0 to 999",
}


def problem_sentence(problem: Problem) -> Sentence:
    values = {
        name: f"{value:g}" if isinstance(value, float) else str(value) for name, value in problem.values.items()
    }
    return Sentence(WORDS.get(problem.key, problem.key), values)


def problem_text(problem: Problem, language: Language = LANGUAGE) -> str:
    try:
        return problem_sentence(problem).told(language)
    except KeyError:
        return problem.key


def error_sentence(error: TroubleError) -> Sentence:
    return problem_sentence(error.problem)


def error_text(error: TroubleError) -> str:
    return problem_text(error.problem)


# how the cards of a taught deck were cut out, in words: for the pages, and for `coyote cards show`

WHY: Mapping["Why", Sentence] = {
    "no edge": say("No edge was seen here"),
    "picture ends": say("The picture ends too early"),
    "side without edge": say("A side of the line has no edge"),
    "other ground": say("Another ground than round the others"),
    "other shape": say("The line has another shape than the others"),
    "askew": say("A corner of the line is off"),
}

CURES: Mapping["Why", Sentence] = {
    "no edge": say(
        "No edge was seen here: the line runs as in the others. Pull its corners to the card's rim."
    ),
    "picture ends": say("The picture ends too early. If a part of the card is missing, take it again."),
    "side without edge": say("No edge runs along one side of the line. Pull its corners to the card's rim."),
    "other ground": say(
        "What lies round this line isn't what lies round the others. Pull its corners to the rim."
    ),
    "other shape": say("The line has another shape than the others. Pull its corners to the card's rim."),
    "askew": say("A corner of the line is off. Pull it to the card's corner."),
}


HOW: Mapping[str, str] = {
    "dark": "{cards} were cut out of a dark ground, {mm} mm at each side",
    "light": "{cards} were cut out of a light ground, {mm} mm at each side",
    "ground": "{cards} were cut out of the ground round them, {mm} mm at each side",
    "nothing": "{cards} were taken whole: nothing lay round them",
    "table": "{cards} were cut out by their outlines on the table",
    "before": "{cards} were taught when their ground wasn't kept",
}
"""How most of a deck's cards were cut out, by their ground where all had as much of it."""


def cuts_sentence(told: "CutsSum") -> Sentence:
    right, kind = told.count - told.odd, told.kind
    cards = (
        say("{right} of {count}", right=right, count=told.count)
        if told.odd
        else say("All {count}", count=told.count)
    )
    ground = told.ground if kind == "ground" and told.ground else kind
    how = Sentence(HOW[ground], {"cards": cards, "mm": told.millimetres})
    match told.odd:
        case 0:
            return say("{how}.", how=how)
        case 1:
            return say("{how}; look at this one.", how=how)
        case _:
            return say("{how}; look at these {odd}.", how=how, odd=told.odd)
