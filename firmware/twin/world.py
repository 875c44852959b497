"""The simulated world of the twin: cards on a table, and the camera above them.

The world tracks every card and moves cards as each moment requires. The camera's frames go to a file that the
eyes read: nothing else about the cards reaches the referee.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import hypot
from pathlib import Path
from random import Random
from threading import Event, Lock, Thread
from zlib import crc32

from msgspec.structs import replace

from firmware.storage.found_table import parting_of
from firmware.table.cards import zone_name
from firmware.twin.simulated_camera import PLAIN, SimulatedView
from hardware.twin import tabletop
from hardware.twin.dealer import (
    DealtMatch,
    Truth,
    cards_at_hand,
    deal_match,
    follow_entry,
    is_told_falsely,
    lay_honestly,
)
from hardware.twin.rendering.renderer import Faces, faces_of
from hardware.twin.rendering.scene import Glare, Hand, Scene, SceneCamera, SceneLight, SceneTable
from hardware.twin.tabletop import Places, Pose, ReachableCard, Tabletop, TabletopCard, TabletopView
from referee.contract import CENTRE, PILE, Answer, Show, Span, TableLayout, Zone, is_seen, kind_of
from referee.match import Match, is_replay, moments
from vision.sightings import Point
from vision.table.values import Zones
from vision.table.zones import place_toward, zone_of

FRAME = 0.1  # seconds between frames
EDGE_FRACTION = 0.95
"""Fraction of the distance to the middle's edge at which simultaneous cards are laid."""
LAID_APART = 4.0
"""Millimetres by which a card is laid beside its seat's place: a similar card in the same one is overlooked."""
SEAT_CARD_DISTANCE = 60.0  # millimetres from the inner edge of a seat's area to its cards
STRAY_HAND = Hand(x=150.0, y=170.0, angle=-25.0)
GLARE = 40.0, 2.0
"""Radius of a lamp's reflection in millimetres, and its strength: too bright to read anything."""


class World:
    """The cards on the simulated table, and the true position of every card."""

    def __init__(
        self,
        match: Match,
        zones_of: Callable[[TableLayout], Zones],
        file: Path,
        camera: SceneCamera = PLAIN,
        secret: bytes = b"",
        begin: Event | None = None,
    ) -> None:
        """Shuffle, and deal up to the match's current moment; `zones_of` splits the table into areas.

        The same secret always deals the same cards; without a secret, so does the match alone. The camera shows
        nothing before `begin` is set, because rendering waits until the pages are ready.
        """
        self._zones_of, self.view = zones_of, SimulatedView(file, camera)
        self.glare: Point | None = None
        """Position of a lamp's reflection on the table."""
        self._lock = Lock()
        self._table = Tabletop()
        self._brought = frozenset[int]()
        self._swapped = frozenset[int]()
        self._laid_instead: tuple[int, str] | None = None
        """The ask for which cards other than the due ones were laid."""
        self._secret = secret
        self._turned_up = Counter[tuple[Zone, str]]()
        """Hidden cards that have lain open for the current asks, even if they were taken back."""
        self._named = set[Zone]()
        """Places of which people have named cards for the current asks, and learnt whether they are there."""
        self._told_falsely: Match | None = None
        """The current moment, if cards were named that were elsewhere."""
        self._shake = Random(0)  # noqa: S311 - how straight cards lie
        self._deal(match)
        self.has_hand = False
        self.shown = Event()
        """Set once there is a frame, or the camera is unplugged and none will come."""
        self._over, self._begin = Event(), begin
        self._thread = Thread(target=self._show, name="camera", daemon=True)
        self._thread.start()

    def _deal(self, match: Match) -> None:
        """Start a match: its cards, its deck and the areas of the table."""
        self._rng, self._dealt, self._truths = _deal_so_far(match, self._secret)
        self._turned_up.clear()
        self._named.clear()
        self._deck = match.setup.deck.name
        self._faces, self._zones = faces_of(self._deck), self._zones_of(parting_of(match))
        # of a match in progress, open cards lie in the middle already
        for face in self._dealt.truth.get(CENTRE, ())[: tabletop.MAX_STAYING]:
            self._put(CENTRE, face, CENTRE)

    # truth, and each viewer's view of it

    def truth(self, match: Match) -> Truth:
        with self._at(match):
            return self._dealt.truth

    def is_told_falsely(self, match: Match) -> bool:
        """Return whether a moment names cards that weren't at their supposed origin."""
        with self._at(match):
            return self._told_falsely is match

    def sight(self, match: Match, seat: int | None) -> TabletopView:
        with self._at(match):
            return tabletop.tabletop_view(match.setup.game, self._dealt.truth, self._table, seat)

    def faces_known(self, match: Match, seat: int) -> Places:
        with self._at(match):
            return tabletop.known_cards(match.setup.game, self._dealt.truth, seat)

    def reach(self, match: Match, seat: int) -> tuple[ReachableCard, ...]:
        with self._at(match):
            return tabletop.cards_in_reach(self._dealt.truth, self._table, match, seat)

    def places_shown(self, match: Match) -> frozenset[Zone]:
        """Return the hidden places whose cards have lain open, or were named, for the current asks."""
        with self._at(match):
            return frozenset(zone for zone, _face in self._turned_up) | self._named

    def may_turn_up(self, match: Match, card: TabletopCard, seat: int) -> bool:
        with self._at(match):
            return card.pose.is_up or self._may_show(card.origin, card.face, seat)

    def zone(self, zone: Zone) -> tuple[Point, ...]:
        return self._zones.get(zone_name(zone), ())

    def is_in(self, zone: Zone, pose: Pose) -> bool:
        return zone_of(self._zones, (pose.x, pose.y)) == zone_name(zone)

    def has_laid(self, match: Match, ask: Show) -> bool:
        with self._at(match):
            return len(self._laid_for(match, ask)) >= ask.count

    def has_laid_any(self, match: Match, seat: int) -> bool:
        """Return whether a seat's cards for the current ask lie on the table."""
        with self._at(match):
            seats = frozenset({seat})
            return any(tabletop.cards_laid_by(self._table, match, self._dealt.truth, seats))

    def has_laid_turn(self, match: Match) -> bool:
        """Return whether people moved cards that a turn may consist of: out of a hand or the display."""
        with self._at(match):
            # a card that was taken may still lie in the display
            has_laid = any(
                card.pose.is_up
                and card.origin is not None
                and tabletop.is_hand(match.setup.game, card.origin)
                and not self.is_in(CENTRE, card.pose)
                for card in self._table.lying
            )
            return has_laid or bool(tabletop.cards_at_home(self._dealt.truth, self._table).get(CENTRE))

    def middle(self, zone: Zone) -> Point:
        """Return the position of the first card in an area of the table."""
        x, y = _middle(self._zones, zone)
        return round(x, 1), round(y, 1)

    def seat_at(self, pose: Pose) -> int | None:
        """Return the seat in front of which a card is; None in the middle."""
        name = zone_of(self._zones, (pose.x, pose.y)) or ""
        number = name.rpartition(" ")[2]
        return int(number) - 1 if number.isdecimal() else None

    def deck(self, name: str) -> Faces | None:
        return self._faces if name == self._deck else None

    @contextmanager
    def _at(self, match: Match) -> Iterator[None]:
        """Lock the world, updated to a moment."""
        with self._lock:
            self._follow(match)
            yield
            self._turned_up |= self._lying_open()

    def _follow(self, match: Match) -> None:
        """Move the cards as all moments since the last call require; a new match is shuffled."""
        known, new = self._dealt.match, list[Match]()
        if match.setup is known.setup and match.number <= known.number:
            return
        if match.setup is not known.setup and is_replay(known, match):
            # the rules were corrected, and no card has moved
            self._dealt, self._truths = DealtMatch(match, self._dealt.truth), {match.number: self._dealt.truth}
            return
        for moment in moments(match):
            if moment.setup is known.setup and moment.number == known.number:
                break
            new.append(moment)
        else:
            self._table = Tabletop((), self._table.laid)
            self._deal(match)
            return
        for moment in reversed(new):
            if moment.position is not self._dealt.match.position:
                self._turned_up.clear()
                self._named.clear()
            before = tabletop.laid_last(moment.setup.game, self._dealt.truth, self._table)
            self._told_falsely = moment if is_told_falsely(before, moment) else None
            for truth in follow_entry(before, self._truths, moment, self._rng):
                self._table = tabletop.follow_moves(moment.setup.game, self._table, before, truth)
                before = truth
            self._dealt = DealtMatch(moment, before)
            self._truths[moment.number] = before
            self._carry(moment)

    def _carry(self, moment: Match) -> None:
        """Lay the cards that a moment moves, in games whose turns are read from the table."""
        game = moment.setup.game
        if game.table.turns is None:
            return
        value = moment.entry.value if isinstance(moment.entry, Answer) else None
        # cards named by the answer are on the table already
        named = Counter(value if isinstance(value, tuple) else ())
        moves = (move for ruling in moment.rulings for move in game.table.moves(moment.state, ruling))
        for move in (move for move in moves if zone_name(move.target) in self._zones):
            for face in move.faces:
                homes = (move.source, move.target)
                same = [card for card in self._table.lying if card.face == face and card.origin in homes]
                astray = [card.number for card in same if not self.is_in(move.target, card.pose)]
                is_there = len(same) - len(astray) >= self._dealt.truth.get(move.target, ()).count(face)
                if not is_there and (astray or named[face] <= 0):
                    self._table = tabletop.take_cards(self._table, astray[:1])
                    self._put(move.target, face, move.target)
                named[face] -= 1

    # actions of hands

    def lay(self, match: Match, ask: Show, faces: Iterable[str] | None = None) -> tuple[str, ...]:
        """Lay the true cards that an ask still lacks; or the given cards instead of any laid for it."""
        with self._at(match):
            if faces is not None and self._laid_instead != (match.number, ask.key):
                self._laid_instead = match.number, ask.key
                others = (card for card in self._lying_in(ask.zone) if card.origin != ask.zone)
                self._table = tabletop.take_cards(self._table, [card.number for card in others])
            there = Counter(self._laid_for(match, ask))
            wanted = Counter(lay_honestly(self._dealt, ask)[0]) - there if faces is None else Counter(faces)
            cards = tuple(wanted.elements())
            for face in cards:
                self._put(ask.zone, face, self._home(match, ask, face))
        return cards

    def lay_due(self, match: Match, ask: Show, seats: frozenset[int]) -> tuple[str, ...]:
        """Lay the cards that an ask requires of some seats without a choice; returns their faces."""
        with self._at(match):
            if self._laid_instead == (match.number, ask.key):
                return ()
            due = tabletop.cards_due(match, self._dealt.truth, ask, seats)
            self._bring(ask.zone, due)
            return tuple(face for _origin, face in due)

    def lay_from(self, match: Match, ask: Show, origin: Zone, faces: Iterable[str]) -> None:
        """Lay the cards that a player has chosen."""
        with self._at(match):
            self._bring(ask.zone, [(origin, face) for face in faces])

    def place(
        self, match: Match, seat: int, card: tuple[Zone, int], pose: Pose | None, ask: Show | None
    ) -> bool:
        """Lay one card at `pose` or in the ask's area; False if the seat may not."""
        with self._at(match):
            reach = tabletop.cards_in_reach(self._dealt.truth, self._table, match, seat)
            held = next((each for each in reach if (each.zone, each.place) == card), None)
            if held is None or (pose is None and ask is None):
                return False
            if pose is not None and pose.is_up and not self._may_show(held.zone, held.face, seat):
                return False
            if pose is not None:
                self._table = tabletop.lay_card(self._table, held.face, held.zone, pose)
            elif ask is not None:
                self._put(ask.zone, held.face, held.zone)
            return True

    def change_card(
        self,
        match: Match,
        number: int,
        seat: int,
        others: frozenset[int],
        change: Callable[[Tabletop], Tabletop],
    ) -> bool:
        """Move, turn or remove a card on the table; False if the seat may not."""
        with self._at(match):
            card = tabletop.card_numbered(self._table, number)
            if card is None or not tabletop.may_move(card, seat, others):
                return False
            after = change(self._table)
            now = tabletop.card_numbered(after, number)
            is_turned_up = now is not None and now.pose.is_up and not card.pose.is_up
            if is_turned_up and not self._may_show(card.origin, card.face, seat):
                return False
            self._table = after
            return True

    def give(self, match: Match, hand: Zone, chosen: tuple[str, ...], counts: tuple[int, int]) -> bool:
        """Let chosen cards leave a hand first, with its face-down ones; False if it is the wrong number."""
        with self._at(match):
            kept = list(self._dealt.truth.get(hand, ()))
            held = tabletop.cards_at_home(self._dealt.truth, self._table).get(hand, ())
            count = len(chosen) + len(tabletop.face_down_of(self._table, hand))
            if Counter(chosen) - Counter(held) or not counts[0] <= count <= counts[1]:
                return False
            for face in chosen:
                kept.remove(face)
            self._dealt = replace(self._dealt, truth={**self._dealt.truth, hand: (*kept, *chosen)})
            return True

    def can_show(self, match: Match, ask: Show, cards: tuple[str, ...]) -> bool:
        """Return whether cards are truly where an ask takes them from; note that people have learnt it."""
        with self._at(match):
            game = match.setup.game
            places = game.table.sources(match.state, ask)
            self._named |= {zone for zone in places if kind_of(game, zone).seen_by != "all"}
            return not Counter(cards) - Counter(card for card, _seat in cards_at_hand(self._dealt, ask))

    def hold(self, match: Match, origin: Zone, cards: tuple[str, ...]) -> None:
        with self._at(match):
            self._dealt = replace(self._dealt, truth=tabletop.reorder_hand(self._dealt.truth, origin, cards))

    def mark(self, match: Match) -> int:
        with self._lock:
            laid = self._table.laid
            # the cards of this moment have not been read yet
            self._follow(match)
            return laid

    def tidy(self, match: Match, mark: int) -> None:
        """Remove read cards up to a mark."""
        with self._at(match):
            self._table = tabletop.tidy_table(match.setup.game, self._table, mark)

    def withdraw(self, match: Match, seats: frozenset[int]) -> None:
        """Take back the cards that these seats have laid for the current ask."""
        with self._at(match):
            mine = tabletop.cards_laid_by(self._table, match, self._dealt.truth, seats)
            self._table = tabletop.take_cards(self._table, mine)

    def bring(self, match: Match, span: Span) -> bool:
        """Push cards of a player's grid into the middle; False if there are none."""
        with self._at(match):
            self._put_back()
            truth = self._dealt.truth.items()
            for face in _faces_on(match, span):
                homes = (zone for zone, cards in truth if zone.seat == span.seat and face in cards)
                self._put(CENTRE, face, next(homes, None))
                self._brought |= {self._table.laid}
            return self.has_brought

    def put_back(self) -> bool:
        with self._lock:
            has_lain = self.has_brought
            self._put_back()
            return has_lain

    @property
    def has_brought(self) -> bool:
        return any(card.number in self._brought for card in self._table.lying)

    def _put_back(self) -> None:
        self._table, self._brought = tabletop.take_cards(self._table, self._brought), frozenset()

    def sweep(self) -> None:
        with self._lock:
            self._table = Tabletop((), self._table.laid)

    # faults

    @property
    def has_strange(self) -> bool:
        return any(card.origin is None and card.number not in self._swapped for card in self._table.lying)

    @property
    def has_swapped(self) -> bool:
        return any(card.number in self._swapped for card in self._table.lying)

    def add_strange(self, ask: Show | None) -> bool:
        """Lay an extra card from the bottom of the pile; False if there is no pile."""
        with self._lock:
            pile = self._dealt.truth.get(PILE, ())
            if pile:
                self._put(CENTRE if ask is None else ask.zone, pile[0], None)
            return bool(pile)

    def swap_one(self) -> bool:
        """Replace the card laid last with a wrong one; False if the table is empty."""
        with self._lock:
            pile = self._dealt.truth.get(PILE, ())
            card = self._table.lying[-1] if self._table.lying else None
            other = next((face for face in pile if card is not None and face != card.face), None)
            if card is None or other is None:
                return False
            self._table = tabletop.lay_card(
                tabletop.take_cards(self._table, (card.number,)), other, None, card.pose
            )
            if card.origin is not None:
                self._swapped |= {self._table.laid}
            return True

    def take_strange(self) -> None:
        """Remove cards that don't belong to the match."""
        with self._lock:
            strange = [card.number for card in self._table.lying if card.origin is None]
            self._table = tabletop.take_cards(self._table, strange)

    def set_right(self) -> None:
        """Undo all faults of the camera, the hand, the glare and the extra cards."""
        with self._lock:
            self.view.fault, self.has_hand, self.glare = None, False, None
        self.take_strange()

    # camera

    def toggle_glare(self) -> None:
        """Toggle a reflection on the card laid last, or in the middle."""
        with self._lock:
            pose = self._table.lying[-1].pose if self._table.lying else None
            lamp = (0.0, 0.0) if pose is None else (pose.x, pose.y)
            self.glare = lamp if self.glare is None else None

    def close(self) -> None:
        self._over.set()
        self._thread.join()

    def _show(self) -> None:
        while not self._over.wait(FRAME):
            may_show = self._begin is None or self._begin.is_set()
            if may_show and (
                self.view.show(lambda camera: self._scene(camera, self.glare)) or self.view.fault == "unplugged"
            ):
                self.shown.set()
        self.view.close()

    def _scene(self, camera: SceneCamera, glare: Point | None) -> tuple[Scene, Faces] | None:
        """Return the scene; None while another deck is being loaded, which takes seconds."""
        if not self._lock.acquire(timeout=FRAME if self.shown.is_set() else -1):
            return None
        try:
            hands = (STRAY_HAND,) if self.has_hand else ()
            cards, faces = tabletop.scene_cards(self._table), self._faces
        finally:
            self._lock.release()
        shining = () if glare is None else (Glare(*glare, radius=GLARE[0], strength=GLARE[1]),)
        return Scene(camera, SceneTable("felt"), SceneLight(glares=shining), cards, hands), faces

    # laying, with the lock held

    def _put(self, zone: Zone, face: str, origin: Zone | None) -> None:
        """Lay a card on a free spot in an area, or else on top of the cards in its middle."""
        offered = list(tabletop.spots(_middle(self._zones, zone), self._shake))
        if zone == CENTRE and origin is not None and origin.seat is not None:
            offered = tabletop.nearest_first(offered, self._before(origin.seat))
        free = [pose for pose in offered if tabletop.is_free(self._table, pose) and self.is_in(zone, pose)]
        before = "" if origin is None else zone_name(Zone("seat", origin.seat))
        own = (pose for pose in free if place_toward(self._zones, (pose.x, pose.y)) == before)
        self._table = tabletop.lay_card(self._table, face, origin, next(own, (*free, offered[0])[0]))

    def _before(self, seat: int) -> Pose:
        """Return a pose in the middle near a seat, so that cards there count as that seat's."""
        (x, y), (far_x, far_y) = _middle(self._zones, CENTRE), _middle(self._zones, Zone("seat", seat))
        right, low = max(self._zones["centre"])
        across, down = (far_x - x) / (right - x), (far_y - y) / (low - y)
        near = EDGE_FRACTION / hypot(across, down)
        x += across * near * (right - x) + self._shake.uniform(-LAID_APART, LAID_APART)
        y += down * near * (low - y) + self._shake.uniform(-LAID_APART, LAID_APART)
        return Pose(x, y, self._shake.uniform(-3, 3))

    def _bring(self, zone: Zone, cards: Iterable[tuple[Zone, str]]) -> None:
        """Make the given cards lie in an area, moving those that are elsewhere."""
        for (origin, face), count in Counter(cards).items():
            same = [card for card in self._table.lying if (card.origin, card.face) == (origin, face)]
            there = [card for card in same if self.is_in(zone, card.pose) and card.pose.is_up]
            astray = [card.number for card in same if card not in there]
            missing = max(0, count - len(there))
            self._table = tabletop.take_cards(self._table, astray[:missing])
            for _card in range(missing):
                self._put(zone, face, origin)

    def _lying_in(self, zone: Zone) -> list[TabletopCard]:
        return [card for card in self._table.lying if self.is_in(zone, card.pose) and card.pose.is_up]

    def _laid_for(self, match: Match, ask: Show) -> list[str]:
        """Return the cards laid for an ask, without those from elsewhere, which stay there or don't belong."""
        sources = {*match.setup.game.table.sources(match.state, ask)} - {ask.zone}
        return [card.face for card in self._lying_in(ask.zone) if card.origin in sources]

    def _lying_open(self) -> Counter[tuple[Zone, str]]:
        shown = (card for card in self._table.lying if tabletop.is_shown(self._dealt.match, card))
        return Counter((card.origin, card.face) for card in shown if card.origin is not None)

    def _may_show(self, origin: Zone | None, face: str, seat: int) -> bool:
        """Return whether a seat may turn up a card: one that it sees, has shown, or still has to show."""
        if origin is None or is_seen(self._dealt.match.setup.game, origin, seat):
            return True
        if self._lying_open()[origin, face] < self._turned_up[origin, face]:
            return True
        shown = sum(count for (zone, _face), count in self._turned_up.items() if zone == origin)
        return shown < tabletop.count_wanted(self._dealt.match, origin, seat)

    def _home(self, match: Match, ask: Show, face: str) -> Zone | None:
        """Return the origin of a card that is laid for an ask."""
        home = tabletop.cards_at_home(self._dealt.truth, self._table)
        sources = match.setup.game.table.sources(match.state, ask)
        return next((zone for zone in sources if face in home.get(zone, ())), None)


def _deal_so_far(match: Match, secret: bytes) -> tuple[Random, DealtMatch, dict[int, Truth]]:
    """Deal a match and replay it; returns the generator, the cards now, and the truth at each moment."""
    played = list(moments(match))[::-1]
    # names don't count: players can change theirs, and would choose their hand by it
    begun = crc32(match.setup.begun.encode())
    rng = Random(int.from_bytes(secret, "big") << 32 | begun)  # noqa: S311 - cards of a simulated table
    known = deal_match(played[0], rng)
    truths = {known.match.number: known.truth}
    for moment in played[1:]:
        known = DealtMatch(moment, follow_entry(known.truth, truths, moment, rng)[-1])
        truths[moment.number] = known.truth
    return rng, known, truths


def _faces_on(match: Match, span: Span) -> Iterator[str]:
    """Yield the cards of part of a grid, in order; everybody can see them."""
    game = match.setup.game
    for grid in game.table.grids(game.shown.view(match.state, span.seat)):
        column, row = span.cell[0] - grid.first[0], span.cell[1] - grid.first[1]
        if grid.seat == span.seat and 0 <= row < len(grid.rows) and column >= 0:
            yield from filter(None, grid.rows[row][column : column + span.length])


def _middle(zones: Zones, zone: Zone) -> Point:
    # zones without an area of their own use their seat's, or the middle
    seat = zones.get(zone_name(Zone("seat", zone.seat)), zones["centre"])
    corners = zones.get(zone_name(zone), seat)
    if len(corners) == 4:
        xs, ys = zip(*corners, strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    # a seat's area extends beyond the picture, so stay near the middle of its inner arc
    x, y = corners[len(corners) // 4]
    out = 1 + SEAT_CARD_DISTANCE / max(1.0, (x**2 + y**2) ** 0.5)
    return x * out, y * out
