"""What the host's page of the club says."""

from referee.contract.words import phrase


class ClubLinkTexts:
    """The texts of the host's page of the club, by name; `Texts` has them, too."""

    club = phrase("Club")
    club_page_why = phrase("join one, call the director")
    club_join_title = phrase("Join a club")
    club_join_help = phrase(
        "The club's hub shows an address and a code for this table. What is played here then also stands there;"
        " the table needs no network for its own play."
    )
    club_address = phrase("Address of the hub, or the whole link")
    club_code = phrase("Code")
    club_join = phrase("Join")
    club_connected = phrase("The club hears this table.")
    club_away = phrase("The club can't be reached just now; the table plays on, and sends later what waits.")
    club_refused = phrase("The club doesn't let this table in: leave it, and join anew with another code.")
    club_all_there = phrase("All that was played here is at the club.")
    club_waiting = phrase("{lines} entries wait until the club has them.")
    club_director = phrase("Director")
    club_why = phrase("What is it about?")
    club_call = phrase("Director, please")
    club_call_help = phrase("The club sees who plays here, what was answered last, and the picture of it.")
    club_call_unheard = phrase("The director is called; the club hasn't heard it yet.")
    club_call_open = phrase("The club has heard the call.")
    club_call_coming = phrase("The director comes.")
    club_call_done = phrase("The director has ruled.")
    club_leave_title = phrase("Leave the club")
    club_leave = phrase("Leave")
    club_leave_help = phrase("What was played here stays here, and what the club has stays there.")
    club_leave_sure = phrase("Leave the club")
