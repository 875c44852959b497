"""What the pages of a first visit and of a new match say by themselves."""

from referee.contract.words import phrase


class WelcomeTexts:
    """The texts of the welcome, by name; `Texts` has them, too."""

    which_game_is_it = phrase("Which game is on the table?")
    players_range = phrase("{least} to {most} players")
    play_game = phrase("Play {game}")
    names_and_rules = phrase("First choose who plays, and the rules")
    go_on_playing = phrase("Go on: {game} with {names}")
    look_at_twin = phrase("To the simulated table as it is")
    to_the_host = phrase("To the host's page")
    last_time = phrase("Last time")
    last_played = phrase("{game}, {count} of you.")
    who_is_here_again = phrase("Who is here again?")
    same_as_last_time = phrase("Same as last time")
    forgotten_player = phrase("Player {number}")
    another_game = phrase("Another game")
    who_plays_game = phrase("Who plays {game}, in the order round the table?")
    that_is_me = phrase("me")
    i_dont_play = phrase("I don't play: I look after the table")
    i_am_seat = phrase("I sit at seat {number}")
    seat_is_held = phrase("Somebody's phone sits there: choose another seat, or let that phone leave it.")
    bots_for_others = phrase("Bots play the other seats until a person takes one")
    bots_play_as = phrase("How well the bots play")
    bots_beginner = phrase("Like beginners")
    bots_plain = phrase("As people do")
    bots_strong = phrase("Strong")
    no_strong_bots = phrase("No bot of this game is strong: none wins clearly more than the others.")
    bots_differ = phrase("What the bots are like")
    strong_are_alike = phrase("Strong bots all play alike.")
    bluffs_most = phrase("bluffs most")
    bluffs_never = phrase("never bluffs")
    challenges_most = phrase("challenges most")
    challenges_least = phrase("challenges least")
    risks_most = phrase("risks most")
    risks_least = phrase("risks least")
    change_rules = phrase("Change")
    start_game = phrase("Start {game}")
