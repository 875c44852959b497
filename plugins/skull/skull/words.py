"""Texts, moods and the rule book in our own words, as the game is commonly played."""

from referee.contract import Book, Cue, HeadlineWords, Label, Mood, Words, plural, wording, write_own_chapters

MOODS = {
    "round": "season",
    "bids": "claim",
    "challenge": "call",
    "kept": "truth",
    "skull": "lie",
    "skull-own": "lie",
    "loses": "loss",
}
CUES = {key: Cue(Mood(mood)) for key, mood in {**MOODS, "out": "out", "won": "win"}.items()}

WORDS = Words(
    title="Skull",
    pitch="Bid how many flowers you can turn up, and avoid the skulls.",
    faces={"flower": "flower", "skull": "skull"},
    asks={
        "lay": wording("Still to lay a disc: {seats:players}.", seats="Lay a disc face down before you."),
        "bid": "How many flowers [does {seats:players}|do you] bid, from {least} to {most}?",
        "add": wording("Or does {seats:players} lay another disc?", seats="Or another disc?"),
        "pass": wording("Or does {seats:players} pass?", seats="Or do you pass?"),
        "own": wording(
            "{seats:players} begins with their own stack.",
            seats=plural("Turn up your top disc.", "Turn up your {count} top discs.", by="count"),
        ),
        "whose": "Whose disc [does {seats:players}|do you] turn up next?",
        "disc": wording(
            "{seats:players} turns up the top disc there.", seats="Turn up the top disc there. What is it?"
        ),
        "lose": wording(
            "{seats:players} takes one of {turn:player}'s discs out of the game, unseen.",
            seats="Take one of {turn:player}'s discs out of the game, unseen.",
            turn="{seats:players} takes one of your discs out of the game, unseen.",
        ),
        "lose-own": wording(
            "{seats:players} chooses a disc to lose, unseen.",
            seats="Take one of your discs out of the game, unseen by the others.",
        ),
    },
    answers={
        "lay": "Lay this disc face down",
        "add": "Lay this disc face down",
        "lose": "Remove this disc from the game",
    },
    options={"add": "I lay another disc", "pass": "I pass", "turn-up": "{seat:player}'s stack"},
    rulings={
        "hands-out": "Everybody takes {count} discs: three flowers and a skull.",
        "round": "Round {number}: everybody lays a disc face down. {seat:player} begins.",
        "lays": "{seat:player} lays a disc.",
        "bids": "{seat:player} bids {count}.",
        "passes": "{seat:player} passes.",
        "challenge": "{seat:player} has to turn up {count} [flower|flowers].",
        "turns": "{seat:player} turns up {other:player}'s disc: {cards:faces}.",
        "turns-own": "{seat:player} turns up: {cards:faces}.",
        "kept": "{count} [flower|flowers]: [{seat:player} wins|you win] the challenge.",
        "skull": wording(
            "{other:player}'s skull: {seat:player} loses the challenge.",
            seat="{other:player}'s skull: you lose the challenge.",
            other="Your skull: {seat:player} loses the challenge.",
        ),
        "skull-own": wording(
            "{seat:player} turns up their own skull, and loses the challenge.",
            seat="You turn up your own skull, and lose the challenge.",
        ),
        "loses": "[{seat:player} loses|You lose] a disc.",
        "out": wording(
            "{seat:player} has no disc left, and is out.", seat="You have no disc left, and are out."
        ),
        "won": "{seat:player} wins.",
    },
    situations={
        "bidding": plural("The bid is {count} flower.", "The bid is {count} flowers.", by="count"),
        "bid": "{shown} of {count} flowers turned up.",
        "aim": "{shown} of {count} flowers; now [{other:player}'s|your] stack.",
    },
    facts={"bid": Label("Flowers", "{shown} of {bid}"), "stack": Label("Face down", "{count}")},
    headlines={
        "bid": HeadlineWords(
            "{count}", above="{seat:player} must turn up", below=plural("flower", "flowers", "count")
        )
    },
    places={
        "won": "{won} [challenge|challenges] won",
        "last": "the last with discs",
        "out": "out in round {round}, no disc left",
    },
    highlights={
        "kept": Label("Boldest challenge", "{seat:actor} turned up {count} [flower|flowers], and no skull.")
    },
    counts={"points": "{count} won", "discs": "{count} [disc|discs]"},
    statistics={"standing-points": "challenges won"},
    house={"goal": "challenges that win", "heir": "who begins if the challenger is out"},
    values={"heir.owner": "whose skull it was", "heir.left": "the next one clockwise"},
)
CHAPTERS = write_own_chapters(
    {
        "A round": {
            "set": "Each player has three flowers and a skull.",
            "lay": "Everybody lays a disc face down; the previous round's challenger begins.",
            "add": "On your turn, lay another disc on your stack, or bid; without a disc you must bid.",
            "bid": "After the first bid, each player bids more or passes for the round.",
            "most": "The highest bidder, once all others have passed or the bid is all discs,"
            " turns up that many.",
        },
        "The challenge": {
            "own": "Your own discs come first, from the top.",
            "whose": "Then the top discs of any others, one by one.",
            "turned": "If all are flowers, the challenge is won. A skull ends it, and it is lost.",
            "lose": "The loser loses a disc, unseen; if the skull was another player's, its owner"
            " draws the disc.",
        },
        "The end": {
            "out": "A player with no disc left is out.",
            "heir/owner": "Then the owner of the skull begins; after the challenger's own skull,"
            " the next one clockwise.",
            "heir/left": "Then the next one clockwise begins.",
            "end": "Winning {goal} challenges wins the match. So does being the last with discs.",
        },
    },
    agreed={"heir": {"owner": "heir/owner", "left": "heir/left"}},
)
BEHIND = {"pass": "bid", "turn-up": "whose", "disc": "whose"}
BOOK = Book(chapters=CHAPTERS, options=BEHIND, asks=BEHIND)
