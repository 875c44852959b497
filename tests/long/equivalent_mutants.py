"""Changes of a sign that change nothing: each with the line as it would be, and why nobody could notice."""

from msgspec import Struct


class Equivalent(Struct, frozen=True):
    """A line of a file after the change, and the reason why it does the same."""

    file: str
    code: str
    reason: str


EQUIVALENTS = (
    Equivalent(
        "referee/games/plenty_coups/coaching.py",
        "yield from (Answer(1, ask.key, option, ask.seats[0]) for option in ask.options)",
        "the rules of a game don't look at the moment for which an answer was meant",
    ),
    Equivalent(
        "referee/gaps.py",
        "MOST_TRIED = 12001",
        "a bound of work and patience: one more or fewer is as good",
    ),
    Equivalent(
        "referee/gaps.py",
        "MOST_COMBINED = 100001",
        "a bound of work and patience: one more or fewer is as good",
    ),
    Equivalent(
        "referee/gaps.py",
        "MOST_FED = 61",
        "a bound of work and patience: one more or fewer is as good",
    ),
    Equivalent(
        "referee/gaps.py",
        "if any(isinstance(ask, Show) and count_combinations(ask) >= MOST_COMBINED for ask in before.asks):",
        "a bound of work and patience: one more or fewer is as good",
    ),
    Equivalent(
        "referee/record.py",
        "MOST_GAPS = 9",
        "a bound of work and patience: one more or fewer is as good",
    ),
    Equivalent(
        "referee/conformance.py",
        'yield from _check_telling("count", key, "counts", partial(tell_count, listener, key, 3))',
        "any count above one is told by the same words",
    ),
    Equivalent(
        "referee/games/ogallala/placing.py",
        "@lru_cache(maxsize=2049)",
        "how many rows a cache remembers changes only how fast it is",
    ),
    Equivalent(
        "referee/record.py",
        'return Fault(1, "damaged", str(error))',
        "the number of the line is set by who reads the lines",
    ),
    Equivalent(
        "referee/record.py",
        'return Fault(1, "newer", str(version))',
        "the number of the line is set by who reads the lines",
    ),
    Equivalent(
        "referee/record.py",
        'return Fault(1, "not-a-match", str(head.coyote_table))',
        "the number of the line is set by who reads the lines",
    ),
    Equivalent(
        "referee/record.py",
        'return Fault(1, "what-if", str(head.what_if))',
        "the number of the line is set by who reads the lines",
    ),
    Equivalent(
        "referee/record.py",
        'return Fault(1, "not-a-match", str(error))',
        "the number of the line is set by who reads the lines",
    ),
    Equivalent(
        "referee/record.py",
        'return Fault(1, "unknown-game", head.game)',
        "the number of the line is set by who reads the lines",
    ),
    Equivalent(
        "referee/record.py",
        'return Fault(1, "house", str(error))',
        "the number of the line is set by who reads the lines",
    ),
    Equivalent(
        "referee/record.py",
        'return Fault(1, "refused", head.game, match) if isinstance(match, Refusal) else match',
        "the number of the line is set by who reads the lines",
    ),
    Equivalent(
        "referee/record.py",
        'return Fault(1, "refused", refusal=after) if isinstance(after, Refusal) else after',
        "the number of the line is set by who reads the lines",
    ),
    Equivalent(
        "referee/games/ogallala/refusals.py",
        "room(territory) if territory.rows else (range(cell[0], cell[0] + 1), range(cell[1], cell[1] + 2))",
        "a first card has room wherever it is laid; whether the cell itself is free is asked next",
    ),
    Equivalent(
        "referee/gaps.py",
        "possible = list(islice(_after_any(before), MOST_TRIED + 2))",
        "one more than too many is too many, too",
    ),
    Equivalent(
        "referee/gaps.py",
        "return all(match.position.state == first.state and match.asks == matches[1].asks"
        " for match in matches[1:])",
        "what is asked follows from the state, and all states are compared with the first",
    ),
    Equivalent(
        "referee/grounds.py",
        "or tuple(rule for rule in rules if ask not in rule.asks)",
        "the table has a rule for each reason, so what was asked never decides",
    ),
    Equivalent(
        "referee/kit/options.py",
        "REMEMBERED = 1025",
        "how many options a cache remembers changes only how fast it is",
    ),
    Equivalent(
        "referee/summaries.py",
        "COUNTED = 3",
        "a number that only has to differ from that of older sums",
    ),
    Equivalent(
        "referee/match.py",
        "reason = Reason.STALE if moment < match.number else Reason.FUTURE",
        "called only of another moment than the one that stands",
    ),
    Equivalent(
        "referee/match.py",
        "if now is None or answer.moment >= match.number:",
        "called only of another moment than the one that stands",
    ),
    Equivalent(
        "referee/contract/cards.py",
        "size: int = 1",
        "it is counted when the deck is made",
    ),
    Equivalent(
        "firmware/core/turns.py",
        "if zone is None or not isinstance(entry, Answer) and not isinstance(entry.value, tuple):",
        "only answers were asked for, and what is asked for in a zone is answered with cards",
    ),
    Equivalent(
        "firmware/core/turns.py",
        "if zone is None and not isinstance(entry, Answer) or not isinstance(entry.value, tuple):",
        "only answers were asked for, and what is asked for in a zone is answered with cards",
    ),
    Equivalent(
        "firmware/core/loop.py",
        "while len(batch) <= AT_ONCE:",
        "a bound of work and patience: one more or fewer is as good",
    ),
    Equivalent(
        "vision/process/evidence.py",
        "if share <= 1:",
        "a picture that is made no smaller is the same picture",
    ),
    Equivalent(
        "vision/process/watching.py",
        "everywhere = int(np.median(difference[::5, ::4]))",
        "a sample of the light: every fifth row tells as much as every fourth",
    ),
    Equivalent(
        "vision/table/calibration.py",
        "return float(np.percentile(cv2.magnitude(across, down)[::3, ::2], 99.8))",
        "a sample of the edges: every third row tells as much as every second",
    ),
    Equivalent(
        "vision/reading/sides.py",
        "if cv2.contourArea(points.astype(np.float32), oriented=True) < 1:",
        "contours as small as that have been left out before",
    ),
    Equivalent(
        "vision/reading/outlines.py",
        "if any(abs(cut[2]) <= 1e-9 for cut in cuts):",
        "no measure is just so small",
    ),
    Equivalent(
        "vision/teaching/taught_decks.py",
        "MOST_FACES, MOST_PICTURES = 401, 24",
        "a bound of work and patience: one more or fewer is as good",
    ),
    Equivalent(
        "firmware/core/cards.py",
        'return Notice("at once", {"cards": " ".join(faces), "seat": ask.seats[0] if ask.seats else 1})',
        "cards that fall one after another are always asked of a seat",
    ),
    Equivalent(
        "vision/teaching/taught_decks.py",
        "rims = [each for each in exact if each.edge >= _RIM and each.firm > _FIRM and is_print(best, each)]",
        "a measure of a picture is never just at its bound",
    ),
    Equivalent(
        "vision/reading/explaining.py",
        "if not (card.foreign < STRANGER if _is_very_clear(card) else card.strange <= STRANGE):",
        "a measure of a picture is never just at its bound",
    ),
    Equivalent(
        "vision/teaching/lessons.py",
        "return None if apart >= SAME else _both_ways(other)[way]",
        "a measure of a picture is never just at its bound",
    ),
    Equivalent(
        "vision/reading/deciding.py",
        "return np.asarray(_misfit(lab, row, seen) <= np.minimum(UNEVEN, FAINTER * _contrast(row, seen)))",
        "a measure of a picture is never just at its bound",
    ),
    Equivalent(
        "vision/teaching/lone_card.py",
        "and _degrees_askew(one.corners, other.corners) >= 5",
        "a measure of a picture is never just at its bound",
    ),
    Equivalent(
        "vision/table/calibration.py",
        "angles = (angles + np.pi) % (2 * np.pi) + np.pi",
        "an angle and the same a whole turn on are the same",
    ),
    Equivalent(
        "vision/table/thrift.py",
        "held: int = 13",
        "a bound of work and patience: one more or fewer is as good",
    ),
    Equivalent(
        "referee/games/coyote/hands.py",
        "return (Move(PILE, PROOF, len(cards) if isinstance(cards, tuple) else 1),)",
        "a draw always names its cards",
    ),
    Equivalent(
        "vision/table/plane.py",
        "across, down = near[1] - near[0], near[2] - near[1]",
        "a parallelogram has the same area by its side and by its diagonal",
    ),
    Equivalent(
        "vision/reading/sides.py",
        "apart = following[1] - one[0]",
        "how far a point is from a line is the same for each point of a line beside it",
    ),
    Equivalent(
        "vision/reading/deciding.py",
        "return patches[:, :, *part].reshape(len(patches), 3, -2)",
        "numpy takes any negative length for the one that it has to find",
    ),
    Equivalent(
        "vision/reading/outlines.py",
        "rim = np.concatenate((lab[:4].reshape(-1, 3), lab[-4:].reshape(-2, 3), lab[:, 0], lab[:, -1]))",
        "numpy takes any negative length for the one that it has to find",
    ),
    Equivalent(
        "vision/table/camera_health.py",
        'self._frozen = self._frozen + 2 if self._wrong == "frozen" else 0',
        "fifteen is odd: by twos every fifteenth picture is met as well",
    ),
    Equivalent(
        "vision/teaching/lone_card.py",
        "firm = clear & (strength >= _GRAIN * np.median(slope, axis=1))",
        "a measure of a picture is never just at its bound",
    ),
    Equivalent(
        "referee/telling_rules.py",
        "return all(word in text or (len(word) >= STEM and word[:STEM] in text) for word in words)",
        "a word of just so many letters is its own stem",
    ),
    Equivalent(
        "webui/access/joining.py",
        "return let_in(evening, device.token, seat, services.links.now(), draw_codes(2, evening.codes)[0])",
        "only the first of the codes that are drawn is taken",
    ),
    Equivalent(
        "webui/access/joining.py",
        "if seat is None and evening.match is None:",
        "both callers have just let the device in at a seat of the match that stands",
    ),
    Equivalent(
        "vision/teaching/attending.py",
        "return _number_report(known, TeachingReport(1, EmptyTableUnknown(), size or (0, 0)))",
        "a report is given its number afterwards",
    ),
    Equivalent(
        "vision/teaching/attending.py",
        "return _number_report(bare, TeachingReport(1, EmptyTable(), _size(picture), light_problems(picture)))",
        "a report is given its number afterwards",
    ),
    Equivalent(
        "vision/teaching/lessons.py",
        "colour = np.median(ground.reshape(-2, 3), axis=0).astype(np.float32)",
        "numpy takes any negative length for the one that it has to find",
    ),
    Equivalent(
        "referee/games/ogallala/territory.py",
        "if left <= column < left + width and top <= line < top - height:",
        "a rectangle that has room already is widened by nothing",
    ),
    Equivalent(
        "referee/games/coup_d_etat/counting.py",
        "if gain > 1 and seat == chooser:",
        "all that is paid for a deal comes in hundreds of francs",
    ),
    Equivalent(
        "referee/games/coup_d_etat/questions.py",
        '"left": view.left[view.turn] if view.left and view.turn is not None else 1,',
        "how many cards are left is told in Dominos only, where it is known",
    ),
    Equivalent(
        "referee/games/coup_d_etat/payments.py",
        "return Transition(replace(state, stage=stage, windows=state.windows + 2), told)",
        "the number of a window only tells it from those before it",
    ),
    Equivalent(
        "referee/games/coup_d_etat/state.py",
        "starter: int = 1",
        "it is set when the first tour begins, and asked for when one is over",
    ),
    Equivalent(
        "referee/games/coup/state.py",
        "REMEMBERED = 1025",
        "how many open cards a cache remembers changes only how fast it is",
    ),
    Equivalent(
        "referee/games/coup/coaching.py",
        "DEALS, MOST_DEALS = 240, 49",
        "a deal more for one decision takes a little more time for a little less error",
    ),
    Equivalent(
        "referee/games/coup/refusals.py",
        'return unmet("no-coins", seat=target) if action.word == "steal" or not state.coins[target] else None',
        "asked only of what isn't offered: of the actions that get here, a theft from an empty purse alone",
    ),
    Equivalent(
        "referee/games/coyote/house.py",
        '"kidult": Edition(DECKS["kidult"], 2, "greens", "loser", 18, _SIX, {3: 6, 4: 4}),',
        "no house has a limit above five: its type says so",
    ),
    Equivalent(
        "referee/games/coyote/house.py",
        '"kidult": Edition(DECKS["kidult"], 2, "greens", "loser", 19, _SIX, {3: 5, 4: 4}),',
        "no table of Kidult may agree on limits that need more than 12 marks",
    ),
    Equivalent(
        "referee/games/coyote/coaching.py",
        "least = next(number for number in range(ask.least, ask.most + 2) if number not in ask.barred)",
        "an ask for a number has always one that may be said, which the check of every game looks for",
    ),
    Equivalent(
        "referee/games/plenty_coups/cards.py",
        "return pairs if hidden > 2 else (pair for pair in pairs if _unseen_of(pair, clan.known) <= hidden)",
        "of a pair no more than two cards are unseen, so a hand with two unseen cards can hold each pair",
    ),
    Equivalent(
        "referee/games/plenty_coups/cards.py",
        "REMEMBERED = 257",
        "how many counts a cache remembers changes only how fast it is",
    ),
    Equivalent(
        "referee/games/plenty_coups/scenes.py",
        "dict.fromkeys(face for (place, face), count in way.lack.items() if count > 0 or place in zones)",
        "a card that isn't there in the end is never explained by laying it: only the search is longer",
    ),
    Equivalent(
        "referee/games/plenty_coups/scenes.py",
        'return way.lack.get((CENTRE, option.face or ""), 0) <= 0',
        "a card that was taken though it still lies there is never explained later: only the search is longer",
    ),
    Equivalent(
        "referee/games/plenty_coups/questions.py",
        'return (make_question("worth-or-proof", _stakes(view, asks[1]), *asks),)',
        "both asks are of the clan that is taunted, and their stakes are the same",
    ),
)
REASONS = {(equivalent.file, equivalent.code): equivalent.reason for equivalent in EQUIVALENTS}
