"""The club's pages over a real database: an evening by phone, and the limits of strangers."""

import re
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from psycopg import OperationalError
from werkzeug.sansio.http import parse_cookie
from werkzeug.test import create_environ, run_wsgi_app

from club.credentials import change_pin
from club.hearing import standing_words
from club.keeping import CLASH
from club.members import Invitations, join_table
from club.start.running import club_app
from firmware.integrations.club_joining import SECRET_LETTERS
from firmware.integrations.club_messages import ClubNote
from firmware.services.attempt_limits import AttemptLimit
from plugins.club.tests.databases import values
from plugins.club.tests.opened import HOST, NEW, Browser, Club
from webui.server.serving import GATE

CALL = "0" * 16
JPEG = b"\xff\xd8 a picture"


def test_whole_evening_from_registration_to_forgotten_person(club: Club) -> None:
    club.begin("Ana", "Bo", "Chloé", "Dédé", "Eve", "Fay", "Gus")
    phone = club.phone()
    assert "Take part at club.local:8080/me" in phone.get("/")
    phone.get("/me")
    phone.send("/me/enter", name="Zoé", agrees="1")
    assert "You are Zoé, number 8." in phone.get("/me")
    # without consent the person isn't stored
    other = club.phone()
    other.get("/me")
    other.send("/me/enter", name="Yann")
    other.get("/people/2", 404)
    club.send_round()
    assert re.search("Round 1: Table [12], seat [1-5]", phone.get("/me"))
    assert "9 share the first place" in phone.get("/standings")
    assert "Standings after" not in phone.get("/print/standings")
    assert "<b>Seat 1</b>" in phone.get("/print/seats")
    club.play("table-1", 1)
    assert "Still playing: Table 2" in club.get("/director/round")
    club.play("table-2", 1)
    assert "All tables are done." in club.get("/director/round")
    assert "Standings after round 1" in phone.get("/standings")
    assert "Standings after round 1" in phone.get("/print/standings")
    assert phone.get("/standings.csv").count("\r\n") == 10
    # strangers see no tabs of the director
    assert "/director/round" not in phone.get("/standings")
    assert "/director/round" in club.get("/standings")
    assert "<h2>Table 1</h2>" in phone.get("/print/seats")
    assert "At Table" in phone.get("/history/1")
    shown = ("/statistics", "/history", "/results.csv", "/tournament.json", "/print/standings")
    for address in (*shown, "/people/1"):
        assert "Zoé" in phone.get(address), address
    assert "Zoé" in phone.get("/history/1") + phone.get("/history/2")
    club.get("/director/people")
    said = "INSERT INTO calls (table_name, id, why, answer) VALUES ('table-1', %s, %s, '')"
    values(club.pool, said, CALL, "Has (Zoé) looked?")
    values(club.pool, said, "1" * 16, "Zoélie asks")
    club.send("/director/people/forget", 409, name="zoé")
    assert (
        "The name has been deleted here."
        in club.send("/director/people/forget", 200, name="zoé", sure="1").text
    )
    assert "Nobody here has this name." in club.send("/director/people/forget", 200, name="Zoee", sure="1").text
    assert values(club.pool, "SELECT why FROM calls ORDER BY id") == ["", "Zoélie asks"]
    for address in (*shown, "/history/1", "/history/2"):
        assert "Zoé" not in club.get(address), address
    phone.get("/people/1", 404)


def test_phone_deletes_only_its_own_profiles(club: Club) -> None:
    club.begin("Bo", "Chloé", "Dédé")
    phone, stranger = club.phone(), club.phone()
    phone.get("/me")
    phone.send("/me/enter", name="Ana", agrees="1")
    club.send_round()
    club.play("table-1", 1)
    for name in ("Bo", "Ana"):
        stranger.get("/me")
        stranger.send("/me/enter", name=name, agrees="1")
    stranger.get("/me")
    stranger.send("/me/forget", 403, person="1")
    stranger.send("/director/people/forget", name="Bo", sure="1")
    for person in ("2", "3"):
        # a name entered again, or one of another person, is deleted from the same phone
        assert f'name="person" value="{person}"' in stranger.get("/me")
        stranger.send("/me/forget", 200, person=person)
        club.get(f"/people/{person}", 404)
    assert {"Ana", "Bo"} <= {*values(club.pool, "SELECT unnest(names) FROM matches")}
    assert values(club.pool, "SELECT count(*) FROM forgettings") == [0]
    assert "Match 1" in phone.get("/people/1")


def test_director_swaps_corrects_penalises_and_sets_the_clock(club: Club) -> None:
    club.begin("Ana", "Bo", "Chloé", "Dédé", "Eve", "Fay")
    club.send("/director/round/draw")
    drawn = club.get("/director/round")
    one, other = re.findall(r'name="swap" value="(\d)"', drawn)[::3]
    club.send("/director/round/swap", swap=[one, other])
    swapped = re.findall(r'name="swap" value="(\d)"', club.get("/director/round"))
    assert (swapped[0], swapped[3]) == (other, one)
    club.send("/director/round/send")
    club.send("/director/round/clock", what="stop")
    assert "the clock is stopped" in club.get("/director/round")
    club.send("/director/round/correct", round="1", table="table-1", place=["3", "1", "2"], why="seen")
    assert "corrected by the director" in club.get("/director/round/results")
    club.send("/director/round/correct", 409, round="1", table="table-1", place=["3", "3", "3"])
    club.send("/director/round/correct", 409, round="1", table="table-1")
    club.send("/director/people/penalty", number=swapped[1], points="2", why="late")
    assert "late" in club.get("/director/people")
    club.send("/director/people/lift", index="0")
    assert "lifted" in club.get("/director/people")
    club.send("/director/people/presence", number=swapped[0], is_here="0")
    club.send("/director/end")
    assert "The tournament is over." in club.get("/director/round")


def test_call_for_the_director_is_answered_and_shown(club: Club) -> None:
    with club.pool.connection() as db:
        db.execute(
            "INSERT INTO calls (table_name, id, who, why, evidence) VALUES ('table-1', %s, 'Bo', %s, %s)",
            (CALL, "8 <or> 9?", JPEG),
        )
    assert "8 &lt;or&gt; 9?" in club.get("/")
    club.get(f"/director/picture/table-1/{'0' * 16}", 303)
    club.enter()
    assert "8 &lt;or&gt; 9?" in club.get("/director")
    page = club.get("/director/calls")
    assert f"/director/picture/table-1/{'0' * 16}" in page
    assert club._client.get(f"/director/picture/table-1/{CALL}", headers=HOST).data == JPEG
    club.send("/director/call", table="table-1", call="0" * 16, state="coming")
    assert "the director is coming" in club.get("/")
    club.send("/director/call", table="table-1", call="0" * 16, state="done", answer="It is a 9.")
    assert "8 &lt;or&gt; 9?" not in club.get("/")
    with club.pool.connection() as db:
        assert db.execute("SELECT state, answer FROM calls").fetchall() == [("done", "It is a 9.")]
    club.send("/director/call", 404, table="table-1", call="f" * 16, state="done")
    club.send("/director/call", 400, table="table-1", call="0" * 16, state="open")


def test_front_page_shows_the_club_status(club: Club) -> None:
    club.begin("Ana", "Bo", "Chloé")
    club.get("/history")
    club.get("/history?page=2", 404)
    club.send_round()
    page = club.get("/director")
    assert "answers in" in page
    assert "connected to 2 of 2 tables" in page
    assert "minutes of round 1 are left" in page
    values(club.pool, "UPDATE tables SET state = 'offline' WHERE name = 'table-2'")
    page = club.get("/director")
    assert "connected to 1 of 2 tables" in page
    assert "is away" in page


def test_director_page_works_without_the_database(club: Club) -> None:
    club.begin("Ana", "Bo", "Chloé")
    club.send_round()
    club.get("/director")
    club.is_away = True
    answer = club._client.get("/director", headers=HOST)
    assert answer.status_code == 503
    assert "The database doesn&#39;t respond. The tables play on." in answer.text
    assert "minutes of round 1 are left" in answer.text
    assert "no response for 40\N{NO-BREAK SPACE}s" in answer.text
    assert "/director/round/clock" not in answer.text
    for page in ("/", "/me", "/standings", "/history", "/director", "/statistics"):
        # pages don't wait for the database; their assets still load
        told = club.phone()._client.get(page, headers=HOST)
        assert (told.status_code, "database can't be reached" in told.text) == (503, True), page
        assert told.headers["Refresh"]
    assert club._client.get("/look/0/games.css", headers=HOST).status_code == 200


def test_replacing_a_tournament_needs_confirmation(club: Club) -> None:
    club.begin("Ana", "Bo", "Chloé")
    asked = club.send("/director/new", 409, **{**NEW, "title": "Another"}).text
    assert "“Club evening” is still running" in asked
    assert 'name="title" value="Another"' in asked
    assert "Club evening" in club.get("/director/round")
    club.send("/director/new", **{**NEW, "title": "Another", "sure": "1"})
    assert "Another" in club.get("/director/round")


def test_round_for_an_offline_table_needs_confirmation(club: Club) -> None:
    club.begin("Ana", "Bo", "Chloé")
    club.send("/director/round/draw")
    values(club.pool, "UPDATE tables SET state = 'offline'")
    assert "Offline: Table 1." in club.send("/director/round/send", 409).text
    assert "Round 1: check the seating" in club.get("/director/round")
    club.send("/director/round/send", sure="1")
    assert "minutes of round 1" in club.get("/director/round")
    # calling people away from a running match needs a confirmation
    values(club.pool, "UPDATE tables SET state = 'online'")
    club.send("/director/round/draw")
    assert "Still playing the previous round: Table 1." in club.send("/director/round/send", 409).text
    club.send("/director/round/correct", round="1", table="table-1", place=["1", "2", "3"], why="seen")
    club.send("/director/round/send")


def director_acts(club: Club) -> list[str]:
    return [
        rule.rule
        for rule in club.app.url_map.iter_rules()
        if "POST" in (rule.methods or ())
        and rule.rule.startswith("/director")
        and rule.rule != "/director/enter"
    ]


def test_strangers_cannot_change_anything(club: Club) -> None:
    club.begin("Ana", "Bo", "Chloé")
    stranger = club.phone()
    stranger.get("/director")
    before = club.get("/director/people")
    assert len(director_acts(club)) >= 13
    for address in director_acts(club):
        assert stranger.send(address).headers["Location"] == "/director"
    assert club.get("/director/people") == before


def test_rejects_forms_from_other_sites_and_browsers(club: Club) -> None:
    club.begin("Ana", "Bo", "Chloé")
    before, token = club.get("/director/people"), club.token
    for address in director_acts(club):
        club.token = "0" * 64
        club.send(address, 403)
    club.token = token
    answer = club._client.post(
        "/director/end", data={"form": token}, headers={**HOST, "Origin": "http://evil.example"}
    )
    assert answer.status_code == 403
    assert club._client.get("/", headers={"Host": "evil.example"}).status_code == 421
    nameless = {key: value for key, value in create_environ().items() if key != "HTTP_HOST"}
    assert run_wsgi_app(club._client.application, nameless)[1].startswith("400 ")
    assert club.get("/director/people") == before


def test_encrypted_pages_reject_plain_http_forms(club: Club) -> None:
    app = club_app(club.pool, club.room, Invitations(club.pool, Path(), 1), "en", address="https://club.local/")
    phone, stranger = app.test_client(), {"REMOTE_ADDR": "10.0.0.7"}
    asked = phone.get("/director?pin=1", headers=HOST, environ_base=stranger)
    assert (asked.status_code, asked.headers["Location"]) == (303, "https://club.local/director")
    assert phone.post("/director/enter", headers=HOST, environ_base=stranger).status_code == 403
    assert phone.get("/director", base_url="https://club.local/", environ_base=stranger).status_code == 200
    assert phone.get("/director", headers=HOST).status_code == 200


def test_rejects_forged_cookies_and_cookies_of_an_old_pin(club: Club) -> None:
    forger = club.phone()
    forger._client.set_cookie("club-director", f"9999999999 x.{'0' * 64}", domain="club.local")
    assert "PIN" in forger.get("/director")
    club.enter()
    assert "Nobody calls." in club.get("/director/calls")
    known = cookies_of(club)
    assert club.app.extensions[GATE].find_device(known) == known["club-director"]
    with club.pool.connection() as db:
        change_pin(db, "11112222")
    assert "PIN" in club.get("/director")
    assert club.app.extensions[GATE].find_device(known) is None


def test_pin_guesses_are_rate_limited(club: Club) -> None:
    phone = club.phone()
    phone.get("/director")
    codes = {
        phone._client.post("/director/enter", data={"form": phone.token, "pin": "1"}, headers=HOST).status_code
        for _ in range(8)
    }
    assert codes == {403, 429}


def test_registrations_are_rate_limited_per_network(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    club.begin()
    monkeypatch.setattr(AttemptLimit, "may_try", lambda *_asked: False)
    club.get("/me")
    club.send("/me/enter", 429, name="Zoé")


def test_person_with_a_bye_is_informed(club: Club) -> None:
    club.enter()
    club.get("/director/new")
    club.send("/director/new", **{**NEW, "game-table-2": ""})
    phones = [club.phone() for _each in range(7)]
    for number, phone in enumerate(phones):
        phone.get("/me")
        phone.send("/me/enter", name=f"P{number}")
    club.send_round()
    told = ["Round 1: you sit out, and get 3 points." in phone.get("/me") for phone in phones]
    assert told.count(True) == 1


def names_on(page: str) -> list[str]:
    return re.findall('<span class="nm">([^<]*)</span>', page)


def test_pasted_list_is_imported_atomically(club: Club) -> None:
    club.begin()
    long = "x" * 31
    refused = club.send("/director/people/add", 409, names=f"Ana\r\nBo\r\n{long}")
    assert long[:30] in refused.text
    assert "Ana" not in club.get("/director/people")
    club.send("/director/people/add", names="Ana\r\n  Bo \r\n\r\nChloé, of the cellar\r\n")
    club.send("/director/people/add", names="Dov; Emi, Finn")
    listed = names_on(club.get("/director/people"))
    assert listed == ["Ana", "Bo", "Chloé, of the cellar", "Dov", "Emi", "Finn"]


def test_imports_people_from_spreadsheet_csv(club: Club) -> None:
    """Names typed into the form come first; files in another encoding are read, too."""
    club.begin()
    for names, letters in (("Chloé\r\nZoé\r\n", "utf-8-sig"), ("Gül\nNoé\n", "cp1252")):
        listed = BytesIO(names.encode(letters)), "people.csv"
        club.send("/director/people/add", names="Ana" if "Zoé" in names else "", list=listed)
    assert names_on(club.get("/director/people")) == ["Ana", "Chloé", "Zoé", "Gül", "Noé"]
    club.send("/director/people/add", 409, names="", list=(BytesIO(b"\x81\x00"), "people.csv"))


def test_tables_receive_edition_and_house_rules(club: Club) -> None:
    """The form's settings reach the table, and the tournament ends after all rounds."""
    club.enter()
    assert 'name="coyote rule-edition"' in club.get("/director/new")
    rules = {"coyote rule-edition": "oliphante", "coyote rule-skip_tokens": "2"}
    club.send("/director/new", 409, **{**NEW, **rules, "coyote rule-skip_tokens": "many"})
    club.send("/director/new", **{**NEW, **rules, "rounds": "1"})
    club.send("/director/people/add", names="Ana, Bo, Chloé, Dov, Emi, Finn")
    club.send_round()
    with club.pool.connection() as db:
        notes = [
            msgspec.json.decode(told, type=ClubNote)
            for (_t, what), told in standing_words(db).items()
            if what == "note"
        ]
    assert [(note.game, note.rules["edition"], note.rules["skip_tokens"]) for note in notes] == [
        ("coyote", "oliphante", "2")
    ] * 2
    assert "The last round is being played." in club.get("/director/round")
    club.play("table-1", 1)
    assert "All rounds are played." not in club.get("/director/round")
    club.play("table-2", 1)
    assert "All rounds are played." in club.get("/director/round")


def test_impossible_tournament_is_refused_with_a_reason(club: Club) -> None:
    club.enter()
    form = club.get("/director/new")
    for wrong in (
        {"movement": "polka"},
        {"points": "2, 4"},
        {"size": "99"},
        {"game-table-1": "", "game-table-2": ""},
    ):
        assert "This plan doesn&#39;t work." in club.send("/director/new", 409, **{**NEW, **wrong}).text
    club.send("/director/round/draw", 409)
    # the browser accepts exactly the playable values
    bounds = re.findall(r'name="(rounds|size|minutes)" .* min="(\d+)" max="(\d+)"', form)
    assert len(bounds) == 3
    for name, *ends in bounds:
        for end, beyond in zip(map(int, ends), (-1, 1), strict=True):
            club.send("/director/new", 409, **{**NEW, name: str(end + beyond)})
            club.send("/director/new", **{**NEW, name: str(end), "sure": "1"})


def test_unavailable_database_is_reported_in_one_sentence(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_said: object, **_more: object) -> None:
        raise OperationalError("server closed the connection at 10.0.0.7")

    monkeypatch.setattr(club.pool, "connection", fail)
    answer = club._client.get("/", headers=HOST)
    assert answer.status_code == 503
    assert "The club's database can't be reached." in answer.text
    assert "10.0.0.7" not in answer.text


def test_invitation_code_admits_one_table(club: Club) -> None:
    club.enter()
    club.get("/director/tables")
    text = club.send("/director/tables/invite", 200, title="Table 3").text
    assert "<svg" in text
    assert code_in(text) != code_in(club.send("/director/tables/invite", 200, table="table-3").text)
    with club.pool.connection() as db:
        assert join_table(db, b"secret", code_in(text)) is None
        newest = code_in(club.send("/director/tables/invite", 200, table="table-3").text)
        joined = join_table(db, b"secret", newest)
        assert joined[0].title == "Table 3"
        assert join_table(db, b"secret", newest) is None
    assert club.get("/director/tables").count('nm">Table 3') == 1
    for title in (" ", "table  3"):
        club.send("/director/tables/invite", 409, title=title)
    club.send("/director/tables/invite", 409, table="nowhere")


def test_removed_table_leaves_club_and_future_rounds(club: Club) -> None:
    club.begin("Ana", "Bo", "Chloé")
    club.send("/director/tables/remove", 404, table="table-1", sure="1")
    values(club.pool, "UPDATE tables SET state = 'offline' WHERE name = 'table-1'")
    assert "Remove “Table 1”" in club.send("/director/tables/remove", 409, table="table-1").text
    club.send("/director/tables/remove", table="table-1", sure="1")
    assert "Table 1" not in club.get("/director/tables") + club.get("/")
    club.send_round()
    assert "Table 2" in club.get("/director/round/results")


def code_in(page: str) -> str:
    """Return the code by which a table joins: the part before the hub's fingerprint."""
    found = re.search(r"/join#([0-9A-Z-]+)<", page)
    return found[1].replace("-", "")[:SECRET_LETTERS]


def test_quarantined_lines_are_shown_until_acknowledged(club: Club) -> None:
    with club.pool.connection() as db:
        db.execute(
            "INSERT INTO quarantine (table_name, epoch, match, number, hash, body, why)"
            " VALUES ('table-2', %s, 3, 14, %s, '{}', %s)",
            ("0" * 32, b"0" * 32, CLASH),
        )
    club.enter()
    assert "earlier ones: 1" in club.get("/director/more")
    assert "Table 2, match 3, line 15: a different line is already there" in club.get("/director/tables")
    club.send("/director/tables/seen")
    assert "a different line is already there" not in club.get("/director/tables")
    assert "earlier ones: 1" not in club.get("/director/more")


def test_strangers_do_not_become_known_devices(club: Club) -> None:
    club.begin("Ana", "Bo", "Chloé", "Dédé")
    phone = club.phone()
    phone.get("/me")
    fields = {"form": phone.token, "name": "Zoé", "agrees": "1", "pin": "1"}
    for rule in club.app.url_map.iter_rules():
        path = re.sub("<.*?>", "1", rule.rule)
        if "POST" in (rule.methods or ()) and path != "/me/forget":
            phone._client.post(path, data=fields, headers=HOST)
    cookies = cookies_of(phone)
    assert set(cookies) >= {"club-entrant", "club-person"}
    for forged in (cookies, {"club-director": "x"}, {"club-director": cookies["club-person"]}):
        assert club.app.extensions[GATE].find_device(forged) is None


def cookies_of(phone: Browser) -> Mapping[str, str]:
    return parse_cookie("; ".join(f"{each.key}={each.value}" for each in phone._client._cookies.values()))
