"""What the pages say about people, their devices and the table's screens."""

from collections.abc import Mapping

from referee.announcing import Level
from referee.contract.words import Phrase, phrase


class PeopleTexts:
    """The texts about people, by name; `Texts` has them, too."""

    # a phone that comes back
    name_is_offered = phrase("You were {name}, and {name} plays in this match.")
    i_am = phrase("I am {name}")
    host_is_asked = phrase("The host is asked whether you are {name}. The code of the seat works, too.")

    seat_is_gone = phrase("This phone no longer has a seat. To sit down again, ask the host for its code.")

    # the announcer
    announcer = phrase("The announcer")
    announcer_help = phrase(
        "The table's screens say it aloud, where their browser can speak: the referee in one voice, the play "
        "in another. Phones say it at their owners' wish. The table's own voice is set under Settings."
    )
    announcer_says = phrase("It says")

    # people, on the host page
    people = phrase("People")
    code_help = phrase("Scan it, or open {address} and type it.")
    phone_is_here = phrase("{name}'s phone is here.")
    one_more_phone = phrase("A code for one more phone")
    next_code = phrase("Next: {name}")
    new_code_help = phrase("This code, and all phones of this seat, are worth nothing then.")
    new_code_sure = phrase("Yes, a new code")
    device = phrase("Phone or computer")
    device_times = phrase("here for {minutes} min, heard {heard} min ago")
    device_heard_now = phrase("here for {minutes} min, heard just now")
    device_unheard = phrase("not heard since the start")
    put_out = phrase("Put out")
    put_out_name = phrase("Put out: {name}")
    without_seat = phrase("Without a seat")
    without_seat_help = phrase("These phones aren't in this match. Who is it?")
    asks_to_come_back = phrase("asks to come back as {name}")
    was = phrase("was {name}")
    let_in_as = phrase("This is {name}")
    hosts_and_pin = phrase("Hosts and their PIN")
    this_device = phrase("this device")
    everybody_out = phrase("Everybody out")
    everybody_out_help = phrase(
        "Each phone needs its code or you again, yours for its seat too. You stay the host."
    )
    everybody_out_sure = phrase("Put all devices out? The match goes on.")
    everybody_out_yes = phrase("Yes, everybody out")
    new_pin = phrase("New PIN")
    new_pin_help = phrase("A new PIN puts all other hosts out.")
    device_gone = phrase("This device isn't known any more.")

    # the table's screens
    screens = phrase("The table's screens")
    screens_help = phrase("A screen shows the codes of free seats to all at the table.")
    ask_screen = phrase("Make this the table's screen")
    screen_asks = phrase("Screen {word} asks to be the table's.")
    screen_named = phrase("Screen {word}")
    confirm_screen = phrase("Confirm")
    refuse_screen = phrase("Refuse")
    no_screens = phrase("None yet: open this page on it, and press “Make this the table's screen”.")
    to_the_screen = phrase("To the screen page")
    sound_on = phrase("Switch its sound on")
    sound_off = phrase("Switch its sound off")
    the_screen = phrase("The table's screen")
    screen_help = phrase(
        "This page shows the score on a screen that all can see, and the codes of free seats. "
        "The host confirms it once."
    )
    tap_for_sound = phrase("Tap to hear the table")
    take_free_seat = phrase("Take a seat: scan its code")

    # encrypted pages
    encrypted = phrase("Encrypted pages")
    to_the_encrypted_page = phrase("To the encrypted page")
    own_certificate = phrase(
        "The table's pages are encrypted with a certificate of its own, so your browser warns once. It is the "
        "right one if the browser shows this SHA-256 fingerprint:"
    )
    compare_fingerprint = phrase("The table says it in its terminal, too: if in doubt, compare it there.")

    # the table's own Wi-Fi, on the host page
    own_wifi = phrase("The table's own Wi-Fi")
    own_wifi_help = phrase(
        "The table has just made a Wi-Fi of its own. Unless you keep it, the Wi-Fi from before comes back in "
        "{seconds} s."
    )
    keep_wifi = phrase("Keep this Wi-Fi")
    join_wifi_first = phrase("To keep it, join it with a phone, and open the host page there.")
    wifi_not_kept = phrase("This Wi-Fi can't be kept from here, or waits no more.")

    # spectators
    spectators = phrase("Spectators")
    spectators_help = phrase(
        "Whoever has no seat sees the score, the overlay, pictures and the history so much later, a club's"
        " pages, too. Seats, hosts, screens and a club's director see all at once, and so do other programs"
        " that are told."
    )
    spectators_see = phrase("They see everything")
    at_once = phrase("at once")
    minutes_late = phrase("{minutes} min late")
    seen_late = phrase("You see the table as it was {minutes} min ago.")


LEVEL_WORDS: Mapping[Level, Phrase] = {
    "off": phrase("nothing"),
    "rulings": phrase("rulings"),
    "play": phrase("play by play"),
}
"""How much the announcer says."""
