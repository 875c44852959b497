"""What the club's pages say, in addition to what all pages say."""

from collections.abc import Mapping

from referee.contract.words import Phrase, phrase
from webui.drawing.words import Texts


class ClubTexts(Texts):
    """The texts of the club's pages, by name."""

    # the screen
    the_club = phrase("Club")
    club_evening = phrase("Club evening")
    round_of = phrase("Round {number} of {planned}")
    round_only = phrase("Tournament round {number}")
    table_number = phrase("Table {number}")
    minutes_left = phrase("minutes left")
    clock_stopped = phrase("the clock is stopped")
    is_asked = phrase("{name} is asked")
    are_asked = phrase("{names} are asked")
    calls_director = phrase("calls the director")
    director_comes = phrase("the director is coming")
    won_in = phrase("won in {minutes} min")
    has_won = phrase("has won")
    nobody_won = phrase("nobody has won")
    no_match = phrase("Nobody plays yet.")
    table_away = phrase("away since {time}")
    table_never = phrase("not heard yet")
    is_ahead = phrase("Ahead: {names}")
    no_tables = phrase("No table has joined the club yet.")
    come_please = phrase("Director, please")
    club_gone = phrase("Can't reach the club. Reconnecting…")

    # people
    my_place = phrase("My place")
    take_part = phrase("Take part")
    take_part_at = phrase("Take part at {address}")
    take_part_help = phrase("Type your name. Your number comes with it, because names repeat.")
    your_name = phrase("Your name")
    keep_me = phrase(
        "Keep my name and my results, for a rating and a profile. I can have them deleted at any time."
    )
    registration_closed = phrase("No tournament is open now.")
    you_are_number = phrase("You are {name}, number {number}.")
    your_table = phrase("Round {number}: {table}, seat {seat}")
    you_sit_out = phrase("Round {number}: you sit out, and get {points} points.")
    wait_for_round = phrase("The next round isn't drawn yet. Keep this page open.")
    with_people = phrase("With {names}")
    profile = phrase("Profile")
    forget_me = phrase("Delete my name everywhere")
    forget_me_help = phrase(
        "Your name is replaced by another one in all matches of the club, and at each table as soon as it is "
        "heard. This can't be undone."
    )
    forget_me_sure = phrase("Yes, delete my name")
    forgotten = phrase("Your name is deleted here. Each table deletes it as soon as it is heard.")
    ratings = phrase("Ratings")
    ratings_help = phrase(
        "By Plackett–Luce (openskill), from results alone: what somebody plays at least. Whoever agreed to be "
        "kept is named; all others count as newcomers."
    )
    spread = phrase("± {number}")
    won_of = phrase("won {won} of {matches}")
    no_ratings = phrase("Nobody who agreed to be kept has finished a match yet.")
    at_table = phrase("At {table}")

    # the director
    director = phrase("Director")
    director_help = phrase("“coyote club pin” shows the PIN, “coyote club new-pin” draws another one.")
    leave = phrase("Leave")
    calls = phrase("Calls")
    next_round = phrase("Next round")
    standings = phrase("Standings")
    more_of_club = phrase("More")
    nobody_calls = phrase("Nobody calls.")
    table_calls = phrase("{table} calls")
    waiting_for = phrase("waiting {minutes}\N{NO-BREAK SPACE}min")
    waiting_seconds = phrase("waiting {seconds}\N{NO-BREAK SPACE}s")
    who_calls = phrase("{name} asks:")
    what_stands = phrase("What stands")
    i_come = phrase("I come to the table")
    my_ruling = phrase("My ruling")
    rule = phrase("Send the ruling")
    ruling_help = phrase("The table shows your ruling, and it is kept with this call and its picture.")
    on_the_way = phrase("You are on the way.")
    evidence_picture = phrase("What the camera saw")

    draw_first = phrase("Draw round {number}")
    like_this = phrase("Round {number}: does everybody sit like this?")
    swap_help = phrase("Two people change places by a tap on each.")
    swap_two = phrase("Change places")
    meet_again = phrase("Pairs who meet again: {count}.")
    nobody_meets_again = phrase("Nobody meets anybody again.")
    sits_out = phrase("Sits out")
    draw_anew = phrase("Draw anew")
    send_round = phrase("Send to the phones")
    minutes_of_round = phrase("minutes of round {number} are left.")
    still_play = phrase("Still playing: {tables}")
    all_done = phrase("All tables are done.")
    stop_clock = phrase("Stop the clock")
    go_on_clock = phrase("Go on")
    five_more = phrase("5 min more")
    five_less = phrase("5 min less")
    round_results = phrase("Results of round {number}")
    no_result = phrase("no result yet")
    corrected = phrase("corrected by the director")
    correct_result = phrase("Correct the result")
    place_of = phrase("Place of {name}")
    reason = phrase("Why")
    own_result = phrase("Let the table's own result count")
    save = phrase("Save")
    move_to = phrase("Move to")
    move = phrase("Move")
    nothing_left = phrase("All rounds are played.")

    leads_with = phrase("leads with {points} points")
    number_of = phrase("{name}, number {number}")
    who_stands = phrase("Who stands where after round {number}?")
    who_stands_now = phrase("Who stands where now?")
    before_first = phrase("Nobody has played yet.")
    how_counted = phrase(
        "Points for places: {points}. Who shares a place shares the points; whoever sits out gets {bye}. Equal "
        "points: who won more tables, then whose opponents have more points; who is equal then shares it."
    )
    knock_out_counted = phrase("The first {count} of each table go on.")
    places_moved = phrase("places")
    gone_home = phrase("gone")

    entrants = phrase("People")
    their_name = phrase("Name")
    add_person = phrase("Add somebody")
    add = phrase("Add")
    drop_out = phrase("Drops out")
    come_back = phrase("Comes back")
    penalties = phrase("Penalties")
    penalise = phrase("Take points")
    points = phrase("Points")
    lift = phrase("Lift")
    lifted = phrase("lifted")
    who = phrase("Who")
    penalty_line = phrase("{name}, number {number}: −{points}. {why}")

    new_tournament = phrase("New tournament")
    tournament_title = phrase("Title")
    movement = phrase("Movement")
    rounds = phrase("Rounds of the tournament")
    table_size = phrase("People at a table")
    minutes_a_round = phrase("Minutes a round")
    points_by_place = phrase("Points for the places, the first one first")
    points_for_bye = phrase("Points for sitting out")
    go_on_each = phrase("In a knock-out, how many of each table go on")
    tables = phrase("Tables")
    plays_not = phrase("doesn't take part")
    begin = phrase("Begin")
    end_tournament = phrase("End the tournament")
    end_sure = phrase("Yes, end it")
    prints = phrase("To print")
    seating_slips = phrase("Seating slips")
    exports = phrase("Exports")
    standings_csv = phrase("Standings for spreadsheets (CSV)")
    results_csv = phrase("Results for spreadsheets (CSV)")
    tournament_json = phrase("Everything for programs (JSON)")
    match_exports = phrase("Single matches, also for BG Stats: on the page of each match.")
    no_database = phrase(
        "The club's database doesn't answer. Tables play on, and what they say comes later. Reload in a while."
    )
    no_tournament = phrase("There is no tournament. Begin one under “More”.")
    all_standings = phrase("Standings after round {number}")
    look_at_tables = phrase("Tables and invitations")
    invite_table = phrase("Invite a table")
    invite_help = phrase(
        "The code holds once, for {minutes} minutes. At the table: More for the host → Settings → Club, "
        "then this link, or the address and the code."
    )
    invite = phrase("Show a code")
    invite_again = phrase("Another code")
    invited = phrase("{title} may join.")
    address_and_code = phrase("Address {address}, code {code}")
    code_as_picture = phrase("The link as a picture")
    bad_title = phrase("Nothing was invited. A table's name has 1 to {most} letters.")
    is_heard = phrase("is heard")
    doubtful_title = phrase("Lines that count for nothing")
    doubtful_help = phrase(
        "They don't fit what was told before, and the match goes on with what was there. The table's journal "
        "may have been changed by hand, or another device uses its key."
    )
    doubtful_line = phrase("{table}, match {match}, line {number}: {why}")
    seen_all = phrase("I have seen them")
    quarantined = phrase("Lines that don't fit what was told before: {count}")


DOUBTS: Mapping[str, Phrase] = {
    "another line is there": phrase("another line is there"),
    "the line doesn't fit its hash": phrase("the line doesn't fit its hash"),
}
"""Why a line isn't believed, as the hub writes it down."""

MOVEMENTS: Mapping[str, Phrase] = {
    "swiss": phrase("Swiss: who stands equal meets"),
    "round robin": phrase("Everybody meets everybody"),
    "knock-out": phrase("Knock-out: the best of each table go on"),
}
"""How people move from round to round."""

PROBLEMS: Mapping[str, Phrase] = {
    "name": phrase("That isn't a name. Type 1 to 30 letters."),
    "plan": phrase(
        "This can't be played. Check the tables, rounds, size and points; points fall from place to place."
    ),
    "full": phrase("{about} takes part already, or there are too many."),
    "unknown": phrase("Nobody has the number {about}."),
    "too few": phrase("Too few people are here for a table: it takes at least three."),
    "open round": phrase("The knock-out has begun; nobody can come in any more."),
    "no round": phrase("No round is drawn that could be changed. It may have been sent already."),
    "unsent": phrase("Send the round first."),
    "missing": phrase("Who goes on isn't known yet. No result: {about}. Wait, or write the result yourself."),
    "last round": phrase("That was the last round."),
    "over": phrase("The tournament is over."),
    "places": phrase(
        "These places can't be. Two who share the second place have 2 and 2, and the next one has 4."
    ),
    "points": phrase("A penalty is 1 to 1000 points."),
    "table": phrase("This table isn't free, or nobody sits there: {about}"),
}
"""Why something wasn't done, by the problem's name."""
