"""`coyote update` hands over to the updater of its checkout."""

import os
from pathlib import Path

import pytest

from firmware.cli import update
from firmware.updates.layout import Home
from tests.firmware.conftest import Coyote


class Become(Exception):  # noqa: N818 - no error: the program goes on as another one
    """What the program would become."""


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("update", ["update"]),
        ("update back", ["update", "back"]),
        ("update --from /media/stick", ["update", "--from", "/media/stick"]),
    ],
)
def test_the_updater_of_the_checkout_takes_over(
    coyote: Coyote, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, typed: str, words: list[str]
) -> None:
    def become(program: str, arguments: list[str]) -> None:
        raise Become(program, arguments)

    monkeypatch.setattr(update, "home_of", lambda _code: Home(tmp_path))
    monkeypatch.setattr(os, "execv", become)
    with pytest.raises(Become) as taken:
        coyote(typed)
    run = str(tmp_path / "run")
    assert taken.value.args == (run, [run, *words])


def test_a_package_is_updated_the_way_it_was_installed(coyote: Coyote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(update, "home_of", lambda _code: None)
    said = coyote("update")
    assert said.code == 1
    assert said.err == "coyote: this was installed as a package: update it the way it was installed\n"
