"""Form of a new match: players' seats and house rules."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Game, Refusal
from referee.house_rules import HouseRule, house_from, house_rules
from referee.match import Match, Setup, begin
from referee.sentences import Listener, rule_value_text

SEAT_FIELD, RULE, ME = "seat-", "rule-", "me"
"""Prefixes of the field names of players and house rules, and the name of the own-seat field."""
EDITION = "edition"  # the house rule for the edition of the box
BOTH = frozenset({"true", "false"})


class RuleChoice(Struct, frozen=True):
    """A possible value of a house rule."""

    value: str
    text: str
    is_chosen: bool
    editions: str = ""


class RuleField(Struct, frozen=True):
    """A house rule as a form field; without choices it is a number."""

    name: str
    text: str
    kind: str
    value: str = ""
    chances: tuple[RuleChoice, ...] = ()
    editions: str = ""  # CSS classes of the editions that use the rule; empty for all


class MatchForm(Struct, frozen=True):
    """A filled-in form: names around the table, and house rules as text."""

    names: tuple[str, ...]
    agreed: Mapping[str, str]


def most_seats(game: Game) -> int:
    agreed = (house_from(game, {rule.name: one}) for rule in house_rules(game) for one in rule.takes)
    houses = (game.rules.house(), *game.rules.settings.values(), *agreed)
    return max(game.rules.seats(house).stop - 1 for house in houses if not isinstance(house, Refusal))


def fields_of(game: Game, listener: Listener, agreed: Mapping[str, str]) -> tuple[RuleField, ...]:
    fields = (_field(rule, listener, agreed.get(rule.name)) for rule in asked_rules(game))
    # in the order of the form's editions
    editions = next((rule.takes for rule in house_rules(game) if rule.name == EDITION), ())
    houses = (house_from(game, {EDITION: edition}) for edition in editions)
    idle = tuple(game.rules.idle_rules(house) for house in houses if not isinstance(house, Refusal))
    return tuple(_with_editions(field, idle) for field in fields)


def _with_editions(field: RuleField, idle: tuple[frozenset[str], ...]) -> RuleField:
    name = field.name.removeprefix(RULE)
    chances = (replace(one, editions=_editions(f"{name}.{one.value}", idle)) for one in field.chances)
    return replace(field, chances=tuple(chances), editions=_editions(name, idle))


def _editions(key: str, idle: tuple[frozenset[str], ...]) -> str:
    if not any(key in rules for rules in idle):
        return ""
    return " ".join(["some", *(f"in-{number}" for number, rules in enumerate(idle, 1) if key not in rules)])


def asked_rules(game: Game) -> tuple[HouseRule, ...]:
    """Return the house rules in the form; card counts come from the box itself."""
    return tuple(rule for rule in house_rules(game) if rule.takes or not rule.several)


def _field(rule: HouseRule, listener: Listener, said: str | None) -> RuleField:
    text = listener.language.gettext(listener.words.house[rule.name])
    if not rule.takes:
        return RuleField(RULE + rule.name, text, "number", _value_text(rule.default) if said is None else said)
    if set(rule.takes) == BOTH:
        value = said or _value_text(rule.default)
        return RuleField(RULE + rule.name, text, "yes", value)
    chosen = set(_value_text(rule.default).split(",") if said is None else said.split(","))
    chances = (
        RuleChoice(value, rule_value_text(listener, rule.name, value), value in chosen) for value in rule.takes
    )
    return RuleField(RULE + rule.name, text, "several" if rule.several else "one", "", tuple(chances))


def _value_text(default: object) -> str:
    if isinstance(default, bool):
        return str(default).lower()
    return ",".join(map(str, default)) if isinstance(default, tuple) else str(default)


def read_form(game: Game, said: Mapping[str, Iterable[str]]) -> MatchForm:
    """Parse a form; a missing checkbox means no."""
    names = (
        " ".join(" ".join(said.get(f"{SEAT_FIELD}{seat}", ())).split()) for seat in range(most_seats(game))
    )
    agreed = dict[str, str]()
    for rule in asked_rules(game):
        values = tuple(said.get(RULE + rule.name, ()))
        ticked = "true" if values else "false"
        agreed[rule.name] = ticked if set(rule.takes) == BOTH else ",".join(values)
    return MatchForm(tuple(filter(None, names)), {name: text for name, text in agreed.items() if text})


def begin_agreed_match(
    game: Game,
    form: MatchForm,
    begun: str,
    with_box_counts: Callable[[Game, Struct], Struct] = lambda _game, house: house,
) -> Match | Refusal:
    house = agreed_house(game, form, with_box_counts)
    return house if isinstance(house, Refusal) else begin(Setup(game, house, form.names, begun=begun))


def agreed_house(
    game: Game, form: MatchForm, with_box_counts: Callable[[Game, Struct], Struct]
) -> Struct | Refusal:
    """Parse the house rules and add the box's card counts; refuse rules that contradict each other."""
    house = house_from(game, _counting(game, form.agreed))
    return house if isinstance(house, Refusal) else with_box_counts(game, house)


def _counting(game: Game, agreed: Mapping[str, str]) -> Mapping[str, str]:
    """Drop rules without meaning in the edition; the form may contain them from another one."""
    edition = {EDITION: agreed[EDITION]} if EDITION in agreed else {}
    house = house_from(game, edition)
    idle = frozenset() if isinstance(house, Refusal) else game.rules.idle_rules(house)
    several = {rule.name for rule in house_rules(game) if rule.several}
    said = ((name, value) for name, value in agreed.items() if name not in idle)
    kept = {
        name: ",".join(each for each in value.split(",") if name not in several or f"{name}.{each}" not in idle)
        for name, value in said
    }
    return {name: value for name, value in kept.items() if value}


def own_seat(said: Mapping[str, Sequence[str]]) -> int | None:
    """Return the seat of the person who fills in the form; None for a seat without a name."""
    (me,) = said.get(ME, [""])[:1]
    if not (me.isascii() and me.isdecimal()) or not _name_at(said, me):
        return None
    return sum(1 for seat in range(int(me)) if _name_at(said, str(seat)))


def _name_at(said: Mapping[str, Sequence[str]], seat: str) -> str:
    return "".join(said.get(f"{SEAT_FIELD}{seat}", ())).strip()


def form_of_match(match: Match) -> MatchForm:
    house = match.setup.house
    agreed = {rule.name: _value_text(getattr(house, rule.name)) for rule in asked_rules(match.setup.game)}
    return MatchForm(match.setup.names, agreed)
