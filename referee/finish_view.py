"""A finished match as one reader sees it: the result, how each place was reached, the best moment. Pure."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import lru_cache

from msgspec import Struct

from referee import sentences
from referee.contract import Highlight, HighlightCard, PlaceReason, Story, StoryStep, Stretch
from referee.contract.words import phrase, plural
from referee.match import Match, log, positions_of
from referee.moment_view import MomentView, PlayerView, view_of
from referee.seatings import heard_at, seatings_of
from referee.sentences import Language, Listener, labelled_text, phrase_text

KEPT = 16  # cached views; a finished match has one per language and seat
KEPT_MATCHES = 4  # matches whose story and swing are cached; all readers share them
LEAST_SWING = 2  # a single point at a time is no swing
LONGEST = timedelta(days=1)  # a longer match was interrupted, so its length is meaningless
ORDINALS = (
    phrase("1st"), phrase("2nd"), phrase("3rd"), phrase("4th"), phrase("5th"), phrase("6th"),
    phrase("7th"), phrase("8th"), phrase("9th"), phrase("10th"), phrase("11th"), phrase("12th"),
)  # fmt: skip
MINUTES = plural("{count} minute", "{count} minutes", "count")
WON, SHARED = phrase("You won!"), phrase("Shared with {names}")
PLACE = phrase("You are {place} of {count}")
SWING_HEADING = phrase("Biggest swing")
SWING = phrase("{round}: {name} went from {before} to {after}.")
LONE_SWING = phrase("{name} went from {before} to {after} at once.")


class PlaceView(Struct, frozen=True):
    """A player's place at the end, with the way it was reached."""

    seat: int
    name: str
    place: int
    """0 if it says nothing: of a match that was ended, or shared by all who didn't win."""
    reason: str
    is_winner: bool
    is_own: bool


class FinishCardView(Struct, frozen=True):
    """A card of the best moment, with its owner or caption."""

    face: str
    name: str
    caption: str
    is_claimed: bool


class HighlightView(Struct, frozen=True):
    """The best moment of a match: heading, sentence, cards, and total beside the missed number."""

    key: str
    heading: str
    text: str
    heard_at: int
    cards: tuple[FinishCardView, ...] = ()
    total: str = ""
    missed: str = ""


class FinishView(Struct, frozen=True):
    """A finished match for one reader."""

    is_won: bool
    """Whether the reader won."""
    title: str
    """The reader's own result; empty for readers who didn't win."""
    length: tuple[str, ...]
    standing: str
    """The reader's place; empty for winners and spectators, and if all who didn't win share it."""
    how: str
    """How the reader's place was reached; for winners and spectators, who came second."""
    places: tuple[PlaceView, ...]
    highlight: HighlightView | None


def finish_of(match: Match, language: Language, seat: int | None = None) -> FinishView | None:
    """Return how a finished match is presented to a reader; None while it goes on."""
    return None if match.outcome is None else _finish_view(match, language, seat)


@lru_cache(KEPT)
def _finish_view(match: Match, language: Language, seat: int | None) -> FinishView:
    told, story = view_of(match, language, seat), story_of(match)
    if match.is_ended:
        places = tuple(_place_view(told, player, {}, seat) for player in told.results)
        return FinishView(False, "", _length(told, story), "", told.situation, places, None)
    reasons = {each.seat: each for each in match.setup.game.finish.reasons(story)} if story else {}
    places = tuple(_place_view(told, player, reasons, seat) for player in told.results)
    own = next((each for each in places if each.is_own), None)
    is_won = own is not None and own.is_winner
    best = match.setup.game.finish.highlight(story) if story else None
    return FinishView(
        is_won=is_won,
        title=phrase_text(language, WON.one, {}) if is_won else "",
        length=_length(told, story),
        standing=_standing(language, own, len(places)) if own is not None and own.place and not is_won else "",
        how=_how(language, own, places),
        places=places,
        highlight=_swing_view(told, story) if best is None else _own_highlight_view(told, best),
    )


@lru_cache(KEPT_MATCHES)
def story_of(match: Match) -> Story:
    """Return the accepted answers of a match as spectators see them."""
    return tuple(_story(match))


def _story(match: Match) -> Iterator[StoryStep]:
    game, over = match.setup.game, 0
    first, *positions = positions_of(match)
    before = game.shown.view(first.state, None)
    for position in positions:
        after = game.shown.view(position.state, None)
        yield StoryStep(heard_at(position), over + 1, before, position.rulings, after)
        over += game.counting.ends(Stretch(before, position.rulings, after))
        before = after


def _place_view(
    told: MomentView, player: PlayerView, reasons: Mapping[int, PlaceReason], reader: int | None
) -> PlaceView:
    reason = reasons.get(player.seat)
    text = _counts_text(told, player) if reason is None else sentences.place_text(told.listener, reason)
    place, is_own = told.final_place(player), player.seat == reader
    return PlaceView(player.seat, player.name, place, text, player.is_winner, is_own)


def _counts_text(told: MomentView, player: PlayerView) -> str:
    """Return a player's first count, and if others share it, the one that sets their places apart."""
    first, *more = player.counts
    others = [each for each in told.seated if each.place != player.place and first in each.counts]
    apart = next((count for count in more if all(count not in each.counts for each in others)), None)
    return ", ".join(count.text for count in (first, apart) if count is not None and (count is first or others))


def _standing(language: Language, own: PlaceView, count: int) -> str:
    ordinal = phrase_text(language, ORDINALS[min(own.place, len(ORDINALS)) - 1].one, {})
    return phrase_text(language, PLACE.one, {"place": ordinal, "count": count})


def _how(language: Language, own: PlaceView | None, places: tuple[PlaceView, ...]) -> str:
    if own is not None and not own.is_winner:
        return own.reason
    others = [each.name for each in places if each.is_winner and each is not own]
    if own is not None and others:
        return phrase_text(language, SHARED.one, {"names": sentences.names_text(language, others)})
    second = next((each for each in places if not each.is_winner), None)
    return "" if second is None else labelled_text(language, second.name, second.reason)


def _length(told: MomentView, story: Story) -> tuple[str, ...]:
    """Return the number of rounds and minutes, as far as they are known."""
    rounds, minutes = story[-1].round if story else 0, _minutes(told.match)
    played = [sentences.length_text(told.listener, rounds)] if rounds > 1 else []
    lasted = told.listener.language.ngettext(MINUTES.one, MINUTES.many, minutes).format(count=minutes)
    return (*played, lasted) if minutes else tuple(played)


def _minutes(match: Match) -> int:
    """Return the length in minutes; 0 if unknown, as times without a zone can't be compared."""
    entries = log(match)
    try:
        begun = datetime.fromisoformat(match.setup.begun)
        took = datetime.fromisoformat(entries[-1].at) - begun if entries else timedelta()
    except (ValueError, TypeError, OverflowError):
        return 0
    return max(1, round(took.total_seconds() / 60)) if timedelta() < took < LONGEST else 0


def _own_highlight_view(told: MomentView, best: Highlight) -> HighlightView:
    match = told.match
    listener = sentences.listener_when(match.setup, seatings_of(match), best.heard_at, told.listener.language)
    heading, text = sentences.highlight_texts(listener, best)
    has_owners = len({each.seat for each in best.cards}) > 1
    return HighlightView(
        best.key,
        heading,
        text,
        best.heard_at,
        tuple(_card_view(listener, card, is_named=has_owners) for card in best.cards),
        "" if best.total is None else sentences.signed_text(best.total),
        "" if best.missed is None else sentences.signed_text(best.missed),
    )


def _card_view(listener: Listener, card: HighlightCard, *, is_named: bool) -> FinishCardView:
    """Return a card with its caption; the owner is named if the cards are of several players."""
    caption = sentences.caption_text(listener, card.key) if card.key else ""
    owner = sentences.player_name(listener, card.seat) if is_named and card.seat is not None else ""
    name = sentences.face_name(listener, card.face)
    return FinishCardView(card.face, name, caption or owner, card.is_claimed)


class Swing(Struct, frozen=True):
    """The largest change of the score by one answer."""

    heard_at: int
    round: int
    seat: int
    key: str
    before: int
    after: int


@lru_cache(KEPT_MATCHES)
def _largest_swing(match: Match) -> Swing | None:
    """Return the largest change of the score by one answer; of several, the latest.

    None if all changes are of one point.
    """
    rules, key = match.setup.game.rules, match.setup.game.counting.score
    first, *positions = positions_of(match)
    held, best, size = {each.seat: each.counts for each in rules.standings(first.state)}, None, LEAST_SWING
    for position, step in zip(positions, story_of(match), strict=True):
        now = {each.seat: each.counts for each in rules.standings(position.state)}
        for seat, counts in now.items():
            counted = key or next(iter(counts))
            before, after = held[seat].get(counted, 0), counts.get(counted, 0)
            if abs(after - before) >= size:
                best, size = Swing(step.heard_at, step.round, seat, counted, before, after), abs(after - before)
        held = now
    return best


def _swing_view(told: MomentView, story: Story) -> HighlightView | None:
    swing, language = _largest_swing(told.match), told.listener.language
    if swing is None:
        return None
    values = {
        "round": sentences.round_text(language, told.listener.words, swing.round),
        "name": told.name(swing.seat),
        "before": sentences.count_text(told.listener, swing.key, swing.before),
        "after": sentences.count_text(told.listener, swing.key, swing.after),
    }
    text = SWING if story[-1].round > 1 else LONE_SWING
    return HighlightView(
        "swing",
        phrase_text(language, SWING_HEADING.one, {}),
        phrase_text(language, text.one, values),
        swing.heard_at,
    )
