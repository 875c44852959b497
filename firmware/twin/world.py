"""The simulated world of the twin: cards on a table, and the camera that sees them.

It knows where every card is, and does with the cards what a moment makes people do. The camera's frames go into
a file, and the eyes read them there: nothing that is known here reaches the referee by another way.
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
from hardware.twin.dealer import DealtMatch, Truth, deal_match, follow_entry, is_told_falsely, lay_honestly
from hardware.twin.rendering.renderer import Faces, faces_of
from hardware.twin.rendering.scene import Glare, Hand, Scene, SceneCamera, SceneLight, SceneTable
from hardware.twin.tabletop import Places, Pose, ReachableCard, Tabletop, TabletopCard, TabletopView
from referee.contract import CENTRE, PILE, Answer, Show, Span, TableLayout, Zone
from referee.match import Match, is_replay, moments
from vision.sightings import Point
from vision.table.values import Zones
from vision.table.zones import place_toward, zone_of

FRAME = 0.1  # seconds from frame to frame
REACH = 0.95
"""Share of the way to the middle's edge at which hands lay the cards that all lay at once."""
OUT = 60.0  # millimetres from the edge of a seat's part to where its cards lie
LOST_HAND = Hand(x=150.0, y=170.0, angle=-25.0)
GLARE = 40.0, 2.0
"""How wide a mirrored lamp is, in millimetres, and how bright: nothing can be read there."""


class World:
    """What lies on the simulated table, and what is true of every card."""

    def __init__(
        self,
        match: Match,
        zones_of: Callable[[TableLayout], Zones],
        file: Path,
        camera: SceneCamera = PLAIN,
        secret: bytes = b"",
        begin: Event | None = None,
    ) -> None:
        """Shuffle, and deal as the match so far has it; `zones_of` parts the table as a game needs it.

        The same cards are dealt again by the same secret; without one, by all who know the record. The camera
        shows nothing before its beginning: felt and cards are drawn once the pages are there.
        """
        self._zones_of, self.view = zones_of, SimulatedView(file, camera)
        self.glare: Point | None = None
        """Where a lamp is mirrored on the table."""
        self._lock = Lock()
        self._table = Tabletop()
        self._brought = frozenset[int]()
        self._swapped = frozenset[int]()
        self._laid_instead: tuple[int, str] | None = None
        """What was asked when other cards were laid than are due."""
        self._secret = secret
        self._told_falsely: Match | None = None
        """The moment that stands, if cards were named that lay elsewhere."""
        self._deal(match)
        self._shake = Random(0)  # noqa: S311 - how straight cards lie
        self.has_hand = False
        self.shown = Event()
        """Set once there is a frame, or the camera is unplugged and none will come."""
        self._over, self._begin = Event(), begin
        self._thread = Thread(target=self._show, name="camera", daemon=True)
        self._thread.start()

    def _deal(self, match: Match) -> None:
        """Begin anew with a match: its cards, the deck's name and pictures, the parts of the table."""
        self._rng, self._dealt, self._truths = _deal_so_far(match, self._secret)
        self._deck = match.setup.game.table.deck(match.setup.house).name
        self._faces, self._zones = faces_of(self._deck), self._zones_of(parting_of(match))

    # what is true, and who sees it

    def truth(self, match: Match) -> Truth:
        with self._at(match):
            return self._dealt.truth

    def is_told_falsely(self, match: Match) -> bool:
        """Return whether a moment rests on cards that weren't where it has them come from."""
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

    def zone(self, zone: Zone) -> tuple[Point, ...]:
        return self._zones.get(zone_name(zone), ())

    def is_in(self, zone: Zone, pose: Pose) -> bool:
        return zone_of(self._zones, (pose.x, pose.y)) == zone_name(zone)

    def has_laid(self, ask: Show) -> bool:
        with self._lock:
            return len(self._laid_for(ask)) >= ask.count

    def middle(self, zone: Zone) -> Point:
        """Give the place in a part of the table where the first card lies."""
        x, y = _middle(self._zones, zone)
        return round(x, 1), round(y, 1)

    def seat_at(self, pose: Pose) -> int | None:
        """Return before which seat a card lies; None in the middle."""
        name = zone_of(self._zones, (pose.x, pose.y)) or ""
        number = name.rpartition(" ")[2]
        return int(number) - 1 if number.isdecimal() else None

    def deck(self, name: str) -> Faces | None:
        return self._faces if name == self._deck else None

    @contextmanager
    def _at(self, match: Match) -> Iterator[None]:
        """Hold what lies there as it is at a moment, for as long as it is looked at or moved."""
        with self._lock:
            self._follow(match)
            yield

    def _follow(self, match: Match) -> None:
        """Do with the cards what moments made people do since; a new match is shuffled for."""
        known, new = self._dealt.match, list[Match]()
        if match.setup is known.setup and match.number <= known.number:
            return
        if match.setup is not known.setup and is_replay(known, match):
            # the rules were put right, and no card has moved
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
            before = tabletop.laid_last(moment.setup.game, self._dealt.truth, self._table)
            self._told_falsely = moment if is_told_falsely(before, moment) else None
            for truth in follow_entry(before, self._truths, moment, self._rng):
                self._table = tabletop.follow_moves(moment.setup.game, self._table, before, truth)
                before = truth
            self._dealt = DealtMatch(moment, before)
            self._truths[moment.number] = before
            self._carry(moment)

    def _carry(self, moment: Match) -> None:
        """Lay what a moment makes hands lay, where turns are read from what lies on the table."""
        game = moment.setup.game
        if game.table.turns is None:
            return
        value = moment.entry.value if isinstance(moment.entry, Answer) else None
        # the cards that the answer has named were laid for it
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

    # what hands do with the cards

    def lay(self, match: Match, ask: Show, faces: Iterable[str] | None = None) -> tuple[str, ...]:
        """Lay what an ask wants to see and doesn't see yet, as it is; or other cards, instead of any."""
        with self._at(match):
            if faces is not None and self._laid_instead != (match.number, ask.key):
                self._laid_instead = match.number, ask.key
                others = (card for card in self._lying_in(ask.zone) if card.origin != ask.zone)
                self._table = tabletop.take_cards(self._table, [card.number for card in others])
            there = Counter(self._laid_for(ask))
            wanted = Counter(lay_honestly(self._dealt, ask)[0]) - there if faces is None else Counter(faces)
            cards = tuple(wanted.elements())
            for face in cards:
                self._put(ask.zone, face, self._home(match, ask, face))
        return cards

    def lay_due(self, match: Match, ask: Show, seats: frozenset[int]) -> tuple[str, ...]:
        """Lay for some seats what an ask wants of them without a choice; give what that is."""
        with self._at(match):
            if self._laid_instead == (match.number, ask.key):
                return ()
            due = tabletop.cards_due(match, self._dealt.truth, ask, seats)
            self._bring(ask.zone, due)
            return tuple(face for _origin, face in due)

    def lay_from(self, match: Match, ask: Show, origin: Zone, faces: Iterable[str]) -> None:
        """Lay cards from a place that a player has chosen."""
        with self._at(match):
            self._bring(ask.zone, [(origin, face) for face in faces])

    def place(
        self, match: Match, seat: int, card: tuple[Zone, int], pose: Pose | None, ask: Show | None
    ) -> bool:
        """Lay one card that a seat may take: where it says, or where it is asked for; False if it may not."""
        with self._at(match):
            reach = tabletop.cards_in_reach(self._dealt.truth, self._table, match, seat)
            held = next((each for each in reach if (each.zone, each.place) == card), None)
            if held is None or (pose is None and ask is None):
                return False
            if pose is not None:
                self._table = tabletop.lay_card(self._table, held.face, held.zone, pose)
            elif ask is not None:
                self._put(ask.zone, held.face, held.zone)
            return True

    def change_card(
        self, number: int, seat: int, others: frozenset[int], change: Callable[[Tabletop], Tabletop]
    ) -> bool:
        """Move a card of the table, or take it away; False if a seat may not."""
        with self._lock:
            card = tabletop.card_numbered(self._table, number)
            if card is None or not tabletop.may_move(card, seat, others):
                return False
            self._table = change(self._table)
            return True

    def arrange(self, match: Match, origin: Zone, place: int, to: int) -> None:
        """Put a card of a hand at another place in it."""
        with self._at(match):
            truth = tabletop.move_in_hand(self._dealt.truth, origin, place, to)
            self._dealt = replace(self._dealt, truth=truth)

    def hold(self, match: Match, origin: Zone, cards: tuple[str, ...]) -> None:
        with self._at(match):
            self._dealt = replace(self._dealt, truth=tabletop.reorder_hand(self._dealt.truth, origin, cards))

    def mark(self, match: Match) -> int:
        with self._lock:
            laid = self._table.laid
            # what this moment makes hands lay hasn't been read yet
            self._follow(match)
            return laid

    def tidy(self, match: Match, mark: int) -> None:
        """Put away what was laid up to a mark, and has been read."""
        with self._at(match):
            self._table = tabletop.tidy_table(match.setup.game, self._table, mark)

    def withdraw(self, match: Match, seats: frozenset[int]) -> None:
        """Take back what these seats have laid for what is asked now, to lay it anew."""
        with self._at(match):
            mine = tabletop.cards_laid_by(self._table, match, self._dealt.truth, seats)
            self._table = tabletop.take_cards(self._table, mine)

    def bring(self, match: Match, span: Span) -> bool:
        """Push cards of a player's grid into the middle; False if none lie there."""
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

    # mischief

    @property
    def has_strange(self) -> bool:
        return any(card.origin is None and card.number not in self._swapped for card in self._table.lying)

    @property
    def has_swapped(self) -> bool:
        return any(card.number in self._swapped for card in self._table.lying)

    def add_strange(self, ask: Show | None) -> bool:
        """Lay a card too many, of the bottom of the pile; False if there is no pile."""
        with self._lock:
            pile = self._dealt.truth.get(PILE, ())
            if pile:
                self._put(CENTRE if ask is None else ask.zone, pile[0], None)
            return bool(pile)

    def swap_one(self) -> bool:
        """Lay another card in the place of the last one that was laid; False if none lies there."""
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
        """Take away the cards that don't belong to the match."""
        with self._lock:
            strange = [card.number for card in self._table.lying if card.origin is None]
            self._table = tabletop.take_cards(self._table, strange)

    def set_right(self) -> None:
        """Undo all mischief: the camera works, no hand is in the picture, all lies where it should."""
        with self._lock:
            self.view.fault, self.has_hand, self.glare = None, False, None
        self.take_strange()

    # the camera

    def toggle_glare(self) -> None:
        """Mirror a lamp on the card that was laid last, or in the middle; or no longer."""
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
        """Return what a camera looks at; None while another deck is fetched, which takes seconds."""
        if not self._lock.acquire(timeout=FRAME if self.shown.is_set() else -1):
            return None
        try:
            hands = (LOST_HAND,) if self.has_hand else ()
            cards, faces = tabletop.scene_cards(self._table), self._faces
        finally:
            self._lock.release()
        shining = () if glare is None else (Glare(*glare, radius=GLARE[0], strength=GLARE[1]),)
        return Scene(camera, SceneTable("felt"), SceneLight(glares=shining), cards, hands), faces

    # laying, with the lock held

    def _put(self, zone: Zone, face: str, origin: Zone | None) -> None:
        """Lay a card in a part of the table where there is room, or on top of what lies in its middle."""
        offered = list(tabletop.spots(_middle(self._zones, zone), self._shake))
        if zone == CENTRE and origin is not None and origin.seat is not None:
            offered = tabletop.nearest_first(offered, self._before(origin.seat))
        free = [pose for pose in offered if tabletop.is_free(self._table, pose) and self.is_in(zone, pose)]
        before = "" if origin is None else zone_name(Zone("seat", origin.seat))
        own = (pose for pose in free if place_toward(self._zones, (pose.x, pose.y)) == before)
        self._table = tabletop.lay_card(self._table, face, origin, next(own, (*free, offered[0])[0]))

    def _before(self, seat: int) -> Pose:
        """Give the place in the middle that lies before a seat: there its cards are known as its own."""
        (x, y), (far_x, far_y) = _middle(self._zones, CENTRE), _middle(self._zones, Zone("seat", seat))
        right, low = max(self._zones["centre"])
        across, down = (far_x - x) / (right - x), (far_y - y) / (low - y)
        near = REACH / hypot(across, down)
        return Pose(x + across * near * (right - x), y + down * near * (low - y), self._shake.uniform(-3, 3))

    def _bring(self, zone: Zone, cards: Iterable[tuple[Zone, str]]) -> None:
        """Have cards lie in a part of the table, wherever they were; of equal ones, so many."""
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

    def _laid_for(self, ask: Show) -> list[str]:
        """List the cards that were laid for an ask, without those that stay there or don't belong there."""
        return [card.face for card in self._lying_in(ask.zone) if card.origin not in (None, ask.zone)]

    def _home(self, match: Match, ask: Show, face: str) -> Zone | None:
        """Find where a card comes from that is laid for an ask."""
        home = tabletop.cards_at_home(self._dealt.truth, self._table)
        sources = match.setup.game.table.sources(match.state, ask)
        return next((zone for zone in sources if face in home.get(zone, ())), None)


def _deal_so_far(match: Match, secret: bytes) -> tuple[Random, DealtMatch, dict[int, Truth]]:
    """Deal for a match, and follow it to the moment where it stands; give also where the cards were at each."""
    played = list(moments(match))[::-1]
    named = crc32(f"{match.setup.begun} {played[0].setup.names}".encode())
    rng = Random(int.from_bytes(secret, "big") << 32 | named)  # noqa: S311 - cards of a simulated table
    known = deal_match(played[0], rng)
    truths = {known.match.number: known.truth}
    for moment in played[1:]:
        known = DealtMatch(moment, follow_entry(known.truth, truths, moment, rng)[-1])
        truths[moment.number] = known.truth
    return rng, known, truths


def _faces_on(match: Match, span: Span) -> Iterator[str]:
    """List the cards of part of a grid, in its order: everybody sees them."""
    game = match.setup.game
    for grid in game.table.grids(game.shown.view(match.state, span.seat)):
        column, row = span.cell[0] - grid.first[0], span.cell[1] - grid.first[1]
        if grid.seat == span.seat and 0 <= row < len(grid.rows) and column >= 0:
            yield from filter(None, grid.rows[row][column : column + span.length])


def _middle(zones: Zones, zone: Zone) -> Point:
    # what has no part of its own lies before its seat, or in the middle
    seat = zones.get(zone_name(Zone("seat", zone.seat)), zones["centre"])
    corners = zones.get(zone_name(zone), seat)
    if len(corners) == 4:
        xs, ys = zip(*corners, strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    # a seat's part reaches far out of the picture: stay near where it begins, in the middle of its arc
    x, y = corners[len(corners) // 4]
    out = 1 + OUT / max(1.0, (x**2 + y**2) ** 0.5)
    return x * out, y * out
