"""`coyote record list`, `save`, `add` and `replay`: matches in the journal or in files."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click
import msgspec

from firmware.cli import output as out
from firmware.cli.rules import rule_lines, tell_head
from firmware.cli.terminal import listener_of, standings
from firmware.language.speaking import LANGUAGE, PROGRAM, _, gap_text, label_text
from firmware.storage.journal import open_journal
from referee.contract import Answer, Ruling
from referee.games.catalogue import GAMES
from referee.gaps import Gap
from referee.grounds import grounds_of_ruling
from referee.house_rules import EDITION
from referee.match import Match, moments
from referee.moment_view import answer_text, news_texts
from referee.record import FAILED, Fault, ParsedRecord, read_record
from referee.rule_sentences import RuleView, change_texts, ground_view
from referee.seatings import seatings_of
from referee.sentences import Listener, refusal_text

MAX_FILE_BYTES = 64 * 1024 * 1024  # maximum bytes of a match file


@click.command(
    help=_("""Replay a stored match: print its rulings, then the standings.

    MATCH is a number from coyote record list, or a file written by coyote record save. Stops with exit code 1
    at the first damaged or illegal line.""")
)
@click.argument("match", metavar="MATCH")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help=_("Print one object: game, house rules, names, moments with their rules, standings, outcome, fault."),
)
@click.option("--rules", "with_rules", is_flag=True, help=_("Print the applied rules below each ruling."))
@out.journal_option
def replay(match: str, journal: Path, *, as_json: bool, with_rules: bool) -> None:
    reading = read_record(record_of(match, journal)[1])
    tell_gaps(match, () if as_json or reading.fault else reading.gaps)
    out.say_all([_as_json(reading)] if as_json else _as_text(reading, with_rules=with_rules))
    if reading.fault is not None:
        if not as_json:
            out.complain([f"{PROGRAM}: {label_text(match, fault_text(reading.match, reading.fault))}"])
        raise click.exceptions.Exit(1)


def record_of(match: str, journal: Path) -> tuple[int | None, list[str]]:
    """Return the number and lines of a stored match, or None and the lines of a file."""
    if match.isascii() and match.isdecimal() and len(match) <= 9:
        return int(match), kept_lines(journal, int(match))
    if not Path(match).is_file():
        message = _("{text} is neither a match nor a file; coyote record list lists the matches")
        raise click.ClickException(message.format(text=match))
    return None, record_in(Path(match))


def kept_lines(journal: Path, number: int | None = None) -> list[str]:
    """Return a stored match's lines, by default the newest; a missing one raises ClickException."""
    with out.kept_journal(journal) as kept:
        number = kept.latest() if number is None else number
        lines = [] if number is None else kept.lines(number)
    if not lines:
        raise click.ClickException(_("there is no such match; coyote record list lists them"))
    return lines


def record_in(file: Path) -> list[str]:
    """Return a file's lines; an invalid byte damages only its own line."""
    with out.click_errors(file):
        if file.stat().st_size > MAX_FILE_BYTES:
            raise click.ClickException(_("{file} is too large to be a match").format(file=file))
        text = file.read_bytes().decode("utf-8-sig", errors="surrogateescape")
    return text.rstrip().split("\n") if text.strip() else []


def fault_text(match: Match | None, fault: Fault) -> str:
    return _("line {line}: {why}").format(line=fault.line, why=_why(match, fault))


def tell_gaps(match: str, gaps: Iterable[Gap]) -> None:
    out.complain(f"{PROGRAM}: {label_text(match, gap_text(gap))}" for gap in gaps)


def _why(match: Match | None, fault: Fault) -> str:
    texts = {
        "empty": _("there is no match in this file"),
        "newer": _("a newer version of Coyote Table wrote this (format {about}): update, then try again"),
        "not-a-match": _("this is not the first line of a saved match"),
        "unknown-game": _("the game {about} isn't installed"),
        FAILED: _("the game {about} failed at this line; the match stays unchanged"),
        "house": _("these house rules can't be read: {about}"),
        "damaged": _("this line is damaged; all lines before it are readable"),
        "missing": _("this line is lost; all lines before it are readable"),
    }
    if fault.refusal is None:
        return texts[fault.key].format(about=fault.about)
    listener = Listener(GAMES[fault.about].words, (), LANGUAGE) if match is None else listener_of(match)
    return _("not legal: {why}").format(why=refusal_text(listener, fault.refusal))


def _as_text(reading: ParsedRecord, *, with_rules: bool) -> Iterator[str]:
    match = reading.match
    if match is None:
        return
    listener = listener_of(match)
    yield from tell_head(listener, match)
    for moment in reversed(list(moments(match))):
        if isinstance(moment.entry, Answer) and not moment.rulings and moment.before is not None:
            answer = answer_text(listener_of(moment), match.setup.game, moment.before.state, moment.entry)
            yield f"{moment.number:4}  {answer}"
        for sentence in news_texts(moment, LANGUAGE):
            yield f"{moment.number:4}  {sentence}"
        if with_rules:
            game, house = moment.setup.game, moment.setup.house
            grounds = (each for ruling in moment.rulings for each in grounds_of_ruling(game, house, ruling))
            yield from rule_lines(listener, {ground.rule.id: ground for ground in grounds}.values())
    yield from standings(listener, match)


def _as_json(reading: ParsedRecord) -> str:
    match, fault = reading.match, reading.fault
    about = None if fault is None else {"line": fault.line, "key": fault.key, "text": fault_text(match, fault)}
    nothing = {"game": None, "names": (), "moments": (), "standings": (), "outcome": None, "gaps": ()}
    whole = nothing if match is None else _match_data(match, reading.gaps)
    return msgspec.json.encode({**whole, "fault": about}).decode()


def _match_data(match: Match, gaps: Sequence[Gap]) -> dict[str, object]:
    listener, game, house = listener_of(match), match.setup.game, match.setup.house

    def rules_behind(ruling: Ruling) -> tuple[RuleView, ...]:
        return tuple(ground_view(listener, ground) for ground in grounds_of_ruling(game, house, ruling))

    story = [
        {
            "moment": moment.number,
            "entry": moment.entry,
            "rulings": moment.rulings,
            "rules": list(map(rules_behind, moment.rulings)),
            "told": news_texts(moment, LANGUAGE),
        }
        for moment in reversed(list(moments(match)))
    ]
    return {
        "game": game.name,
        "edition": getattr(house, EDITION, ""),
        "house": house,
        "house_rules": list(change_texts(listener, game, house)),
        "names": match.setup.names,
        "moments": story,
        "standings": game.rules.standings(match.state),
        "outcome": match.outcome,
        "gaps": gaps,
    }


@click.command(help=_("List the stored matches, the newest last."))
@out.journal_option
def matches(journal: Path) -> None:
    with out.kept_journal(journal) as kept:
        rows = [_row(match.id, read_record(kept.lines(match.id))) for match in kept.matches()]
    click.echo("\n".join(rows) or _("No match has been played yet."))


def _row(number: int, reading: ParsedRecord) -> str:
    match = reading.match
    if match is None or reading.fault is not None:
        fault = "" if reading.fault is None else fault_text(match, reading.fault)
        return f"{number:4}  {fault}"
    setup, outcome = match.setup, match.outcome
    winners = ", ".join(setup.names[seat] for seat in outcome.winners) if outcome else ""
    end = _("won by {names}").format(names=winners) if outcome else _("open")
    end = _("ended early") if match.is_ended else end
    title, names = LANGUAGE.gettext(setup.game.words.title), ", ".join(seatings_of(match).people)
    return f"{number:4}  {setup.begun[:16].replace('T', ' '):16}  {label_text(title, names)} ({end})"


@click.command(help=_("Save a match as a readable text file, which coyote record replay can replay."))
@click.argument("match", type=click.IntRange(1, 2**31), required=False, metavar="[MATCH]")
@click.option("-o", "--output", type=out.FILE, help=_("The file; by default the match is printed."))
@out.journal_option
def save(match: int | None, output: Path | None, journal: Path) -> None:
    if output is not None and output.resolve().name.startswith(journal.resolve().name):
        raise click.UsageError(_("this is the journal itself: choose another file"))
    lines = kept_lines(journal, match)
    out.write_output(output or out.STDOUT, "".join(f"{line}\n" for line in lines).encode())
    if output is not None:
        click.echo(_("{file} is written").format(file=output), err=True)


@click.command(help=_("Add a match from a file to the stored ones."))
@click.argument("file", type=out.FILE_HERE)
@out.journal_option
def add(file: Path, journal: Path) -> None:
    """Add a match, or the lines that the stored one lacks."""
    lines = record_in(file)
    reading = read_record(lines)
    if reading.fault is not None:
        raise click.ClickException(label_text(str(file), fault_text(reading.match, reading.fault)))
    tell_gaps(str(file), reading.gaps)
    with out.click_errors(), open_journal(journal) as opened:
        taken = opened.journal.take_in([lines])
    if not taken.lines:
        raise click.ClickException(_("this match is stored already"))
    click.echo(_("Lines added: {lines}.").format(lines=taken.lines))
