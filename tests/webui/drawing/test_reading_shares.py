"""What the camera thought of a card: the percentages never make more than 100."""

from hypothesis import given
from hypothesis import strategies as some

from webui.doors.companion import Guess, ReadCard
from webui.drawing.reading_shares import guess_shares, read_percent

SCORES = some.floats(0, 1)
CARDS = some.builds(
    ReadCard,
    some.sampled_from(("20", None)),
    some.booleans(),
    some.booleans(),
    some.booleans(),
    SCORES,
    some.lists(SCORES.map(lambda score: Guess("10", score)), max_size=6).map(tuple),
)


@given(CARDS)
def test_they_make_at_most_100(card: ReadCard) -> None:
    own = 0 if card.face is None else read_percent(card)
    shares = [each.percent for each in guess_shares(card)]
    assert own + sum(shares) <= 100
    assert min(shares, default=0) >= 0


def test_what_is_left_goes_to_the_others_as_well_as_they_fit() -> None:
    guesses = (Guess("10", 0.5), Guess("15", 0.25))
    read = ReadCard("20", True, True, True, 0.75, guesses)
    assert [each.percent for each in guess_shares(read)] == [12, 6]
    unread = ReadCard(None, False, True, True, 0.5, guesses)
    assert [each.percent for each in guess_shares(unread)] == [50, 25]
