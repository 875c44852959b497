"""`coyote record film` and `coyote record evening`: files and texts to share a match or an evening."""

from datetime import datetime
from pathlib import Path

import click

from firmware.cli.output import STDOUT, complain, journal_option, kept_matches, write_output
from firmware.cli.replay import fault_text, record_of
from firmware.language.catalogues import preferred_language
from firmware.language.speaking import LANGUAGE, PROGRAM, _
from firmware.state_folder import EVIDENCE, state_directory
from referee.record import read_record
from referee.summaries import day_of


@click.command(
    help=_("""Create a film of a match: one file that any browser opens, without a server.

    MATCH is a number from coyote record list, or a file written by coyote record save or the
    history. With --out FILE.png, a picture of the final score for a chat.""")
)
@click.argument("match", metavar="MATCH")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help=_("The file: .html for the film, .png for the final score."),
)
@click.option("--pictures", is_flag=True, help=_("Include the camera's pictures that are still stored."))
@journal_option
def film(match: str, out: Path, *, pictures: bool, journal: Path) -> None:
    if out.suffix not in {".html", ".png"}:
        raise click.UsageError(_("the name of the file must end with .html or .png"))
    number, record = record_of(match, journal)
    reading = read_record(record)
    if reading.fault is not None:
        told = fault_text(reading.match, reading.fault)
        if reading.match is None:
            raise click.ClickException(told)
        complain([f"{PROGRAM}: {told}"])
    from webui.server.film_making import FilmRequest, film_bytes, score_card_bytes  # noqa: PLC0415 - loads Flask

    folder = state_directory() / EVIDENCE if pictures and number is not None else None
    asked = FilmRequest(tuple(record), preferred_language(), folder, number)
    made = score_card_bytes(asked) if out.suffix == ".png" else film_bytes(asked)
    write_output(out, made or b"")
    click.echo(_("{file} is written").format(file=out), err=True)


@click.command(help=_("Print a summary of an evening for a chat: today's, or that of DAY (2026-05-01)."))
@click.argument("day", required=False, metavar="[DAY]")
@journal_option
def evening(day: str | None, journal: Path) -> None:
    from webui.views.final_score import evening_of, evening_text  # noqa: PLC0415 - as above

    chosen = day_of(datetime.now().astimezone().isoformat()) if day is None else _parse_day(day)
    told = evening_of(kept_matches(journal), chosen, LANGUAGE)
    if told is None:
        raise click.ClickException(
            _("no match of that evening is stored; coyote record list lists the matches")
        )
    write_output(STDOUT, evening_text(told, LANGUAGE).encode())


def _parse_day(value: str) -> str:
    try:
        return datetime.strptime(value, "%Y-%m-%d").date().isoformat()  # noqa: DTZ007 - a day has no time zone
    except ValueError as error:
        raise click.UsageError(_("{value} isn't a day: write it as 2026-11-30").format(value=value)) from error
