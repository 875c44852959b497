"""Requests that our pages never send: no errors, and no effect without the right link."""

import re
from itertools import count, islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tiers import slow, tiered
from tests.webui.server.hostile import (
    FIELDS,
    Table,
    draw_attempt,
    outcome_of,
    paths_of,
    plain_attempt,
    real_card_routes,
    real_cards_in,
    send_hostile_form,
    senders_in,
)

# Werkzeug leaves files in memory to the collector when a form is cut
pytestmark = pytest.mark.filterwarnings(
    "ignore:Exception ignored in.*SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning"
)


@slow("every route, by every sender, with whatever may come")
@settings(max_examples=tiered(150, 3000))
@given(st.integers(0, 2**60))
def test_fuzzed_routes_never_fail_or_obey_strangers(table: Table, seed: int) -> None:
    sent = draw_attempt(table, Random(seed))
    assert not outcome_of(table, sent).fault, sent.description


@pytest.mark.parametrize("who", ["stranger", "seat", "host"])
def test_forms_need_token_and_host_right(table: Table, who: str) -> None:
    does = set()
    for path in paths_of(table.app, "POST"):
        for fields in (None, FIELDS):
            done = outcome_of(table, plain_attempt(table, "POST", path, who, fields))
            assert not done.fault, (path, done)
            if fields is None or (who != "host" and path.startswith("/host")):
                assert done.code in {303, 400, 403, 404, 429}, (path, done.code)
            does |= {path} if done.changed else set()
    # fields that are invalid everywhere would prove nothing
    assert len(does) > {"stranger": 0, "seat": 10, "host": 42}[who], sorted(does)


@pytest.mark.parametrize("who", ["stranger", "seat"])
def test_host_pages_are_host_only(table: Table, who: str) -> None:
    pages = [path for path in paths_of(table.app, "GET") if path.startswith("/host")]
    shown = 0
    for path in pages:
        done = outcome_of(table, plain_attempt(table, "GET", path, who, FIELDS))
        assert done.code in {303, 403, 404} or b'name="pin"' in done.body, path
        shown += outcome_of(table, plain_attempt(table, "GET", path, "host", FIELDS)).code == 200
    assert shown > 15


def test_get_never_changes_state(table: Table) -> None:
    for path in paths_of(table.app, "POST"):
        done = outcome_of(table, plain_attempt(table, "GET", path, "host", FIELDS))
        assert not done.changed, path


def test_giant_number_is_handled(table: Table) -> None:
    hosts = (
        each for seed in count() if (each := draw_attempt(table, Random(seed))).who == "host" and each.has_token
    )
    for rule in [rule for rule in table.app.url_map.iter_rules() if "<int:" in rule.rule]:
        for method in ("GET", "POST"):
            for sent in islice(hosts, tiered(1, 2)):
                sent.surroundings["PATH_INFO"] = re.sub("<.*>", "9" * 20, rule.rule)
                sent.surroundings["REQUEST_METHOD"] = method
                assert not outcome_of(table, sent).fault, sent.description


@pytest.mark.parametrize("fields", [{"option": "x" * 20_000}, {f"card-{at}": "1" for at in range(3000)}])
def test_rejects_too_large_body(table: Table, fields: dict[str, str]) -> None:
    assert outcome_of(table, plain_attempt(table, "POST", "/seat/answer", "seat", fields)).code == 413


@slow("hundreds of forms, with a table that is being found")
def test_hostile_forms_of_the_new_pages_never_fail(tmp_path: Path) -> None:
    room, rng = real_cards_in(tmp_path), Random(0)
    senders, routes = senders_in(room), real_card_routes(room.app)
    for number in range(tiered(100, 6000)):
        code, sent = send_hostile_form(rng.choice(senders), *routes[number % len(routes)], rng)
        assert code < 500, sent
