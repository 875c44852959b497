"""What films of matches, what-ifs and what is shared of them say by themselves."""

from referee.contract.words import phrase


class FilmTexts:
    """The texts of films, by name; `Texts` has them, too."""

    film_link = phrase("Watch this match as a film")
    film_of_round = phrase("Watch from here")
    film_begins = phrase("The match begins.")
    film_answered = phrase("{name} has answered.")
    film_step = phrase("Round {round}, step {step} of {steps}")
    film_undone = phrase("This was taken back later: the film shows a match as it happened.")
    film_corrected = phrase("The host put this right later: the film shows a match as it happened.")
    film_reel = phrase("Rounds: {rounds}; shown now: round {round}")
    film_ruling = phrase("ruling")
    film_put_right = phrase("taken back or put right")
    film_turn = phrase("turning point")
    film_turns = phrase("Where it turned")
    no_turns = phrase("Nobody has taken the lead from another player.")
    lead_taken = phrase("{name} takes the lead from {before}.")
    lead_kept = phrase("{name} takes the lead from {before}, and keeps it to the end.")
    lead_at_end = phrase("{name} wins, though {before} had been ahead.")
    step_back = phrase("One step back")
    step_on = phrase("One step on")
    play_film = phrase("Play")
    stop_film = phrase("Stop")
    film_speed = phrase("Speed")
    film_speed_times = phrase("{times} ×")
    jump_to = phrase("Jump to")
    jump = phrase("Jump")
    jump_start = phrase("The beginning")
    jump_round = phrase("Round {round}")
    jump_end = phrase("The end")
    film_keys = phrase("Keys: ← and → step, space plays and stops.")
    on_the_table = phrase("On the table")
    as_seen = phrase("As the camera saw them")
    nothing_lies_open = phrase("No card lies open.")
    film_picture = phrase("Picture that this answer rests on")
    cards_were_read = phrase("cards read: {count}; surest {most} %, least sure {least} % ({card})")
    steps_of_round = phrase("Round {round}, step by step")
    link_to_step = phrase("Link to this moment")
    film_goes_on = phrase("This match goes on: the film shows what everybody at the table may see.")
    film_imagined = phrase("From moment {moment} on nothing of this was played: it is a what-if.")

    # a file
    film_of_file = phrase("Watch a match from a file")
    film_of_file_help = phrase(
        "A file that coyote record save or the history wrote, or a what-if. It is looked at and not kept; for"
        " players and the host."
    )
    choose_match_file = phrase("Match file (.jsonl)")
    open_film = phrase("Open")
    no_match_file = phrase("Choose a match file first.")
    match_file_big = phrase("This file is too large to be a match that can be looked at here.")
    match_file_bad = phrase("This file can't be read as a match: choose one that a table saved.")
    match_file_much = phrase(
        "This file takes longer than the table has time for: on a computer, coyote record film makes a film"
        " of it."
    )
    match_no_room = phrase("The table has no room for a file now: the host makes room on its disk.")
    films_often = phrase("Too many files within a minute. Wait a while, then try again.")

    # what if
    what_if = phrase("What if?")
    what_if_here = phrase("What if another answer had come here?")
    what_if_why = phrase("See how it could have gone on")
    what_if_later = phrase("What if? waits until the match is over: before that it could give something away.")
    what_if_help = phrase("Nothing of this is in the record. Answer for everybody who is asked.")
    what_if_played = phrase("As it was: {answer}")
    what_if_answers = phrase("Other answers so far: {count}")
    what_if_over = phrase("Here it would be over.")
    what_if_long = phrase("This what-if is as long as it may be. Take it along as a file.")
    back_to_film = phrase("Back to the film")
    what_if_back = phrase("Take the last answer back")
    what_if_file = phrase("Take it along as a file")
    bots_play_on = phrase("Let bots play on from here")
    play_it_out = phrase("Play it out")
    try_often = phrase("1000 tries")
    tries_help = phrase(
        "What lies hidden is dealt by what had come to light until here; all players act as these bots do."
    )
    tries_made = phrase("Who wins from here, in {tries} tries")
    tries_branch = phrase("What if: {percent} %, give or take {error}")
    tries_played = phrase("As it was: {percent} %, give or take {error}")
    tries_busy = phrase("Bots are trying out something else just now. Try again in a few seconds.")
    tries_often = phrase("That is enough for a minute. Wait a while, then try again.")
    tries_failed = phrase(
        "Bots can't play on from here: too little is known of who holds which cards, or the match was over."
    )
    who_answers = phrase("Who answers?")

    # sharing
    share_it = phrase("Share")
    share_film = phrase("The film as one file, for any browser")
    share_film_pictures = phrase("The same with the camera's pictures")
    share_card = phrase("Picture of the final score, for a chat")
    share_evening = phrase("The whole evening")
    evening_of = phrase("Evening of {day}")
    evening_matches = phrase("Matches: {count}")
    evening_text = phrase("As text, to copy")
    evening_is_of = phrase("{name}'s evening: {won} of {count}")
    evening_link = phrase("The link to this page")
    evening_moments = phrase("Moments")
    evening_choice = phrase("The costliest choice")
    evening_swing = phrase("The lead changes")
    evening_call = phrase("A call")
    evening_end = phrase("Open to the last")
    watch_film = phrase("Film")
    take_home = phrase("Picture")
    evening_wins = phrase("Matches won")
    not_made = phrase("This can't be made now. Try again in a minute.")
    made_by = phrase("Refereed by Coyote Table")
    film_needs_script = phrase("The film needs JavaScript; all that happened stands below.")
