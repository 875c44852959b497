"""Learn a deck during play: name the cards that are known, show the others to a person, and learn names.

All functions are pure but one: `store_draft` writes the draft's folder. A name that a person gave holds in its
place as long as the card stays there.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.pictures import Picture, packed_jpeg
from vision.process.looks import WHOLE, outlines_over
from vision.process.messages import (
    ChangeFace,
    DeckGrew,
    LearningNews,
    LearningOrder,
    NameCard,
    UndoName,
    UndoNames,
    UnknownCard,
    UnknownCards,
)
from vision.process.parts import part_of, shift_outline, with_room
from vision.process.places import is_same_place, lies_on, longer_side
from vision.process.watching import NUDGED
from vision.reading.reader import read
from vision.reading.templates import Templates
from vision.reading.views import Surroundings, common_share
from vision.sightings import LIKELY, PROBABLE, Outline, Reading, Sighting, guesses
from vision.table.plane import Reals, as_outline, inverse, lengths_of, map_points
from vision.table.plates import Millimetres
from vision.teaching.clear_cuts import is_clear
from vision.teaching.draft_deck import (
    DraftDeck,
    LearntCard,
    Origin,
    compare_with_face,
    contradictions,
    exceeded,
    named,
    named_by,
    place_of,
    prepared,
    rename,
    take_back,
    take_back_named,
    without_same,
)
from vision.teaching.free_cards import (
    find_free_cards,
    find_free_cards_of_any_size,
    find_free_cards_on,
    measure_free_card,
)
from vision.teaching.kept_cuts import CutCard, cut_card
from vision.teaching.lone_card import rectify_card, true_aspect, upright
from vision.teaching.naming import AS_MANY, SURE, name_cards, name_of, sighting_named, unread
from vision.teaching.same_card import OTHER, compare_cards, most_alike
from vision.teaching.stored_drafts import NamedPlace, is_possible_name, load_draft, save_draft
from vision.teaching.taught_decks import MOST_PICTURES, SIZES
from vision.troubles import Problem, TroubleError

SHOWN = 350  # pixels across a card's picture for a person
QUALITY = 85  # JPEG quality of that picture
LIKE = 3  # most faces that a card is said to resemble
GOOD = 0.75
"""Largest difference of two pictures that suggests a face: one face differs by 0.5, others by 1 at least."""
MOST_SHAPES = 50  # newest measured shapes that determine the deck's


class NamedCard(Struct, frozen=True, eq=False):
    """A card that a person named where it lies; an empty face is a thing that is no card."""

    outline: Outline
    face: str
    cut: CutCard
    is_carried: bool = False  # whether the camera moved since: the card is there, but looks another way


class ShownCard(Struct, frozen=True, eq=False):
    """An unknown card as it was shown to a person."""

    news: UnknownCard
    cut: CutCard


class Learning(Struct, frozen=True, eq=False):
    """A deck that is learnt during play, and what it knows about the cards on the table."""

    folder: Path
    draft: DraftDeck
    deck: Templates | None = None
    """The learnt faces, ready to read; None before the first one."""
    named: tuple[NamedCard, ...] = ()
    met: tuple[NamedPlace, ...] = ()
    """Cards on the table that were counted as met; lying still, they aren't learnt again."""
    shown: tuple[ShownCard, ...] = ()
    stored: Mapping[str, tuple[LearntCard, ...]] = {}  # the faces as they are in the folder
    settled: Picture | None = None  # identity of the watcher's last reading from which cards were learnt


Known = tuple[Sighting, ...]
LearningStep = tuple[Learning, Known, tuple[LearningNews, ...]]
"""What was learnt, the cards on the table with it, and messages."""


def resume_learning(folder: Path, name: str, card: Millimetres | None, possible: Mapping[str, int]) -> Learning:
    """Continue the deck in a folder, or begin one. Raises TroubleError if it can't be read."""
    draft, places = load_draft(folder, name, card, possible)
    named_there = tuple(
        NamedCard(each.outline, each.face, draft.faces[each.face][0].cut) for each in places if each.face
    )
    return Learning(folder, draft, prepared(draft), named_there, stored=draft.faces)


def store_draft(learning: Learning) -> tuple[Learning, tuple[Problem, ...]]:
    """Write what isn't stored yet. Also return the problem if the disk can't be written."""
    places = tuple(NamedPlace(each.outline, each.face) for each in learning.named if each.face)
    try:
        save_draft(learning.draft, learning.stored, learning.folder, places)
    except (OSError, TroubleError) as error:
        why = error.strerror or str(error) if isinstance(error, OSError) else error.problem.key
        return learning, (Problem("deck unsaved", {"file": str(learning.folder), "why": why}),)
    return replace(learning, stored=learning.draft.faces), ()


# reading


def read_while_learning(
    learning: Learning, picture: Picture, around: Surroundings | None, at: tuple[int, int]
) -> Reading:
    """Read a part of the table, whose upper left corner is `at`; cards without a known face are unsure."""
    draft = learning.draft
    free = free_cards(picture, draft, around)
    seen = Reading(())
    if learning.deck is not None:
        seen = read(picture, learning.deck, draft.possible or None, around, AS_MANY)
    lying = [replace(each, outline=shift_outline(each.outline, (-at[0], -at[1]))) for each in learning.named]
    every = [with_fair_guesses(each) for each in name_cards(picture, free, seen, draft)]
    names = [_name_in_place(card, lying, picture, draft) for card in every]
    left = tuple(
        card if name is None else replace(sighting_named(card.outline, name), visible=card.visible)
        for card, name in zip(every, names, strict=True)
        if name != ""
    )
    strange = (thing for thing in seen.unexplained if not any(lies_on(thing, card) for card in every))
    return Reading(left, tuple(strange))


def free_cards(picture: Picture, draft: DraftDeck, around: Surroundings | None) -> tuple[Reals, ...]:
    if around is None:
        return find_free_cards(picture, draft.shape)
    if draft.card is not None or draft.shapes:
        return find_free_cards_on(picture, draft.size, around)
    # a new deck may have any size
    found = [find_free_cards_on(picture, size, around) for size in SIZES]
    return max(found, key=len) or find_free_cards_of_any_size(picture, draft.shape, around)


def with_fair_guesses(card: Sighting) -> Sighting:
    """Return an unsure card so that other evidence of the watcher can't make its name sure.

    A taken card with the guessed face, or a second look, adds to the certainty of a name in a complete deck. An
    unknown face resembles some known one every time.
    """
    if card.sure or card.chance is None:
        return card
    most = min(card.chance, UNLIKELY)
    fair = (replace(each, score=min(each.score, most)) for each in card.runners_up)
    chance = min(card.chance, PROBABLE)
    return replace(card, score=min(card.score, most), runners_up=tuple(fair), chance=chance)


UNLIKELY = LIKELY - 0.01  # largest score of a guess, so that it isn't taken for the face of a moved card


def _name_in_place(
    card: Sighting, lying: Sequence[NamedCard], picture: Picture, draft: DraftDeck
) -> str | None:
    """Return the name that a person gave the card in this place, if it still lies there; else None."""
    there = next((each for each in lying if _is_in_place(card, each.outline)), None)
    if there is None or card.visible < WHOLE:
        return None
    cut = rectify_card(picture, card.outline, draft.shape)
    apart = compare_cards(there.cut.picture, cut)
    name = name_of(card)
    is_carried = there.is_carried and name in {None, there.face} and apart.apart < OTHER
    if not (is_carried or apart.is_same or compare_with_face(draft, cut, there.face).is_same):
        return None
    is_other = card.sure and name != there.face and name is not None
    return None if is_other and compare_with_face(draft, cut, name or "").apart < apart.apart else there.face


def carry_given_names(learning: Learning, known: Known, carry: Callable[[Outline], Outline]) -> Learning:
    """Let all names hold for the next reading of cards that lie as before in the picture of a moved camera."""
    faces = learning.draft.faces
    sure = ((card, name) for card in known if card.sure and (name := name_of(card)) is not None)
    cards = (NamedCard(card.outline, name, faces[name][0].cut) for card, name in sure if name in faces)
    things = (each for each in learning.named if not each.face)
    named = (replace(each, outline=carry(each.outline), is_carried=True) for each in (*cards, *things))
    met = (replace(each, outline=carry(each.outline)) for each in learning.met)
    return replace(learning, named=tuple(named), met=tuple(met))


def _is_in_place(card: Sighting, outline: Outline) -> bool:
    return is_same_place(card, replace(card, outline=outline))


# learning from what lies on the table


def learn_from_table(
    learning: Learning, picture: Picture, known: Known, around: Surroundings | None
) -> LearningStep:
    """Learn sure cards that were laid, and show a person the free cards that nobody could name.

    `known` are all cards on the table after a reading; `around` describes a table whose plane is known.
    """
    table = _Table(picture, known, around)
    learning = _with_shapes(_without_gone(learning, table), table)
    draft, met = learning.draft, list(learning.met)
    for card in known:
        name = name_of(card) if card.sure else None
        if name in draft.faces and name is not None and not _is_met(card, name, learning.met):
            met.append(NamedPlace(card.outline, name))
            draft = _met_again(draft, card, name, table)
    wrong = _too_many(draft, table)
    learning = _with_draft(replace(learning, met=tuple(met)), take_back(draft, wrong))
    known, shown = _show_unknown(learning, table, _renamed(known, dict.fromkeys(wrong, "")))
    news = (DeckGrew(tuple(learning.draft.faces), "", wrong),) if wrong else ()
    return _with_shown(_without_names(learning, wrong), shown, known, news)


class _Table(Struct, frozen=True, eq=False):
    """A still table and the cards on it."""

    picture: Picture
    known: Known
    around: Surroundings | None

    def free_card(self, card: Sighting, draft: DraftDeck) -> Reals | None:
        """Return a known card's corners as measured now; None if something covers it."""
        if card.visible < WHOLE or outlines_over(card.outline, self._others(card), OVER):
            return None
        # before a card is named, the deck's size isn't known
        plane = None if self.around is None or draft.card is None else self.around.plane
        return measure_free_card(self.picture, card.outline, draft.size, plane)

    def cut(self, card: Sighting, draft: DraftDeck) -> CutCard | None:
        free = self.free_card(card, draft)
        return None if free is None else cut_card(self.picture, free, draft.shape)

    def shows(self, card: Sighting, cut: CutCard, draft: DraftDeck) -> bool:
        """Return whether a cut card is certainly still in its place."""
        now = self.cut(card, draft)
        return now is not None and compare_cards(cut.picture, now.picture).is_same

    def free_card_near(self, card: Sighting, draft: DraftDeck) -> Reals | None:
        """Return the corners of a free card about where another was: it was pushed, or replaced by this one."""
        corners = np.array(card.outline)
        box = (
            *np.floor(corners.min(axis=0)).astype(int).tolist(),
            *np.ceil(corners.max(axis=0)).astype(int).tolist(),
        )
        left, top, right, bottom = with_room(box, self.picture, round(longer_side(card)))
        part = np.ascontiguousarray(self.picture[top:bottom, left:right])
        around = None if self.around is None else part_of(self.around, (left, top, right, bottom))
        at = np.array((left, top))
        found = [each + at for each in free_cards(part, draft, around)]
        others = self._others(card)
        near = (
            each
            for each in found
            if _is_in_place(card, as_outline(each)) and not outlines_over(as_outline(each), others, OVER)
        )
        return max(near, key=lambda each: common_share(as_outline(each), card.outline), default=None)

    def _others(self, card: Sighting) -> list[Sighting]:
        return [each for each in self.known if each.outline != card.outline]


OVER = 0.02  # largest share of a free card that the outline of another one covers


def _without_gone(learning: Learning, table: _Table) -> Learning:
    """Forget names in places where the card was taken, or another one lies."""
    there = (each for each in learning.named if _lies_there(each, learning.draft, table))
    named_there = (_as_seen_now(each, learning.draft, table) if each.is_carried else each for each in there)
    met = (each for each in learning.met if any(_is_met(card, each.face, (each,)) for card in table.known))
    return replace(learning, named=tuple(named_there), met=tuple(met))


def _as_seen_now(card: NamedCard, draft: DraftDeck, table: _Table) -> NamedCard:
    """Keep how a card looks to a moved camera: from now on, another card in its place is another one."""
    cuts = (table.cut(each, draft) for each in table.known if _is_in_place(each, card.outline))
    return replace(card, cut=next(filter(None, cuts), card.cut), is_carried=False)


def _lies_there(card: NamedCard, draft: DraftDeck, table: _Table) -> bool:
    if card.face:
        return any(_is_met(each, card.face, (NamedPlace(card.outline, card.face),)) for each in table.known)
    return table.shows(unread(card.outline), card.cut, draft)


def has_more_to_show(learning: Learning, known: Known) -> bool:
    """Return whether an unknown card isn't shown to a person: it was covered, blurred or in a lamp's light."""
    shown = {each.news.outline for each in learning.shown}
    return any(not card.sure and card.outline not in shown for card in known)


def _is_met(card: Sighting, name: str, met: Iterable[NamedPlace]) -> bool:
    is_named = card.sure and name_of(card) == name
    return is_named and any(each.face == name and _is_in_place(card, each.outline) for each in met)


def _with_shapes(learning: Learning, table: _Table) -> Learning:
    """Measure the shape of a new deck's cards, as long as the table's plane isn't known."""
    draft = learning.draft
    if draft.card is not None or table.around is not None:
        return learning
    picture = table.picture
    free = (measure_free_card(picture, each.outline, draft.size, None) for each in table.known)
    measured = (each for each in free if each is not None)
    # blur widens an outline
    clear = (each for each in measured if is_clear(rectify_card(picture, each, draft.shape)))
    shapes = (*draft.shapes, *(upright(true_aspect(each, picture.shape)) for each in clear))[-MOST_SHAPES:]
    return replace(learning, draft=replace(draft, shapes=shapes))


def _with_size(draft: DraftDeck, outline: Outline, around: Surroundings | None) -> DraftDeck:
    """Measure a new deck's card on the table, once a person has named one: other things have other sizes."""
    if draft.card is not None or around is None:
        return draft
    top, right, low, left = lengths_of(map_points(inverse(around.plane), np.array(outline)))
    wide, high = sorted((float(top + low) / 2, float(right + left) / 2))
    usual = (size for size in SIZES if max(abs(wide / size[0] - 1), abs(high / size[1] - 1)) < ODD_LENGTH)
    return replace(draft, card=next(usual, (round(wide, 1), round(high, 1))))


ODD_LENGTH = 0.03  # largest difference of a measured length from a common card's, as a share


def _met_again(draft: DraftDeck, card: Sighting, name: str, table: _Table) -> DraftDeck:
    """Count a face as met, and learn the card as another picture of it, if that is certain and useful."""
    cut = table.cut(card, draft) if len(draft.faces[name]) < MOST_PICTURES else None
    if (
        cut is None
        or not is_clear(cut.picture)
        or not ((card.chance or 0.0) >= SURE or compare_with_face(draft, cut.picture, name).is_same)
    ):
        return replace(draft, met={**draft.met, name: draft.met.get(name, 0) + 1})
    return named(draft, LearntCard(cut, Origin("", place_of(np.array(card.outline)))), name)


def _too_many(draft: DraftDeck, table: _Table) -> tuple[str, ...]:
    """Return the faces that certainly lie on the table more often than the deck has them."""
    sure = [
        (card, name) for card in table.known if card.sure and (name := name_of(card)) in draft.faces and name
    ]
    suspects = exceeded(draft, (name for _card, name in sure))
    # a card that was moved may still be known in its old place
    certain = [
        name
        for card, name in sure
        if name in suspects
        and (cut := table.cut(card, draft)) is not None
        and compare_with_face(draft, cut.picture, name).is_same
    ]
    return exceeded(draft, certain)


def _with_draft(learning: Learning, draft: DraftDeck) -> Learning:
    """Use a changed draft; it is prepared for reading only if its pictures have changed."""
    is_same_deck = draft.faces is learning.draft.faces or dict(draft.faces) == dict(learning.draft.faces)
    deck = learning.deck if is_same_deck else prepared(draft)
    return replace(learning, draft=draft, deck=deck)


def _renamed(known: Known, names: Mapping[str, str]) -> Known:
    """Give sure cards other names; those with an empty one become unsure."""

    def renamed(card: Sighting) -> Sighting:
        to = names.get(name_of(card) or "") if card.sure else None
        if to is None:
            return card
        if to:
            return replace(sighting_named(card.outline, to), chance=card.chance, visible=card.visible)
        return replace(unread(card.outline), visible=card.visible)

    return tuple(map(renamed, known))


def _without_names(learning: Learning, faces: Collection[str]) -> Learning:
    """Forget where cards with these names lie."""
    return replace(
        learning,
        named=tuple(each for each in learning.named if each.face not in faces),
        met=tuple(each for each in learning.met if each.face not in faces),
    )


# unknown cards


def _show_unknown(learning: Learning, table: _Table, known: Known) -> tuple[Known, tuple[ShownCard, ...]]:
    """Return the cards on the table, and those to name; a card in another one's place gets its own outline."""
    cards, shown = list[Sighting](), list[ShownCard]()
    for card in known:
        before = next((each for each in learning.shown if _is_unmoved(each, card)), None)
        now = None if card.sure else _shown(learning, table, card, before)
        cards.append(card if now is None else replace(card, outline=now.news.outline))
        shown += [now] if now is not None else []
    return tuple(cards), tuple(shown)


def _is_unmoved(shown: ShownCard, card: Sighting) -> bool:
    """Return whether a card is unmoved, within the usual difference of readings."""
    off = np.linalg.norm(np.subtract(shown.news.outline, card.outline), axis=1).max()
    return bool(off < NUDGED * longer_side(card))


def _shown(learning: Learning, table: _Table, card: Sighting, before: ShownCard | None) -> ShownCard | None:
    """Return a card as it is shown to a person; None for one that doesn't lie free."""
    draft = learning.draft
    in_place = table.free_card(card, draft)
    free = table.free_card_near(card, draft) if in_place is None else in_place
    if free is None:
        # it was visible before something covered it
        return before
    cut = cut_card(table.picture, free, draft.shape)
    if not is_clear(cut.picture):
        return before if in_place is not None else None
    lying = _used_up(draft, table.known)
    is_same = before is not None and compare_cards(before.cut.picture, cut.picture).is_same
    is_still = in_place is not None and (before is None or is_same)
    if before is not None and is_still and lying.isdisjoint(before.news.like):
        return before
    large = rectify_card(table.picture, free, draft.shape, round(SHOWN / draft.shape))
    like = _faces_like(draft, card, cut, lying)
    earlier = packed_jpeg(draft.faces[like[0]][0].cut.picture, QUALITY) if like else b""
    is_good = bool(like) and compare_with_face(draft, cut.picture, like[0]).apart < GOOD
    outline = card.outline if is_still else as_outline(free)
    return ShownCard(UnknownCard(outline, packed_jpeg(large, QUALITY), like, earlier, is_good), cut)


def _used_up(draft: DraftDeck, known: Known) -> frozenset[str]:
    """Return the faces of which all copies lie on the table."""
    lying = Counter(name_of(card) for card in known if card.sure)
    return frozenset(face for face, most in draft.possible.items() if 0 < most <= lying[face])


def _faces_like(draft: DraftDeck, card: Sighting, cut: CutCard, lying: Collection[str]) -> tuple[str, ...]:
    """Return the learnt faces that a card resembles, but lying ones: by the reader first, then at a glance."""
    names = [name for name in draft.faces if name not in lying]
    firsts = [draft.faces[name][0].cut.picture for name in names]
    alike = [names[i] for i in most_alike(cut.picture, firsts, LIKE)]
    read_as = [each.face for each in guesses(card) if each.face in names]
    return tuple(dict.fromkeys((*read_as, *alike)))[:LIKE]


def unknown_cards(learning: Learning) -> UnknownCards:
    return UnknownCards(tuple(each.news for each in learning.shown))


def _with_shown(
    learning: Learning, shown: tuple[ShownCard, ...], known: Known, news: tuple[LearningNews, ...]
) -> LearningStep:
    """Complete a step; the unknown cards are reported if they have changed."""
    is_same_set = [id(each.news) for each in shown] == [id(each.news) for each in learning.shown]
    learning = replace(learning, shown=shown)
    return learning, known, news if is_same_set else (*news, unknown_cards(learning))


# orders


def obey_learning_order(
    learning: Learning, order: LearningOrder, picture: Picture, known: Known, around: Surroundings | None
) -> LearningStep:
    """Learn, undo or change a name; a name for a lost card, or an impossible one, is asked again."""
    match order:
        case NameCard():
            return _name_card(learning, order, _Table(picture, known, around))
        case UndoName(face, match, moment):
            return _take_back(learning, known, {face: {moment}}, match)
        case UndoNames(match, by):
            return _take_back(learning, known, named_by(learning.draft, match, by), match)
        case ChangeFace(face, to):
            if to and not is_possible_name(learning.draft, to):
                return learning, known, ()
            return _with_change(learning, rename(learning.draft, face, to), known, {face: to}, ())


def _take_back(
    learning: Learning, known: Known, named_at: Mapping[str, Iterable[int]], match: str
) -> LearningStep:
    """Make the pictures of some faces unnamed that were named at some moments of a match."""
    draft = learning.draft
    for face, moments in named_at.items():
        for moment in moments:
            draft = take_back_named(draft, face, match, moment)
    return _with_change(learning, draft, known, dict.fromkeys(named_at, ""), tuple(named_at))


def _with_change(
    learning: Learning, draft: DraftDeck, known: Known, names: Mapping[str, str], taken_back: tuple[str, ...]
) -> LearningStep:
    if draft.faces == learning.draft.faces:
        return learning, known, ()
    learning = _without_names(_with_draft(learning, draft), names)
    return learning, _renamed(known, names), (DeckGrew(tuple(draft.faces), "", taken_back),)


def _name_card(learning: Learning, order: NameCard, table: _Table) -> LearningStep:
    shown = next((each for each in learning.shown if each.news.outline == order.outline), None)
    card = next((each for each in table.known if each.outline == order.outline), None)
    cut = shown.cut if shown is not None else None if card is None else table.cut(card, learning.draft)
    if (
        cut is None
        or not is_clear(cut.picture)
        or (order.face and not is_possible_name(learning.draft, order.face))
    ):
        return learning, table.known, (unknown_cards(learning),)
    rest = tuple(each for each in learning.shown if each is not shown)
    if not order.face:
        ignored = replace(learning, named=(*learning.named, NamedCard(order.outline, "", cut)))
        known = tuple(each for each in table.known if each is not card)
        return _with_shown(ignored, rest, known, ())
    alike = _alike(learning, rest, cut, order.face, table)
    there = {order.outline: cut, **{each.news.outline: each.cut for each in alike}}
    learning, wrong = _learn_name(learning, order, there, card, table.around)
    known = table.known
    if not wrong:
        draft = learning.draft
        lying = [each.outline for each in known if each.outline in there]
        # another card than the person saw is named by the next reading
        known = tuple(
            sighting_named(each.outline, order.face)
            if each.outline in lying and table.shows(each, there[each.outline], draft)
            else each
            for each in known
        )
        learning = replace(
            learning,
            named=(*learning.named, *(NamedCard(each, order.face, there[each]) for each in lying)),
            met=(*learning.met, *(NamedPlace(each, order.face) for each in lying)),
        )
    learning, known = _without_names(learning, wrong), _renamed(known, dict.fromkeys(wrong, ""))
    rest = tuple(each for each in rest if each not in alike)
    grew = DeckGrew(tuple(learning.draft.faces), "" if wrong else order.face, wrong)
    return _with_shown(learning, rest, known, (grew,))


def _learn_name(
    learning: Learning,
    order: NameCard,
    there: Mapping[Outline, CutCard],
    card: Sighting | None,
    around: Surroundings | None,
) -> tuple[Learning, tuple[str, ...]]:
    """Learn the cards in some places by a name. Also return the names that contradict it, taken back."""
    draft = _with_size(learning.draft, order.outline, around)

    def learnt(outline: Outline) -> LearntCard:
        by = order.by if outline == order.outline else ""
        return LearntCard(there[outline], Origin(order.match, place_of(np.array(outline)), by, order.moment))

    before = name_of(card) if card is not None and card.sure else None
    if before is not None and before != order.face:
        # the person corrects the name
        draft = without_same(draft, before, learnt(order.outline))
    for each in there:
        draft = named(draft, learnt(each), order.face)
    wrong = contradictions(draft, order.face)
    return _with_draft(learning, take_back(draft, wrong)), wrong


def _alike(
    learning: Learning, others: Sequence[ShownCard], cut: CutCard, face: str, table: _Table
) -> tuple[ShownCard, ...]:
    """Return the other unknown cards that are the same; none if the deck hasn't that many."""
    same = tuple(each for each in others if compare_cards(cut.picture, each.cut.picture).is_same)
    lying = sum(card.sure and name_of(card) == face for card in table.known)
    most = learning.draft.possible.get(face, 0)
    return same if not most or lying + 1 + len(same) <= most else ()
